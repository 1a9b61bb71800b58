/** skills/list and skills/get: what an entry says is what a host reads (SEP-2640). */
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { errorOf } from '../../support.ts';
import { digestOf, entryOf, listed, pathsOf, read, served } from './support.ts';

test('every package has an entry, loaded or not; its manifest is complete and every digest is that of the bytes read', async () => {
  const { client } = await served({
    'two-files': { files: { 'references/GUIDE.md': '# Guide\r\n', 'assets/my file ü.txt': '\uFEFFwith a mark' } },
    plain: {},
  });
  await client.call('load_skill', { skill_name: 'plain' });
  const entries = await listed(client);
  expect(entries.map(each => each.uri)).toEqual(['skill://plain/SKILL.md', 'skill://two-files/SKILL.md']);
  const [, entry] = entries;
  if (!entry) throw new Error('no entry');
  expect(pathsOf(entry)).toEqual([
    'SKILL.md',
    'assets/my%20file%20%C3%BC.txt',
    'references/GUIDE.md',
    'tools.yaml',
    'tools/two-files_echo.ts',
  ]);
  for (const { uri, digest, size } of entry.resources) {
    const { bytes } = await read(client, uri);
    expect([uri, digestOf(bytes), bytes.length]).toEqual([uri, digest, size]);
  }
  expect(await entryOf(client, 'two-files')).toEqual(entry);
});

test('the frontmatter is that of the file, key by key, numbers included', async () => {
  const front =
    'name: exact\ndescription: >\n  Folded\n  text.\nlicense: MIT\nmetadata:\n  version: 1.10\n  list: [1, true]\n';
  const { client } = await served({ exact: { files: { 'SKILL.md': `---\n${front}---\nBody.\n` } } });
  const { frontmatter } = await entryOf(client, 'exact');
  expect(frontmatter).toEqual(parse(front));
  expect(frontmatter.metadata).toMatchObject({ version: 1.1 });
});

test('what is hidden, installed, linked or no regular file is no part of a skill and cannot be read', async () => {
  const { client, folder } = await served({
    careful: {
      files: {
        '.env': 'SECRET=1',
        '.git/config': 'x',
        'node_modules/left-pad/index.js': 'x',
        '__pycache__/a.pyc': 'x',
        'back\\slash.md': 'x',
        'data.txt': 'seen',
      },
    },
  });
  const inside = join(folder, 'careful');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await symlink(join(folder, 'secret.txt'), join(inside, 'out.txt'));
  await symlink(folder, join(inside, 'up'));
  await symlink(join(inside, 'data.txt'), join(inside, 'in.txt'));
  expect(pathsOf(await entryOf(client, 'careful'))).toEqual([
    'SKILL.md',
    'data.txt',
    'tools.yaml',
    'tools/careful_echo.ts',
  ]);
  for (const path of [
    ...['.env', '.git/config', 'node_modules/left-pad/index.js', '__pycache__/a.pyc', 'back%5Cslash.md'],
    ...['out.txt', 'up/secret.txt', 'in.txt', 'no-such-file.md', 'data.txt/x', '%2e%2e/secret.txt', '..%2Fsecret.txt'],
  ]) {
    const { number, message } = await errorOf(client, 'resources/read', { uri: `skill://careful/${path}` });
    // A way out is no URI at all.
    expect([path, number]).toEqual([path, /%2[EeFf]/.test(path) ? -32602 : -32002]);
    expect(message).not.toContain(folder);
  }
});

test('a package whose name is none of the Agent Skills format has no entry; it stays usable otherwise', async () => {
  const { client } = await served({ under_score: {}, Upper: {}, 'two--hyphens': {}, 'good-1': {} });
  expect((await listed(client)).map(each => each.frontmatter.name)).toEqual(['good-1']);
  expect((await errorOf(client, 'skills/get', { uri: 'skill://under_score/SKILL.md' })).number).toBe(-32602);
  await client.call('load_skill', { skill_name: 'under_score' });
});

test('a skill of more than 512 files or 16 MiB is not served, and skills/get says why', async () => {
  const many = Object.fromEntries(Array.from({ length: 510 }, (_, n) => [`data/${n}.txt`, `${n}`]));
  const { client, folder } = await served({
    'at-limit': { files: { ...many, 'tools.yaml': 'tools: []\n' }, tools: [] },
    'over-limit': { files: { ...many, 'data/x.txt': '', 'data/y.txt': '' }, tools: [] },
    'too-big': {},
  });
  await mkdir(join(folder, 'too-big', 'assets'));
  await writeFile(join(folder, 'too-big', 'assets', 'a.bin'), '');
  await truncate(join(folder, 'too-big', 'assets', 'a.bin'), 16 * 1024 * 1024);
  expect((await listed(client)).map(each => each.uri)).toEqual(['skill://at-limit/SKILL.md']);
  expect((await entryOf(client, 'at-limit')).resources).toHaveLength(512);
  const over = await errorOf(client, 'skills/get', { uri: 'skill://over-limit/SKILL.md' });
  expect(over).toMatchObject({ number: -32602, code: 'SVC_AGENT_SKILLS_NOT_SERVED' });
  expect(over.message).toContain('more than 512 files');
  const big = await errorOf(client, 'skills/get', { uri: 'skill://too-big/SKILL.md' });
  expect(big.message).toContain('more than 16777216 bytes');
});

test('a URI that names no skill is -32602 and says what is wrong with it', async () => {
  const { client } = await served({ one: {} });
  const refusals: [unknown, RegExp][] = [
    ['skill://two/SKILL.md', /no package has that name/],
    ['skill://one', /ends with its "\/SKILL.md"/],
    ['skill://one/tools.yaml', /ends with its "\/SKILL.md"/],
    ['skill://../one/SKILL.md', /no package/],
    ['skill://one/%zz/SKILL.md', /no package/],
    ['file:///etc/passwd', /no package/],
    [undefined, /a URI that is no text/],
    [7, /a URI that is no text/],
  ];
  for (const [uri, message] of refusals) {
    const refusal = await errorOf(client, 'skills/get', { uri });
    expect(refusal).toMatchObject({ number: -32602, code: 'SVC_AGENT_SKILLS_NOT_SERVED' });
    expect(refusal.message).toMatch(message);
  }
});

test('skills/list has pages; an entry is never split and a foreign cursor is refused', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { client } = await served(Object.fromEntries(names.map(name => [name, {}])), { skills_page_size: 2 });
  const seen: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await client.result('skills/list', cursor === undefined ? {} : { cursor });
    const skills = page.skills as { frontmatter: { name: string }; resources: unknown[] }[];
    expect(skills.length).toBeLessThanOrEqual(2);
    for (const { frontmatter, resources } of skills) {
      seen.push(frontmatter.name);
      expect(resources).toHaveLength(3);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen).toEqual(names);
  expect((await errorOf(client, 'skills/list', { cursor: 'zz' })).number).toBe(-32602);
});

test('switched off there is no method and no scheme, with resources or without', async () => {
  for (const options of [{ agent_skills: false }, { enable_resources: false }]) {
    const { client } = await served({ one: {} }, options);
    for (const method of ['skills/list', 'skills/get', 'resources/directory/read']) {
      expect((await errorOf(client, method, { uri: 'skill://one/SKILL.md' })).number).toBe(-32601);
    }
  }
  const { client } = await served({ one: {} }, { agent_skills: false });
  expect((await errorOf(client, 'resources/read', { uri: 'skill://one/SKILL.md' })).number).toBe(-32002);
});
