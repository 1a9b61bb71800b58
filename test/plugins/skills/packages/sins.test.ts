/**
 * The table of package sins: each of them, as real files beside a good package, gets a message that names the file (and
 * the line, where the file has lines), and harms nobody else.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { answering, type Files, type SkillApp, skillApp, skillMd } from '../support.ts';

/** Nine times nine times nine ... of the same. */
const laughs = (indent: string): string =>
  [...'abcdefghi']
    .map((name, at) => {
      const before = at === 0 ? 'x' : `*${'abcdefghi'[at - 1]}`;
      return `${indent}${name}: &${name} [${Array(9).fill(before).join(', ')}]\n`;
    })
    .join('');

const one = 'export default () => 1;\n';
const entry = (name: string, more = ''): string =>
  `tools:\n  - name: ${name}\n    description: d\n    source_file: tools/x.ts\n${more}`;

interface Sin {
  files: Files;
  /** What lies there that no text file is: made below the package. */
  make?(directory: string): Promise<unknown> | unknown;
  /** Not loaded at all; else it loads and says this. */
  refused?: boolean;
  says: RegExp;
}

const unixOnly = process.platform === 'win32';
const pipe = (path: string): unknown => execFileSync('mkfifo', [path]);
const raw = (directory: string, name: number[]): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name)]);

const sins: Record<string, Sin> = {
  'anchors that explode, in tools.yaml': {
    files: { 'tools.yaml': `${laughs('')}tools: *i\n` },
    says: /^tools\.yaml: its aliases stand for too much \(line 10\)$/,
  },
  'anchors that explode, in SKILL.md': {
    files: { 'SKILL.md': `---\nname: sinner\ndescription: d\nmetadata:\n${laughs('  ')}  z: *i\n---\n` },
    refused: true,
    says: /^SKILL\.md: its aliases stand for too much \(line 14\)$/,
  },
  'an alias of what it stands in': {
    files: {
      'tools.yaml': entry('a', '    input_schema: &s\n      type: object\n      properties:\n        self: *s\n'),
    },
    says: /^tools\.yaml: \*s stands in what it refers to \(line 8\)$/,
  },
  'the same in SKILL.md': {
    files: { 'SKILL.md': '---\nname: sinner\ndescription: d\nmetadata: &m\n  svc:\n    tags: *m\n---\n' },
    refused: true,
    says: /^SKILL\.md: \*m stands in what it refers to \(line 6\)$/,
  },
  'a pipe as SKILL.md': {
    files: {},
    make: at => pipe(join(at, 'SKILL.md')),
    refused: true,
    says: /^SKILL\.md is not a file$/,
  },
  'a pipe as tools.yaml': {
    files: { 'SKILL.md': skillMd('sinner') },
    make: at => pipe(join(at, 'tools.yaml')),
    says: /^tools\.yaml is not a file$/,
  },
  'a pipe as a tool': {
    files: { 'tools.yaml': entry('a') },
    make: at => pipe(join(at, 'tools/x.ts')),
    says: /^tool "a": source_file "tools\/x\.ts" is not a regular file$/,
  },
  'a device as a tool': {
    files: { 'tools.yaml': entry('a') },
    make: at => symlink('/dev/zero', join(at, 'tools/x.ts')),
    says: /^tool "a": "tools\/x\.ts" lies outside the package directory$/,
  },
  'a link out of the package as tools.yaml': {
    files: { 'SKILL.md': skillMd('sinner') },
    make: at => symlink('/etc/hostname', join(at, 'tools.yaml')),
    says: /"tools\.yaml" lies outside the package directory$/,
  },
  'a link out of the package as SKILL.md': {
    files: {},
    make: at => symlink('/etc/hostname', join(at, 'SKILL.md')),
    refused: true,
    says: /"SKILL\.md" lies outside the package directory$/,
  },
  'text that is not UTF-8': {
    files: { 'SKILL.md': skillMd('sinner') },
    make: at => writeFile(join(at, 'tools.yaml'), Buffer.from([0x74, 0xe9, 0xff])),
    says: /^tools\.yaml is not UTF-8 text$/,
  },
  'a script whose name is not UTF-8': {
    files: { 'scripts/fine.sh': 'echo 1\n' },
    make: at => writeFile(raw(join(at, 'scripts'), [0xe9, 0xff, 0x2e, 0x70, 0x79]), 'print(1)'),
    says: /^scripts\/\uFFFD\uFFFD\.py: its name is not UTF-8 text$/,
  },
  'more text than tools need': {
    files: { 'tools.yaml': `# ${'x'.repeat(600_000)}\n` },
    says: /^tools\.yaml is larger than 524288 bytes$/,
  },
  'a reference to nowhere': {
    files: { 'tools.yaml': entry('a', '    input_schema: { type: object, $ref: "#/$defs/no" }\n'), 'tools/x.ts': one },
    says: /^The input_schema of tool "a" is not valid: can't resolve reference #\/\$defs\/no/,
  },
};

/** What the server says of the package, wherever it says it. */
async function saidOf({ app, json }: SkillApp): Promise<{ refused: boolean; said: string[] }> {
  const skipped = app.skills.skipped();
  if (skipped.length > 0) return { refused: true, said: skipped.map(each => each.message) };
  const answer = await json('load_skill', { skill_name: 'sinner' });
  const { warnings = [], missing_tools = [] } = answer as Record<string, { message: string }[]>;
  return { refused: false, said: [...warnings, ...missing_tools].map(each => each.message) };
}

test.skipIf(unixOnly).each(Object.entries(sins))('%s', async (_, { files, make, refused = false, says }) => {
  const found = await skillApp({ good: answering('good', 'one') });
  const directory = join(found.root, 'sinner');
  for (const folder of ['tools', 'scripts']) await mkdir(join(directory, folder), { recursive: true });
  const texts = make && files['tools.yaml'] === undefined ? files : { 'SKILL.md': skillMd('sinner'), ...files };
  if (files['scripts/fine.sh']) Object.assign(texts, { 'SKILL.md': skillMd('sinner') });
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  await make?.(directory);
  const began = Date.now();
  await found.app.skills.discover();
  const told = await saidOf(found);
  expect(told.refused).toBe(refused);
  expect(told.said).toContainEqual(expect.stringMatching(says));
  // Nothing waited for a pipe or read a device, and the neighbour does not notice.
  expect(Date.now() - began).toBeLessThan(5000);
  await found.app.skills.load('good');
  expect(await found.json('good_answer')).toMatchObject({ answer: 'one' });
  if (files['scripts/fine.sh']) expect(await found.call('fine')).toMatchObject({ content: [{ text: '1' }] });
});

test.skipIf(process.platform !== 'linux')(
  'a directory whose name is not UTF-8 is refused by what can be said of it',
  async () => {
    const { app, root } = await skillApp({ good: answering('good', 'one') });
    const odd = raw(root, [0xe9, 0xff]);
    await mkdir(odd);
    await writeFile(Buffer.concat([odd, Buffer.from('/SKILL.md')]), skillMd('odd'));
    await app.skills.discover();
    expect(app.skills.skipped()).toMatchObject([
      {
        directory_name: '\uFFFD\uFFFD',
        reason_code: 'invalid_name',
        message: 'the name of the directory is not UTF-8 text',
      },
    ]);
    expect(app.skills.list().map(each => each.name)).toEqual(['good']);
  },
);

test('a schema that refers to itself checks what it describes; one that is nothing but itself harms its tool alone', async () => {
  const tree = '    input_schema: { type: object, properties: { name: { type: string }, child: { $ref: "#" } } }\n';
  const empty = '    input_schema: { $ref: "#" }\n';
  const { app, call, json } = await skillApp({
    tree: { 'SKILL.md': skillMd('tree'), 'tools.yaml': entry('tree', tree), 'tools/x.ts': one },
    empty: { 'SKILL.md': skillMd('empty'), 'tools.yaml': entry('empty', empty), 'tools/x.ts': one },
    good: answering('good', 'one'),
  });
  for (const each of ['tree', 'empty', 'good']) await app.skills.load(each);
  expect(await call('tree', { child: { child: { name: 'leaf' } } })).not.toHaveProperty('isError');
  await expect(call('tree', { child: { child: { name: 1 } } })).rejects.toThrow(/"child\.child\.name" must be string/);
  await expect(call('empty', {})).rejects.toThrow(
    /arguments of tool "empty" cannot be checked: it is nested without end/,
  );
  expect(await json('good_answer')).toMatchObject({ answer: 'one' });
});

test('of ten thousand tools the first thousand load, with a word about it, and the other package answers', async () => {
  const lines = Array.from({ length: 10_000 }, (_, n) => `  - { name: t${n}, source_file: scripts/x.sh }\n`);
  const { app, call, json } = await skillApp({
    many: { 'SKILL.md': skillMd('many'), 'tools.yaml': `tools:\n${lines.join('')}`, 'scripts/x.sh': 'echo 1\n' },
    good: answering('good', 'one'),
  });
  const began = Date.now();
  const { registered_tools, warnings } = await json('load_skill', { skill_name: 'many' });
  expect(registered_tools).toHaveLength(1000);
  expect(warnings).toMatchObject([
    { message: expect.stringMatching(/^tools\.yaml: only the first 1000 of 10000 tools count$/) },
  ]);
  expect(Date.now() - began).toBeLessThan(15_000);
  await app.skills.load('good');
  expect(await call('t999')).toMatchObject({ content: [{ text: '1' }] });
  expect(await json('good_answer')).toMatchObject({ answer: 'one' });
}, 60_000);

test.skipIf(unixOnly)(
  'a script that prints for ever is ended by its name; one that detaches keeps nobody waiting',
  async () => {
    const { app, call, json, root } = await skillApp(
      {
        loud: {
          'SKILL.md': skillMd('loud'),
          'scripts/flood.sh': 'while :; do echo "and on and on and on"; done\n',
          'scripts/moan.sh': 'for n in $(seq 200000); do echo "moan $n" >&2; done; exit 3\n',
          'scripts/leave.sh': '(setsid sh -c "echo \\$\\$ > $(dirname "$0")/pid; exec sleep 30" &) ; echo gone\n',
        },
        good: answering('good', 'one'),
      },
      { max_result_bytes: 100_000, request_timeout_ms: 20_000 },
    );
    await app.skills.load('loud');
    await app.skills.load('good');
    const flooded = call('flood');
    expect(await json('good_answer')).toMatchObject({ answer: 'one' });
    await expect(flooded).rejects.toThrow(
      /Script flood\.sh of tool "flood" was ended: it printed more than 100000 bytes/,
    );
    await expect(call('moan')).rejects.toThrow(
      /Script moan\.sh .*exit code 3: moan 1\n[\s\S]*characters left out[\s\S]*moan 200000/,
    );
    const began = Date.now();
    expect(await call('leave')).toMatchObject({ content: [{ text: expect.stringContaining('gone') }] });
    expect(Date.now() - began).toBeLessThan(5000);
    const pid = join(root, 'loud/scripts/pid');
    await waitFor(async () => Number(await readFile(pid, 'utf8').catch(() => '')) > 0, 'what detached');
    process.kill(Number(await readFile(pid, 'utf8')), 'SIGKILL');
  },
);
