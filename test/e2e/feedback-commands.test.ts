/** `svc-cli feedback`, `list`, `export` and `route`, as built, against a real gateway. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { tempDir } from '../helper.ts';
import { feedbackGateway, finding, type Json } from '../plugins/feedback/support.ts';
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

test('route reads files and says whose a finding is, with the exit code of why not', async () => {
  const folder = await tempDir();
  const file = async (name: string, content: string | Buffer): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const text = JSON.stringify(finding);
  const good = await file('good.json', text);
  expect(JSON.parse((await cli('route', good, '--json')).text)).toEqual({
    repo: 'dcc-mcp/dcc-mcp-maya',
    issues_url: 'https://github.com/dcc-mcp/dcc-mcp-maya/issues',
    rationale: 'adapter_phase',
  });
  const entry = (name: string, repo: string) =>
    `  - { name: ${name}, issues_url: 'https://github.com/${repo}/issues' }\n`;
  const own = await file('own.yml', `version: "1"\nentries:\n${entry('dcc-mcp-maya', 'studio/maya')}`);
  expect((await cli('route', good, '--catalog', own)).text).toContain('studio/maya');

  const twice = await file('twice.yml', `entries:\n${entry('dcc-mcp-maya', 'a/b')}${entry('dcc-mcp-maya', 'a/b')}`);
  const link = join(folder, 'link.json');
  await symlink(good, link);
  const wrong: readonly (readonly [string[], number, RegExp])[] = [
    [[good, '--catalog', twice], 7, /more than one package/],
    [
      [good, '--catalog', await file('bad.yml', 'entries:\n\t- x')],
      2,
      /The catalogue .*bad.yml cannot be used: line 2/,
    ],
    [[await file('other.json', text.replace('"dispatch"', '"other"'))], 2, /phase "other"/],
    [[link], 2, /it is a link/],
    [[join(folder, 'none.json')], 2, /no such file/],
    [[folder], 2, /no regular file/],
    [[await file('large.json', `${text}${' '.repeat(600_000)}`)], 2, /at most 524288 are read/],
    [[await file('latin.json', Buffer.from(text.replace('nothing', 'caf\u00e9'), 'latin1'))], 2, /no UTF-8/],
    [[await file('keys.json', text.replace('{', '{"os":"x",'))], 2, /the key "os" stands twice/],
    [[await file('more.json', text.replace('{', '{"more":1,'))], 2, /"more" is not a known field/],
  ];
  for (const [args, code, message] of wrong) {
    const told = await cli('route', ...args);
    expect([told.code, told.text, told.failure?.message], args.join(' ')).toEqual([
      code,
      '',
      expect.stringMatching(message),
    ]);
  }
});

test('the schema of findings ships with the package', async () => {
  const file = import.meta.resolve('svc/finding-v1.schema.json');
  const schema = JSON.parse(await readFile(new URL(file), 'utf8')) as Json;
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
    properties: { schema_version: { const: 1 } },
  });
});
