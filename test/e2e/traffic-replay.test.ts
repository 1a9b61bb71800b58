/** Calls captured at a real gateway, sent again by the built `svc-cli`. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { proxyPlugin } from '../../plugins/gateway/proxy/index.ts';
import { gatewayRestPlugin } from '../../plugins/gateway/rest/index.ts';
import { trafficPlugin } from '../../plugins/traffic/index.ts';
import { tempDir, waitFor } from '../helper.ts';
import { gatewayRig } from '../plugins/gateway/rig.ts';
import { connect } from '../spec/wire.ts';
import { runNode } from './program.ts';

async function cli(...args: string[]) {
  const run = runNode(join(packageRoot, 'dist', 'svc-cli.js'), args);
  return { code: await run.ended, stdout: run.stdout(), stderr: run.stderr() };
}

test('svc-cli traffic replay: same answers, changed ones, what cannot be sent, and instances that have gone', async () => {
  const folder = await tempDir();
  const file = join(folder, 'traffic.jsonl');
  let radius = 1;
  const measure = {
    definition: { name: 'measure', description: 'Measures.', input_schema: { type: 'object' } },
    handler: ({ what }: Record<string, unknown>) => ({ what: what ?? 'ball', radius, elapsed_ms: performance.now() }),
  };
  const input = { dcc_type: 'maya', tools: [measure] };
  const rig = await gatewayRig([proxyPlugin, gatewayRestPlugin, trafficPlugin], [input], {
    traffic_capture: `jsonl:${file}`,
  });
  await rig.app.capabilities.refresh();
  const [first] = rig.instances;
  const slug = `maya.${first?.id8}.measure`;
  const call = (body: object) =>
    fetch(`${rig.url}/v1/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(each => each.text());
  await call({ tool_slug: slug, arguments: { what: 'cube' } });
  await call({ tool_slug: slug, arguments: { what: 'x', script: 'rm()' } });
  await (await connect(`${rig.url}/mcp`)).call('call', { tool_slug: slug });
  await (await connect(`${rig.url}/mcp/${first?.id}`)).call('measure', { what: 'cone' });
  await waitFor(async () => (await readFile(file, 'utf8')).split('\n').length === 17, 'the frames');
  const copy = join(folder, 'copy.jsonl');
  await writeFile(copy, await readFile(file));
  await appendFile(copy, '{"torn":');

  const again = ['traffic', 'replay', copy, '--ignore', 'elapsed_ms'];
  const same = await cli(...again, '--gateway', rig.url, '--json');
  expect([same.code, same.stderr]).toEqual([0, '']);
  const report = JSON.parse(same.stdout);
  expect(report).toMatchObject({ gateway: rig.url, total: 4, same: 3, not_replayed: 1, changed: 0, skipped_lines: 1 });
  expect(report.calls.map((each: { outcome: string }) => each.outcome)).toEqual([
    'same',
    'not_replayed',
    'same',
    'same',
  ]);
  expect(report.calls[1].reason).toBe('redacted: body.data.arguments.script');

  // The tool says something else now, and another instance runs in the place of the first.
  radius = 2;
  await first?.service.shutdown();
  const second = await rig.add(input);
  await waitFor(async () => {
    await rig.app.capabilities.refresh();
    return rig.app.instances.live().length === 1;
  }, 'the first to leave');
  const changed = await cli(...again, '--gateway', rig.url, '--output', 'human');
  expect(changed.code).toBe(1);
  expect(changed.stderr).toBe(`gateway ${rig.url}\n`);
  expect(changed.stdout).toMatch(/radius: 1 -> 2/);
  expect(changed.stdout).toMatch(/\n4 calls: 3 changed, 1 not replayed; 1 lines are no frames\n$/);
  const rows = await cli(...again, '--gateway', rig.url, '--output', 'ndjson', '--tool', 'maya.*');
  const [row, ...others] = rows.stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(row).toMatchObject({
    outcome: 'changed',
    renamed: { [String(first?.id8)]: second.id8 },
    differences: [{ path: 'radius', before: 1, after: 2 }],
  });
  expect(others.map(each => each.outcome)).toEqual(['not_replayed', 'changed']);

  // With none, or two in its place, nobody guesses.
  const third = await rig.add(input);
  const unsure = JSON.parse((await cli(...again, '--gateway', rig.url, '--json')).stdout);
  expect(unsure.calls[0]).toMatchObject({
    outcome: 'failed',
    reason: expect.stringMatching(/2 instances of maya run.*--instance/),
  });
  const chosen = await cli(...again, '--gateway', rig.url, '--json', '--instance', third.id8, '--ignore', 'radius');
  expect([chosen.code, JSON.parse(chosen.stdout).same]).toEqual([0, 3]);
}, 60_000);

test('svc-cli traffic replay: calls of an agent that says who it is, and the receipts of jobs', async () => {
  const file = join(await tempDir(), 'traffic.jsonl');
  const said: unknown[] = [];
  const paint = {
    definition: { name: 'paint', description: 'Paints.', input_schema: { type: 'object' } },
    handler: (args: Record<string, unknown>) => {
      said.push(args);
      return { painted: true };
    },
  };
  const rig = await gatewayRig([gatewayRestPlugin, trafficPlugin], [{ dcc_type: 'maya', tools: [paint] }], {
    traffic_capture: `jsonl:${file}`,
  });
  await rig.app.capabilities.refresh();
  const tool_slug = `maya.${rig.instances[0]?.id8}.paint`;
  const agent_context = { agent_id: 'bot-7', actor_id: 'u-1', actor_name: 'Ann', auth_subject: 'ann' };
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${rig.url}/v1/call`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  };
  await post({ tool_slug, arguments: {}, meta: { agent_context } });
  await post({ tool_slug, arguments: {}, agent_context });
  await (await connect(`${rig.url}/mcp`)).call('call', { tool_slug }, { agent_context });
  await post({ tool_slug, arguments: {}, meta: { dcc: { async: true } } });
  // An argument of the tool is no word about who calls.
  await post({ tool_slug, arguments: { agent_context } });
  await waitFor(async () => (await readFile(file, 'utf8')).split('\n').length === 21, 'the frames');

  const { code, stdout } = await cli('traffic', 'replay', file, '--gateway', rig.url, '--json');
  const { calls } = JSON.parse(stdout) as { calls: { outcome: string; reason?: string }[] };
  expect(calls.map(each => [each.outcome, each.reason])).toEqual([
    ...Array.from({ length: 4 }, () => ['same', undefined]),
    ['not_replayed', expect.stringContaining('body.data.arguments.agent_context.actor_id')],
  ]);
  expect(code).toBe(0);
  await waitFor(() => said.length === 9, 'the jobs');
}, 60_000);

test('svc-cli traffic replay: a dry run, a file of nothing, nobody there', async () => {
  const folder = await tempDir();
  const file = join(folder, 'one.jsonl');
  const frame = (data: unknown, more: object = {}) =>
    JSON.stringify({
      name: 'traffic.frame',
      attributes: {
        ...{
          capture_id: `cap_${JSON.stringify(data).length}`,
          leg: 'client_to_gateway',
          http: { url: '/v1/call', headers: {} },
        },
        body: { data, size_bytes: 1, redacted_paths: [], ...more },
      },
    });
  await writeFile(file, `${frame({ tool_slug: 'maya.12345678.go' })}\n${frame(null, { truncated: true })}\n`);
  const [dry, nobody, cut, empty, misspelt] = await Promise.all([
    cli('traffic', 'replay', file, '--dry-run', '--json'),
    cli('traffic', 'replay', file, '--gateway', 'http://127.0.0.1:9', '--output', 'human'),
    cli('traffic', 'replay', file, '--tool', '?', '--dry-run', '--output', 'ndjson'),
    cli('traffic', 'replay', join(packageRoot, 'package.json')),
    cli('traffic', 'replya', file),
  ]);
  expect(JSON.parse(dry.stdout)).toMatchObject({ gateway: null, would_be_replayed: 1, not_replayed: 1 });
  expect([nobody.code, nobody.stderr]).toEqual([
    3,
    expect.stringMatching(/error \[UNAVAILABLE\]: http:\/\/127\.0\.0\.1:9 does not answer/),
  ]);
  expect([cut.code, JSON.parse(cut.stdout).reason]).toEqual([2, 'its body was too long to be captured']);
  expect([empty.code, JSON.parse(empty.stderr).error.details.code]).toEqual([2, 'SVC_CLI_NO_CAPTURES']);
  expect([misspelt.code, JSON.parse(misspelt.stderr).error.message]).toEqual([
    2,
    expect.stringContaining('Did you mean "traffic replay"'),
  ]);
});

test('svc-cli: help, version and completion', async () => {
  const [help, version, bash] = await Promise.all([cli(), cli('--version'), cli('completion', 'bash')]);
  expect([help.code, version.code, bash.code]).toEqual([0, 0, 0]);
  expect(help.stdout).toContain('traffic');
  expect(version.stdout).toMatch(/^svc\/\d/);
  expect(bash.stdout).toContain("'traffic replay') flags=");
});
