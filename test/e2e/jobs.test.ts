/** The whole story of a long job, as a user has it: the built program, a bundled skill, the official SDK client. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { tempDir, waitFor } from '../helper.ts';
import { listening, runProgram } from './program.ts';

type Fields = Record<string, unknown>;

const env = async (job_storage_path: string): Promise<NodeJS.ProcessEnv> => {
  const home = await tempDir();
  const SVC_SKILL_PATHS = join(packageRoot, 'skills', 'examples');
  return { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), SVC_SKILL_PATHS, SVC_JOB_STORAGE_PATH: job_storage_path };
};

const serve = async (variables: NodeJS.ProcessEnv) => {
  const run = runProgram(['serve', '--json', '--port', '0', '--gateway-port', '0'], variables);
  return { run, url: (await listening(run)).mcp_url };
};

/** A client that hears of progress, wherever it arrives: the SDK itself forgets a token once its call is answered. */
async function open(url: string) {
  const client = new Client({ name: 'story', version: '1' });
  const progress: Fields[] = [];
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void progress.push(params));
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Fields = {}, _meta?: Fields): Promise<Fields> => {
    const { structuredContent } = await client.callTool({ name, arguments: args, ...(_meta && { _meta }) });
    return structuredContent as Fields;
  };
  return { client, progress, call };
}

const framesIn = async (folder: string): Promise<number> =>
  (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.png')).length;

const currentOf = ({ progress }: Fields): number => (progress as { current: number } | null)?.current ?? 0;

test('a turntable: receipt at once, progress, a disconnect, polled to its end; kill -9 in the middle of the next', async () => {
  const variables = await env(join(await tempDir(), 'jobs.db'));
  const first = await serve(variables);
  const author = await open(first.url);
  await author.call('load_skill', { skill_name: 'scene-inspector' });
  const { context } = (await author.call('list_samples')) as { context: { samples: { path: string }[] } };
  const path = String(context.samples[0]?.path);
  const start = (caller: typeof author, output_dir: string, frames: number) =>
    caller.call(
      'render_turntable',
      { path, output_dir, frames, width: 256 },
      { progressToken: `turn-${frames}`, dcc: { async: true } },
    );

  const [whole, cut] = [join(await tempDir(), 'whole'), join(await tempDir(), 'cut')];
  const receipt = await start(author, whole, 60);
  expect(receipt).toMatchObject({ status: 'pending', job_id: expect.any(String), core_poll: { owner: 'core' } });
  expect(await framesIn(whole)).toBeLessThan(60);
  await waitFor(() => author.progress.some(each => Number(each.progress) > 10), 'progress', 30_000);
  expect(author.progress.every(each => each.progressToken === 'turn-60' && each.total === 100)).toBe(true);
  await author.client.close();

  const reader = await open(first.url);
  const { tool, arguments: poll } = receipt.core_poll as { tool: string; arguments: Fields };
  const polled = (more?: Fields) => reader.call(tool, { ...poll, ...more });
  let last = 0;
  const done = await waitFor(
    async () => {
      const record = await polled();
      expect(currentOf(record)).toBeGreaterThanOrEqual(last);
      last = currentOf(record);
      return ['pending', 'running'].includes(String(record.status)) ? undefined : record;
    },
    'the end',
    60_000,
  );
  expect(done).toMatchObject({
    status: 'completed',
    tool: 'render_turntable',
    error: null,
    progress: { current: 60, total: 60 },
    result: { structuredContent: { success: true, context: { frames: 60, output_dir: whole } } },
  });
  expect(await framesIn(whole)).toBe(60);

  const { job_id } = await start(reader, cut, 720);
  await waitFor(async () => (await framesIn(cut)) >= 2, 'two frames', 30_000);
  first.run.child.kill('SIGKILL');
  await first.run.ended;
  const written = await framesIn(cut);
  expect(written).toBeGreaterThanOrEqual(2);
  expect(written).toBeLessThan(720);

  const second = await serve(variables);
  const later = await open(second.url);
  expect(await later.call('jobs_get_status', { job_id })).toMatchObject({
    status: 'interrupted',
    error: 'server restart',
    // A frame that was being written counts: the launch arguments name a folder and no extensions.
    progress: { current: (await readdir(cut)).length },
    counter_source: 'disk',
  });
  expect(await later.call('jobs_get_status', { job_id: receipt.job_id })).toMatchObject({ status: 'completed' });
  second.run.child.kill('SIGTERM');
  expect(await second.run.ended).toBe(0);
}, 180_000);
