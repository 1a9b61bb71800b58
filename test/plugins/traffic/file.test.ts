/** The settings and the file: what is refused, by line and key, and nothing is captured then. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildApp } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { trafficPlugin } from '../../../plugins/traffic/index.ts';
import { tempDir, testApp, testConfig } from '../../helper.ts';

const start = (options: ServerOptions) => testApp([trafficPlugin], options);

/** What a start says that does not succeed, and what it left behind in the folder. */
async function refusal(yaml: string): Promise<string> {
  const folder = await tempDir();
  const file = join(folder, 't.yaml');
  await writeFile(file, yaml);
  const app = buildApp(testConfig({ traffic_config: file }), [trafficPlugin]);
  const error = await app.ready().then(
    () => undefined,
    (failure: Error) => failure,
  );
  await app.close();
  expect(await readdir(folder)).toEqual(['t.yaml']);
  return `${(error as { code?: string })?.code}: ${error?.message}`;
}

test.each([
  ['a tab', 'sinks:\n\t- { kind: admin_live }', /line 2: .*tab/i],
  ['an unknown key', 'sinks: []\nsink: []', /line 2: .*sink/],
  ['an unknown kind', 'sinks:\n  - kind: admin_live\n  - kind: postgres\n    path: x', /line 3: .*kind/],
  ['a sink without its path', 'sinks:\n  - kind: jsonl', /line 2: "sinks\.0" of kind jsonl needs a "path"/],
  ['a path of the live sink', 'sinks:\n  - kind: admin_live\n    path: x', /line 3: .*has no "path"/],
  ['a ring of a file', 'sinks:\n  - kind: jsonl\n    path: x\n    ring_buffer: 3', /line 4: .*has no "ring_buffer"/],
  ['the same sink twice', 'sinks:\n  - {kind: jsonl, path: x}\n  - {kind: jsonl, path: x}', /line 3: .*twice/],
  ['an empty rule', 'filters:\n  include:\n    - {}', /line 3: .*filters\.include\.0/],
  ['a rule of two', 'filters:\n  exclude:\n    - { leg: x, direction: y }', /line 3: .*filters\.exclude\.0/],
  ['an empty pattern', "filters:\n  include:\n    - { leg: '' }", /line 3: /],
  ['a pattern that is no text', 'filters:\n  include:\n    - { leg: [a] }', /line 3: /],
  ['a path that no frame has', 'filters:\n  include:\n    - { mpc.method: x }', /line 3: .*did you mean "mcp\.method"/],
  ['an empty replacement path', "redact:\n  - { 'body.': x }", /line 2: .*no path in a body/],
  ['a replacement that is no text', 'redact:\n  - { body.data.a: 5 }', /line 2: /],
  ['a list instead of the whole', '- sinks', /line 1: /],
  ['a queue of nothing', 'queue_capacity: 0', /line 1: .*queue_capacity/],
])('%s is named at start, and nothing is opened', async (_, yaml, expected) => {
  const said = await refusal(yaml.includes('sinks:') ? yaml : `${yaml}\n# no sinks`);
  expect(said).toMatch(/^SVC_TRAFFIC_CONFIG_INVALID: Traffic cannot be captured as .*t\.yaml says: /);
  expect(said).toMatch(expected);
});

test('a good sink beside a bad rule is not opened either', async () => {
  expect(await refusal('sinks: [{ kind: jsonl, path: good.jsonl }]\nfilters: { include: [{ legs: x }] }')).toMatch(
    /line 2/,
  );
});

test('a file that cannot be read, a form that is not known, a place that cannot be written', async () => {
  const folder = await tempDir();
  for (const [options, expected] of [
    [{ traffic_config: join(folder, 'missing.yaml') }, /missing\.yaml says: ENOENT/],
    [{ traffic_config: folder }, /no regular file/],
    [{ traffic_capture: 'sqlite:x.db' }, /SVC_TRAFFIC_CAPTURE says: .*not of the form jsonl:<path>/],
    [{ traffic_capture: 'jsonl:' }, /not of the form/],
    [{ traffic_capture: `jsonl:${folder}` }, /EISDIR/],
  ] as const) {
    const app = buildApp(testConfig(options), [trafficPlugin]);
    await expect(app.ready()).rejects.toThrow(expected);
    await app.close();
  }
});

test('sqlite without the storage plugin is said so', async () => {
  const folder = await tempDir();
  await writeFile(join(folder, 't.yaml'), 'sinks: [{ kind: sqlite, path: x.db }]');
  const app = buildApp(testConfig({ traffic_config: join(folder, 't.yaml') }), [trafficPlugin]);
  await expect(app.ready()).rejects.toThrow(/needs the storage plugin/);
  await app.close();
});

test('production refuses, unless it is forced; a file that is not enabled asks for nothing [spec:traffic:production]', async () => {
  const folder = await tempDir();
  const quick = { traffic_capture: `jsonl:${join(folder, 'q.jsonl')}`, prod_profile: true };
  const app = buildApp(testConfig(quick), [trafficPlugin]);
  await expect(app.ready()).rejects.toThrow(/production.*SVC_FORCE_TRAFFIC_CAPTURE=1/);
  await app.close();
  expect(await readdir(folder)).toEqual([]);
  expect((await start({ ...quick, force_traffic_capture: true })).traffic.status().state).toBe('capturing');
  await writeFile(join(folder, 'off.yaml'), 'enabled: false\nsinks: [{ kind: admin_live }]');
  const off = await start({ traffic_config: join(folder, 'off.yaml'), prod_profile: true });
  expect(off.traffic.status()).toMatchObject({ state: 'off', capture_enabled: false });
  // Who names a file and looks why nothing comes is told why.
  expect(off.traffic.status().message).toBe(
    `no traffic is captured: ${join(folder, 'off.yaml')} says "enabled: false"`,
  );
  await writeFile(join(folder, 'none.yaml'), 'filters: {}\n');
  const none = await start({ traffic_config: join(folder, 'none.yaml') });
  expect(none.traffic.status().message).toContain('none.yaml names no sink');
});
