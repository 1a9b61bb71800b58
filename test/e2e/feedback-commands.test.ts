/** `svc-cli feedback`, `list`, `export`, `route` and `bundle`, as built, against a real gateway. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSchemas, packageRoot } from '../../kernel/index.ts';
import { tempDir } from '../helper.ts';
import { feedbackGateway, finding, type Json, reviewed } from '../plugins/feedback/support.ts';
import { runNode } from './program.ts';

const program = join(packageRoot, 'dist', 'svc-cli.js');

async function cli(...args: string[]) {
  const run = runNode(program, ['feedback', ...args], { SVC_REGISTRY_DIR: await tempDir() });
  const code = await run.ended;
  const failure = run.stderr().startsWith('{') ? (JSON.parse(run.stderr()) as { error: Json }).error : undefined;
  return { code, text: run.stdout(), failure, notes: run.stderr() };
}

const report = ['--tool-name', 'make_sphere', '--intent', 'make one', '--blocker', 'the radius\n\u001b[31mis ignored'];

test('a report is sent, listed newest first, and exported whole', async () => {
  const { url, registry_dir } = await feedbackGateway();
  const at = ['--gateway', url];
  const sent = await cli(...report, '--dcc-type', 'maya', '--request-id', 'r-1', ...at);
  expect([sent.code, sent.failure]).toEqual([0, undefined]);
  const receipt = JSON.parse(sent.text) as Json;
  expect(receipt).toMatchObject({ ok: true, schema_version: 1, routed: { repo: 'dcc-mcp/dcc-mcp-maya' } });
  expect((await cli(...report, '--severity', 'suggestion', ...at)).code).toBe(0);
  await writeFile(join(registry_dir, 'feedback', 'maya-1.jsonl'), 'torn');

  const listed = JSON.parse((await cli('list', '--json', ...at)).text) as { entries: Json[] };
  expect(listed).toMatchObject({ total: 2, skipped_invalid: 1 });
  expect(listed.entries.map(each => each.severity)).toEqual(['suggestion', 'blocker']);
  const some = JSON.parse((await cli('list', '--dcc', 'maya', '--severity', 'blocked', '--range', '1h', ...at)).text);
  expect(some).toMatchObject({ total: 1, entries: [{ id: receipt.feedback_id, evidence: { request_id: 'r-1' } }] });

  const { text, notes } = await cli('list', '--output', 'human', ...at);
  expect(text).toMatch(/^AGO +SEVERITY +HOST/);
  expect(text).toMatch(
    new RegExp(`blocker +maya +dispatch +make_sphere +the radius \\[31mis ignored +${receipt.feedback_id}`),
  );
  expect(text).not.toContain('\u001b');
  expect(notes).toMatch(/^gateway http:.*\n1 stored lines are no reports/);

  const exported = (await cli('export', '--output', 'ndjson', ...at)).text.trim().split('\n');
  expect(exported.map(each => JSON.parse(each))).toEqual(listed.entries);
});

test('without a gateway, with one that refuses, or one that lies, it fails', async () => {
  expect(await cli(...report, '--gateway', 'http://127.0.0.1:9')).toMatchObject({ code: 3, text: '' });
  const liar = createServer((request, response) => {
    request.resume();
    response.writeHead(201).end('{"ok":true}');
  });
  await new Promise<void>(resolve => liar.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void liar.close());
  const { port } = liar.address() as AddressInfo;
  expect(await cli(...report, '--gateway', `127.0.0.1:${port}`)).toMatchObject({
    ...{ code: 3, text: '', failure: { message: expect.stringContaining('it belongs to another request') } },
  });
  const { url, registry_dir } = await feedbackGateway({ admin_enabled: false });
  const long = [...report.slice(0, 5), 'x'.repeat(4097), '--gateway', url];
  expect(await cli(...long)).toMatchObject({
    code: 2,
    failure: { code: 'INVALID_INPUT', message: expect.stringContaining('"blocker" must NOT have more than 4096') },
  });
  expect(await cli('list', '--range', '2d', '--gateway', url)).toMatchObject({ code: 2 });
  // The administration is off: its mirror answers.
  expect((await cli('list', '--gateway', url)).code).toBe(0);
  await mkdir(join(registry_dir, 'feedback', 'maya-1.jsonl'), { recursive: true });
  expect(await cli('list', '--gateway', url)).toMatchObject({ code: 3, failure: { code: 'UNAVAILABLE' } });
});

test('route says whose a finding is, or with the exit code of why not', async () => {
  const folder = await tempDir();
  const file = join(folder, 'finding.json');
  await writeFile(file, JSON.stringify(finding));
  expect(JSON.parse((await cli('route', file, '--json')).text)).toEqual({
    repo: 'dcc-mcp/dcc-mcp-maya',
    issues_url: 'https://github.com/dcc-mcp/dcc-mcp-maya/issues',
    rationale: 'adapter_phase',
  });
  const entry = "  - { name: dcc-mcp-maya, issues_url: 'https://github.com/studio/maya/issues' }\n";
  const catalog = join(folder, 'own.yml');
  await writeFile(catalog, `entries:\n${entry}${entry}`);
  expect(await cli('route', file, '--catalog', catalog)).toMatchObject({
    ...{ code: 7, text: '', failure: { code: 'CONFLICT', message: expect.stringContaining('more than one package') } },
  });
});

test('a bundle is made of what is there; a finding nobody reviewed and a wrong report are refused before', async () => {
  const { url } = await feedbackGateway();
  const folder = await tempDir();
  const [file, raw, report] = ['finding.json', 'raw.json', 'report.json'].map(each => join(folder, each)) as string[];
  await writeFile(file as string, JSON.stringify(reviewed));
  await writeFile(raw as string, JSON.stringify(finding));
  await writeFile(report as string, '{"status":"ok"}');
  const [made, unreviewed, wrong, many] = await Promise.all([
    cli('bundle', file as string, '--gateway', url, '--log-dir', folder, '--dcc-pid', '4711', '--json'),
    cli('bundle', raw as string),
    cli('bundle', file as string, '--install-report', report as string),
    cli('bundle', file as string, '--host-error-lines', '201'),
  ]);
  expect([made.code, made.failure]).toEqual([0, undefined]);
  expect(made.text).not.toMatch(new RegExp(`4711|127\\.0\\.0\\.1|${folder}`));
  expect(JSON.parse(made.text)).toMatchObject({
    ...{ schema_version: 'svc.feedback-bundle.v1', complete: false, finding: { fingerprint: reviewed.fingerprint } },
    components: {
      issue_report: { status: 'unavailable', reason: 'issue_report_not_found' },
      doctor: { status: 'included', data: { cli: { name: 'svc-cli' } } },
      host_errors: { status: 'unavailable', reason: 'host_error_log_not_found' },
      install_execution_report: { status: 'unavailable', reason: 'install_execution_report_not_provided' },
    },
  });
  expect(unreviewed).toMatchObject({
    code: 2,
    text: '',
    failure: { message: expect.stringContaining('not reviewed') },
  });
  expect(wrong).toMatchObject({ code: 2, text: '', failure: { details: { code: 'SVC_CLI_INSTALL_REPORT_INVALID' } } });
  expect(many).toMatchObject({ code: 2, text: '' });
});

test('what only reads changes nothing: not even the record of a program that was killed goes', async () => {
  const home = await tempDir();
  const state = join(home, 'state/svc/run');
  await mkdir(state, { recursive: true });
  const record = {
    kind: 'server',
    name: 'x',
    pid: 999_999_999,
    url: 'http://127.0.0.1:1/mcp',
    started_at: '2026-01-01',
  };
  await writeFile(join(state, '999999999.json'), JSON.stringify(record));
  const file = join(home, 'finding.json');
  await writeFile(file, JSON.stringify(reviewed));
  const env = { XDG_STATE_HOME: join(home, 'state'), SVC_REGISTRY_DIR: join(home, 'none') };
  const before = (await readdir(home, { recursive: true })).sort();
  const runs = ['doctor', `feedback bundle ${file}`, `feedback route ${file}`];
  const ended = await Promise.all(runs.map(each => runNode(program, each.split(' '), env).ended));
  expect(ended.slice(1)).toEqual([0, 0]);
  expect((await readdir(home, { recursive: true })).sort()).toEqual(before);
});

test.each(['finding-v1', 'install-sop-v1'])('the schema %s ships with the package', async name => {
  const file = import.meta.resolve(`svc/${name}.schema.json`);
  const schema = JSON.parse(await readFile(new URL(file), 'utf8')) as Json;
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { schema_version: { const: 1 } },
  });
  expect(createSchemas().check(schema)).toBeUndefined();
  if (name === 'finding-v1') expect(schema.additionalProperties).toBe(false);
});
