/** Resources that skill packages declare, as the official SDK's client sees them. */
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { mcpPlugin } from '../../../../plugins/mcp/index.ts';
import { resourcesPlugin } from '../../../../plugins/resources/index.ts';
import { schemeDeclaredPlugin } from '../../../../plugins/resources/schemes/declared/index.ts';
import { searchPlugin } from '../../../../plugins/search/index.ts';
import { createSkillsPlugin } from '../../../../plugins/skills/index.ts';
import { toolsPlugin } from '../../../../plugins/tools/index.ts';
import { listeningApp, tempDir, waitFor } from '../../../helper.ts';
import { type Files, skillMd, writeSkill } from '../../skills/support.ts';

async function resourceApp(packages: Record<string, Files>) {
  const home = await realpath(await tempDir());
  const root = join(home, 'skills');
  await mkdir(root);
  for (const [name, files] of Object.entries(packages)) await writeSkill(root, name, files);
  const env = { PATH: process.env.PATH, HOME: home, SVC_DISABLE_DEFAULT_SKILL_PATHS: '1' };
  const plugins = [
    searchPlugin,
    mcpPlugin,
    toolsPlugin,
    createSkillsPlugin(false),
    resourcesPlugin,
    schemeDeclaredPlugin,
  ];
  const own = { skill_paths: [root], bundled_skills: false, watch_skills: false, cache_dir: join(home, 'cache') };
  const { app, url } = await listeningApp(plugins, own, env);
  const client = new Client({ name: 'declared-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)) as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  const told = { count: 0 };
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => {
    told.count += 1;
  });
  const listed = async () => (await client.listResources()).resources;
  return { app, root, client, told, listed };
}

const declaring = (name: string, resources: string, files: Files): Files => ({
  'SKILL.md': skillMd(name, { svc: `    resources: ${resources}` }),
  ...files,
});

test('a folder of *.resource.yaml: one entry, a list and a resources: list; files as text or bytes, texts as they are', async () => {
  const { app, client, listed, told } = await resourceApp({
    help: declaring('help', 'resources/', {
      'resources/a.resource.yaml':
        'resources:\n  - uri: help-docs://sphere\n    name: Sphere\n    mimeType: text/markdown\n    description: About it.\n    source: { type: file, path: texts/sphere.txt }\n',
      'resources/b.resource.yaml': '- uri: help-docs://raw\n  source: { type: file, path: raw.bin }\n',
      'resources/c.resource.yaml': 'uri: help-more://note\nname: Note\nmime_type: text/plain\ntext: As it is.\n',
      'resources/texts/sphere.txt': 'A ball.',
      'resources/raw.bin': '\u0001',
      'resources/README.md': 'no resource',
    }),
  });
  expect(await listed()).toEqual([]);
  await app.skills.load('help');
  expect(await listed()).toEqual([
    { uri: 'help-docs://sphere', name: 'Sphere', description: 'About it.', mimeType: 'text/markdown' },
    { uri: 'help-docs://raw', name: 'help-docs://raw' },
    { uri: 'help-more://note', name: 'Note', mimeType: 'text/plain' },
  ]);
  await waitFor(() => told.count > 0, 'the notification');
  expect((await client.readResource({ uri: 'help-docs://sphere' })).contents).toEqual([
    { uri: 'help-docs://sphere', mimeType: 'text/markdown', text: 'A ball.' },
  ]);
  expect((await client.readResource({ uri: 'help-more://note' })).contents).toMatchObject([{ text: 'As it is.' }]);
  await app.skills.unload('help');
  expect(await listed()).toEqual([]);
  await expect(client.readResource({ uri: 'help-docs://sphere' })).rejects.toThrow();
});

test('a file, a pattern, a list with files, entries and URIs of others', async () => {
  const { app, client, listed } = await resourceApp({
    one: declaring('one', 'resources.yaml', { 'resources.yaml': '- { uri: "one://a", text: a }\n' }),
    two: declaring('two', 'docs/*.md', { 'docs/x y.md': '# X', 'docs/z.txt': 'z' }),
    three: declaring('three', '["scene://current", docs/guide.md, {uri: "three://b", text: b}]', {
      'docs/guide.md': 'Guide.',
    }),
  });
  for (const name of ['one', 'two', 'three']) await app.skills.load(name);
  expect((await listed()).map(each => each.uri).sort()).toEqual([
    'one://a',
    'package://three/docs/guide.md',
    'package://two/docs/x%20y.md',
    'three://b',
  ]);
  const read = await client.readResource({ uri: 'package://two/docs/x%20y.md' });
  expect(read.contents).toMatchObject([{ mimeType: 'text/markdown', text: '# X' }]);
});

test('what is wrong leaves out that resource: no URI, no source, a way out, a name that another has, a broken file', async () => {
  const { app, root, client, listed } = await resourceApp({
    first: declaring('first', '[{uri: "shared://x", text: first}]', {}),
    odd: declaring('odd', '[a.yaml, b.yaml, gone.yaml, {uri: "shared://x", text: odd}]', {
      'a.yaml':
        'resources:\n  - {uri: nowhere, text: a}\n  - {uri: "odd://none"}\n  - {uri: "odd://out", path: ../../x}\n  - {uri: "odd://ok", text: ok}\n',
      'b.yaml': '{',
    }),
  });
  await app.skills.load('first');
  await app.skills.load('odd');
  expect((await listed()).map(each => each.uri)).toEqual(['shared://x', 'odd://out', 'odd://ok']);
  expect((await client.readResource({ uri: 'shared://x' })).contents).toMatchObject([{ text: 'first' }]);
  await expect(client.readResource({ uri: 'odd://out' })).rejects.toThrow(/outside the package/);
  const report = await app.skills.validate(join(root, 'odd'));
  const found = report.warnings.filter(each => each.reason_code === 'invalid_resources').map(each => each.message);
  expect(found).toEqual([
    expect.stringMatching(/a\.yaml: entry 1: "uri"/),
    expect.stringMatching(/a\.yaml: entry 2: "source"/),
    expect.stringMatching(/^b\.yaml: b\.yaml: /),
    'gone.yaml: the file does not exist',
  ]);
});

test('a saved declaration is served anew; the file behind a resource is read when it is asked for', async () => {
  const { app, root, client, listed } = await resourceApp({
    live: declaring('live', 'r.yaml', { 'r.yaml': '{uri: "live://a", path: a.txt}', 'a.txt': 'one' }),
  });
  await app.skills.load('live');
  await writeFile(join(root, 'live', 'a.txt'), 'two');
  expect((await client.readResource({ uri: 'live://a' })).contents).toMatchObject([{ text: 'two' }]);
  await writeFile(join(root, 'live', 'r.yaml'), '{uri: "live://b", path: a.txt}');
  app.kernel.bus.emit('internal.skill.files_changed', { attributes: { skill_name: 'live' } });
  expect((await listed()).map(each => each.uri)).toEqual(['live://b']);
  await rm(join(root, 'live', 'a.txt'));
  await expect(client.readResource({ uri: 'live://b' })).rejects.toThrow();
});
