/** What a host meets on the machines of people: no Node, odd folders, lids that close, other copies of itself. */
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, type TestContext, test } from 'vitest';
import { findProgram } from '../../kernel/index.ts';
import { waitFor } from '../helper.ts';
import { authored } from '../plugins/feedback/support.ts';
import type { Json } from '../spec/wire.ts';
import { type FakeHost, moduleFolder, startFakeHost } from './fake-host.ts';
import { program } from './program.ts';

type Context = Pick<TestContext, 'onTestFinished'>;

const started = ({ onTestFinished }: Context, ...settings: Parameters<typeof startFakeHost>): FakeHost => {
  const host = startFakeHost(...settings);
  onTestFinished(() => host.stop());
  return host;
};

/** A folder as people name them, with a copy of the module. */
async function vendored({ onTestFinished }: Context, noted?: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc häß 影-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await copyFile(join(moduleFolder, 'svc_host.py'), join(folder, 'svc_host.py'));
  if (noted) await writeFile(join(folder, 'svc_host.json'), JSON.stringify(noted));
  return folder;
}

const text = (result: Json): string => (result.content as { text: string }[])[0]?.text ?? '';
const refused = async (host: FakeHost): Promise<string> =>
  String((await host.until(each => each.state === 'refused')).reason);

describe.concurrent('a host', () => {
  test('with a Node that is too old says what to do', async context => {
    const { expect } = context;
    const module = await vendored(context);
    await mkdir(join(module, 'svc_server', 'dist'), { recursive: true });
    await writeFile(join(module, 'svc_server', 'dist', 'svc-server.js'), '');
    const old = join(module, 'old node');
    await writeFile(old, '#!/bin/sh\necho v18.20.1\n');
    await chmod(old, 0o755);
    const host = started(context, { module }, { SVC_HOST_COMMAND: undefined, SVC_NODE: old });
    expect(await refused(host)).toBe(
      `SVC_NODE is ${old}, which is no Node.js of version 20 or newer: install Node.js 20 or newer (https://nodejs.org), or set SVC_NODE to the path of one`,
    );
  });

  test('whose server was removed says so; whose Node was replaced finds another', async context => {
    const { expect } = context;
    const paths = await Promise.all(
      (process.env.PATH ?? '').split(delimiter).map(async each => ({
        each,
        has: await findProgram('svc-server', { PATH: each }),
      })),
    );
    const PATH = paths.flatMap(({ each, has }) => (has ? [] : [each])).join(delimiter);
    const env = { SVC_HOST_COMMAND: undefined, PATH };
    const gone = await vendored(context, { command: ['/gone/node', '/gone/svc-server.js'] });
    expect(await refused(started(context, { module: gone }, env))).toMatch(
      /^\/gone\/svc-server\.js, which this add-on was installed with, is gone: install it /,
    );
    const replaced = await vendored(context, { command: ['/gone/node', program] });
    const host = started(context, { module: replaced }, { ...env, SVC_NODE: process.execPath });
    expect(text(await (await host.client()).call('add', { a: 1 }))).toBe('3');
  });

  test('with a home that cannot be written, in a folder with blanks and other letters, serves', async context => {
    const { expect } = context;
    const module = await vendored(context, { command: [process.execPath, program] });
    const HOME = join(module, 'home');
    await writeFile(HOME, 'no folder');
    const host = started(context, { module }, { HOME, SVC_HOST_COMMAND: undefined });
    expect(text(await (await host.client()).call('add', { a: 1 }))).toBe('3');
  });

  test('whose machine sleeps goes on where it was: nothing is lost, nobody is told that it died', async context => {
    const { expect } = context;
    const host = started(context);
    const client = await host.client();
    const { server_pid } = await host.until(each => each.state === 'connected');
    const pids = [Number(server_pid), Number(host.child.pid)];
    const held = client.call('hold', { ms: 300 });
    await sleep(100);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await sleep(1500);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    expect(text(await held)).toBe('held');
    expect(text(await client.call('add', { a: 1 }))).toBe('3');
    expect(new Set(host.told.map(each => each.state))).not.toContain('lost');
    expect((await host.until(() => true)).server_pid).toBe(server_pid);
  });

  test('that freezes is busy, and as soon as it goes on its calls do', async context => {
    const { expect } = context;
    const host = started(context, { options: { request_timeout_ms: 10_000 } });
    const client = await host.client();
    const state = async () => {
      const health = (await (await fetch(new URL('/health', client.url))).json()) as { host: { state: string } };
      return health.host.state;
    };
    host.child.kill('SIGSTOP');
    const waits = client.call('add', { a: 1 });
    for (const end = Date.now() + 10_000; (await state()) !== 'busy' && Date.now() < end; ) await sleep(50);
    expect(await state()).toBe('busy');
    host.child.kill('SIGCONT');
    expect(text(await waits)).toBe('3');
    for (const end = Date.now() + 5000; (await state()) !== 'connected' && Date.now() < end; ) await sleep(50);
    expect(await state()).toBe('connected');
  });

  test('that comes to a call too late tells whether it ran, and what did not begin never does', async context => {
    const { expect } = context;
    const host = started(context, { options: { request_timeout_ms: 1500 } });
    const client = await host.client();
    const held = client.call('hold', { ms: 4000, name: 'long' });
    await sleep(200);
    const waiting = client.call('note', { text: 'too late' });
    const told = await held;
    expect(JSON.stringify(told)).toContain('SVC_TOOLS_TIMEOUT');
    expect(text(told)).toContain('it has begun there and may still be running');
    expect(text(await waiting)).toContain(
      'its main thread is occupied by "hold", the call has not begun and will not run',
    );
    const ran = async () => {
      const answer = await client.call('noted');
      return answer.isError ? undefined : (JSON.parse(text(answer)) as { ran: string[] }).ran;
    };
    expect(await waitFor(ran, 'the main thread')).toEqual(['hold long']);
  });

  test('whose main thread is held up while a report asks it who reports: refused within 5 s, and it says by what', async context => {
    const { expect } = context;
    const host = started(context, { options: { request_timeout_ms: 30_000 } });
    const client = await host.client();
    // Much longer than anybody is asked: the report may be late.
    const held = client.call('hold', { ms: 12_000 });
    await sleep(100);
    const { error, message } = await client.callJson('dcc_feedback__report', { ...authored, evidence: {} });
    expect(`${error}: ${message}`).toBe(
      'feedback_context_unavailable: who reports is not known: The host did not answer in time: its main thread is occupied by "hold", the call has not begun and will not run',
    );
    expect(text(await held)).toBe('held');
    expect((await client.callJson('noted')).ran).toEqual(['hold ']);
  });

  test('that quits in the midst of a job: who started it is told why it ended', async context => {
    const { expect } = context;
    const host = started(context);
    const client = await host.client();
    const stream = await client.stream();
    await client.call('steps', { count: 1_000_000, pause: 0.001 });
    await host.stop();
    const told = await stream.next(each => each.params?.tool === 'steps' && typeof each.params.error === 'string');
    expect(told.params).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/^The host is gone \(it stopped\)/),
    });
    expect(host.child.exitCode).toBe(0);
  });

  test('with a second copy of the module is told which one serves; one that is loaded again in the midst of a job takes over', async context => {
    const { expect } = context;
    const host = started(context);
    const client = await host.client();
    const first = await host.until(each => each.state === 'connected');
    expect(text(await client.call('second_copy', { folder: await vendored(context) }))).toBe(
      `svc serves this application already, from ${join(moduleFolder, 'svc_host.py')}: remove or disable one of the two add-ons`,
    );
    const stream = await client.stream();
    await client.call('steps', { count: 1_000_000, pause: 0.001 });
    // A job runs before the main thread has come to its call.
    const ran = async () => (await client.callJson('noted')).ran as string[];
    await waitFor(async () => (await ran()).includes('steps'), 'the call to begin');
    host.child.stdin?.write('load again\n');
    const told = await stream.next(each => typeof each.params?.error === 'string');
    expect(told.params).toMatchObject({
      tool: 'steps',
      error: expect.stringMatching(/^The host is gone \(it stopped\)/),
    });
    const second = await host.until(each => each.state === 'connected' && each.instance_id !== first.instance_id);
    expect(second.server_pid).not.toBe(first.server_pid);
    const again = await host.client();
    const tools = await again.tools();
    expect(tools.flatMap(each => (['add', 'note'].includes(String(each.name)) ? [each.name] : []))).toEqual(['add']);
    // What ran in the module as it was is told, and closed on the main thread when that comes to it.
    const noted = async () => ((await again.callJson('noted')).cancelled as string[]).toSorted();
    await waitFor(async () => (await noted()).length >= 2, 'the end of what ran');
    expect(await noted()).toEqual(['closed', 'told']);
    await expect(fetch(String(first.mcp_url))).rejects.toThrow();
  });
});
