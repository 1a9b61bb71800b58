/** A full disk under everything that the gateway writes of calls: they go on, it is said once, and writing goes on with the space. */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { canMount, smallDisk } from '../small-disk.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { listening, runProgram } from './program.ts';

const trafficYaml = `enabled: true
sinks:
  - { kind: sqlite, path: traffic.db }
  - { kind: jsonl, path: traffic.jsonl }
`;
const words = 'paint the sky '.repeat(200);

// Elsewhere this is not tried.
test.skipIf(!canMount)(
  'a full disk under records and captured traffic costs rows, and no call',
  async context => {
    const disk = await smallDisk();
    if (disk === undefined) return context.skip('no file system may be mounted here');
    const [folder, skills, port] = await Promise.all([tempDir(), tempDir(), freePort()]);
    const file = (name: string): string => join(disk.folder, name);
    await writeFile(file('traffic.yaml'), trafficYaml);
    const input_schema = { type: 'object', properties: { text: { type: 'string' } } };
    await writeSkill(skills, 'shots', {
      ...{ description: 'Publishes shots.', dcc: 'maya' },
      tools: [{ name: 'publish_shot', description: 'Publishes.', body: 'return { done: true };', input_schema }],
    });
    const registry = ['--registry-dir', join(folder, 'registry')];
    const gateway = runProgram(['gateway', '--port', String(port), ...registry], {
      ...{ SVC_TRAFFIC_CONFIG: file('traffic.yaml'), SVC_GATEWAY_AUDIT_DIR: file('audit') },
    });
    const origin = `http://127.0.0.1:${port}`;
    const post = async (path: string, body: unknown): Promise<Record<string, unknown>> => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as Record<string, unknown>;
    };
    const read = async (path: string) => (await (await fetch(origin + path)).json()) as Record<string, never>;
    await waitFor(() => read('/health').catch(() => undefined), 'the gateway', 30_000);
    const server = runProgram([
      ...['serve', '--json', '--gateway-port', String(port), ...registry, '--dcc-type', 'maya'],
      ...['--skill-paths', skills, '--no-bundled-skills', '--no-watch-skills'],
    ]);
    await listening(server);
    const find = async () => {
      const { hits } = (await post('/v1/search', { query: 'publish shot' })) as { hits?: { tool_slug: string }[] };
      return hits?.[0]?.tool_slug;
    };
    const slug = await waitFor(find, 'the tool behind the gateway', 30_000);
    await post('/v1/load_skill', { skill_name: 'shots', dcc_type: 'maya' });

    let made = 0;
    /** All of them succeed. */
    const calls = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) {
        made += 1;
        const answer = await post('/v1/call', { tool_slug: slug, arguments: { text: `${words}${made}` } });
        expect(JSON.stringify(answer)).toContain('done');
      }
    };
    const lines = (name: string): string[] =>
      readFileSync(file(name), 'utf8')
        .split('\n')
        .filter(each => each !== '');
    const jsonl = ['audit/audit.jsonl', 'audit/traces.jsonl', 'traffic.jsonl'];
    const has = (text: string): boolean => jsonl.every(name => lines(name).some(each => each.includes(text)));
    const rows = (): number => {
      const database = new Database(file('traffic.db'), { readonly: true });
      const { count } = database.prepare('select count(*) as count from traffic_frames').get() as { count: number };
      database.close();
      return count;
    };
    const troubles = [/not recorded: the file cannot be written/, /lost until that is over \(jsonl/, /over \(sqlite/];
    const over = [/calls are recorded again/, /kept again, [1-9]\d* frames were lost \(jsonl/, /lost \(sqlite/];
    /** What was said of each file, in order. A short line may yet find room where a long one was taken back, so that it begins anew. */
    const said = (): string[] =>
      troubles.map((trouble, index) =>
        gateway
          .stderr()
          .split('\n')
          .map(line => (trouble.test(line) ? 'trouble ' : over[index]?.test(line) ? 'over ' : ''))
          .join(''),
      );
    const allEnd = (word: string): boolean => said().every(each => each.endsWith(`${word} `));

    await calls(3);
    await waitFor(() => has('publish_shot') && rows() > 0, 'rows everywhere');
    disk.fill();
    await calls(40);
    await waitFor(() => allEnd('trouble'), 'the word of each trouble');
    await calls(40);
    for (const each of said()) expect(each).toMatch(/^(trouble over )*trouble (over )?$/);
    expect(gateway.stderr()).toMatch(/ENOSPC|no space left/);
    // Where a short line found room meanwhile, the next long one has none.
    const problem = async (): Promise<unknown> => {
      await calls(1);
      const { records } = await read('/v1/debug/health');
      return (records as unknown as Record<string, unknown>).problem;
    };
    await expect.poll(problem).toMatch(/ENOSPC|no space/);

    const kept = rows();
    disk.free();
    await calls(3);
    await waitFor(() => allEnd('over'), 'the word that it is over');
    for (const each of said()) expect(each).toMatch(/^(trouble over )+$/);
    const last = `${words}${made}`;
    await waitFor(() => lines('traffic.jsonl').some(each => each.includes(last)) && rows() > kept, 'the last frames');
    // Whatever stands on a line is whole, and what is read is what was written.
    for (const name of jsonl) for (const each of lines(name)) expect(() => JSON.parse(each), name).not.toThrow();
    expect((await read('/v1/debug/health')).records).toMatchObject({ problem: null, skipped_invalid: 0 });
    const { total } = await read('/v1/debug/calls?tool=publish_shot&success=true');
    expect(total).toBe(lines('audit/audit.jsonl').filter(each => each.includes('publish_shot')).length);
  },
  120_000,
);
