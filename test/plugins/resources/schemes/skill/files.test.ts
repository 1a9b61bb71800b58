/** `skill://` as resources: listed, read, completed, followed; and folders level by level. */
import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../helper.ts';
import { writeSkill } from '../../../../spec/skill-package.ts';
import type { Json, Wire } from '../../../../spec/wire.ts';
import { errorOf, updatesOf } from '../../support.ts';
import { digestOf, entryOf, listed, read, served } from './support.ts';

const children = async (client: Wire, uri: string): Promise<Json[]> =>
  (await client.result('resources/directory/read', { uri })).resources as Json[];

test('the SKILL.md of each is listed under its name with its description; a template completes the names', async () => {
  const { client } = await served({ alpha: { description: 'Does alpha.' }, beta: {} });
  const { resources } = await client.result('resources/list');
  expect(resources).toEqual(
    expect.arrayContaining([
      { uri: 'skill://alpha/SKILL.md', name: 'alpha', description: 'Does alpha.', mimeType: 'text/markdown' },
    ]),
  );
  const ref = { type: 'ref/resource', uri: 'skill://{skill_name}/SKILL.md' };
  const { completion } = await client.result('completion/complete', {
    ref,
    argument: { name: 'skill_name', value: 'b' },
  });
  expect(completion).toMatchObject({ values: ['beta'] });
});

test('a file is read under the media type of its name, text as text and anything else as bytes', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const { client, folder } = await served({ typed: { files: { 'a/run.py': 'print(1)', 'a/LICENSE': 'MIT' } } });
  await writeFile(join(folder, 'typed', 'a', 'icon.png'), png);
  await writeFile(join(folder, 'typed', 'a', 'blob'), png);
  const type = async (path: string) => {
    const { mimeType, blob } = await read(client, `skill://typed/${path}`);
    return [mimeType, blob];
  };
  expect(await type('SKILL.md')).toEqual(['text/markdown', false]);
  expect(await type('tools.yaml')).toEqual(['application/yaml', false]);
  expect(await type('a/run.py')).toEqual(['text/x-python', false]);
  expect(await type('a/LICENSE')).toEqual(['text/plain', false]);
  expect(await type('a/icon.png')).toEqual(['image/png', true]);
  expect(await type('a/blob')).toEqual(['application/octet-stream', true]);
  expect((await read(client, 'skill://typed/a/icon.png')).bytes).toEqual(png);
});

test('a directory lists its children only, folders as inode/directory; what is none is -32602', async () => {
  const { client, folder } = await served({ deep: { files: { 'docs/one.md': '1', 'docs/more/two.md': '2' } } });
  await mkdir(join(folder, 'deep', 'empty'));
  expect(await children(client, 'skill://deep')).toEqual([
    { uri: 'skill://deep/SKILL.md', name: 'deep', description: 'The deep skill.', mimeType: 'text/markdown' },
    { uri: 'skill://deep/docs', name: 'docs', mimeType: 'inode/directory' },
    { uri: 'skill://deep/empty', name: 'empty', mimeType: 'inode/directory' },
    { uri: 'skill://deep/tools', name: 'tools', mimeType: 'inode/directory' },
    { uri: 'skill://deep/tools.yaml', name: 'tools.yaml', mimeType: 'application/yaml' },
  ]);
  expect(await children(client, 'skill://deep/docs')).toEqual([
    { uri: 'skill://deep/docs/more', name: 'more', mimeType: 'inode/directory' },
    { uri: 'skill://deep/docs/one.md', name: 'one.md', mimeType: 'text/markdown' },
  ]);
  expect(await children(client, 'skill://deep/empty')).toEqual([]);
  for (const uri of [
    ...['skill://deep/SKILL.md', 'skill://deep/none', 'skill://none', 'skill://deep/', 'skill://deep/..'],
    ...['scene://current', 'nonsense', undefined],
  ]) {
    const refusal = await errorOf(client, 'resources/directory/read', { uri });
    expect([uri, refusal.number, refusal.code]).toEqual([uri, -32602, 'SVC_AGENT_SKILLS_NOT_A_DIRECTORY']);
  }
  const refusal = await errorOf(client, 'resources/read', { uri: 'skill://deep/docs' });
  expect(refusal).toMatchObject({ number: -32602, code: 'SVC_AGENT_SKILLS_IS_A_DIRECTORY' });
});

test('a directory has pages', async () => {
  const files = Object.fromEntries([1, 2, 3].map(n => [`docs/${n}.md`, `${n}`]));
  const { client } = await served({ paged: { files } }, { resources_page_size: 2 });
  const first = await client.result('resources/directory/read', { uri: 'skill://paged/docs' });
  expect(first.resources).toHaveLength(2);
  const { nextCursor: cursor } = first;
  const second = await client.result('resources/directory/read', { uri: 'skill://paged/docs', cursor });
  expect(second).toEqual({ resources: [{ uri: 'skill://paged/docs/3.md', name: '3.md', mimeType: 'text/markdown' }] });
});

test.skipIf(process.platform === 'win32')('a pipe in a package keeps nobody waiting', async () => {
  const { client, folder } = await served({ piped: {} });
  execFileSync('mkfifo', [join(folder, 'piped', 'pipe.md')]);
  expect((await entryOf(client, 'piped')).resources).toHaveLength(3);
  expect((await errorOf(client, 'resources/read', { uri: 'skill://piped/pipe.md' })).number).toBe(-32002);
});

test('a file larger than a read may be says so, and nothing of the disk', async () => {
  const { client, folder } = await served(
    { large: { files: { 'big.txt': 'x'.repeat(5000) } } },
    { max_resource_bytes: 4096 },
  );
  const refusal = await errorOf(client, 'resources/read', { uri: 'skill://large/big.txt' });
  expect(refusal.message).toContain('big.txt is larger than 4096 bytes');
  expect(refusal.message).not.toContain(folder);
});

test('packages come, change and go: lists and digests follow, subscribers are told of what they follow', async () => {
  const { client, folder } = await served(
    { moving: { files: { 'docs/a.md': 'a', 'docs/b.md': 'b' } } },
    { watch_skills: true },
  );
  await client.call('load_skill', { skill_name: 'moving' });
  const stream = await client.stream();
  const [a, b] = ['skill://moving/docs/a.md', 'skill://moving/docs/b.md'];
  for (const uri of [a, b]) await client.result('resources/subscribe', { uri });

  await writeFile(join(folder, 'moving', 'docs', 'a.md'), 'another');
  await stream.next(each => each.method === 'notifications/resources/updated' && each.params?.uri === a);
  const { resources } = await entryOf(client, 'moving');
  expect(resources.find(each => each.uri === a)).toEqual({ uri: a, digest: digestOf(Buffer.from('another')), size: 7 });
  expect(updatesOf(stream.messages, b)).toBe(0);

  const relisted = () => stream.messages.filter(each => each.method === 'notifications/resources/list_changed').length;
  const before = relisted();
  await writeSkill(folder, 'coming');
  await waitFor(async () => (await listed(client)).length === 2, 'the new skill');
  await waitFor(() => relisted() > before, 'the change of the list');

  await rm(join(folder, 'moving'), { recursive: true });
  await waitFor(async () => (await listed(client)).length === 1, 'the end of the skill');
  await waitFor(() => updatesOf(stream.messages, b) > 0, 'the end of a followed file');
  expect((await errorOf(client, 'resources/read', { uri: b })).number).toBe(-32002);
});

test('bytes that change within one tick of the clock have a new digest at once', async () => {
  const { client, folder } = await served({ quick: { files: { 'a.md': 'one' } } });
  for (const text of ['two', 'six', 'ten']) {
    await writeFile(join(folder, 'quick', 'a.md'), text);
    const { resources } = await entryOf(client, 'quick');
    expect(resources.find(each => each.uri.endsWith('a.md'))?.digest).toBe(digestOf(Buffer.from(text)));
  }
});
