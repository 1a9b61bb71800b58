/** Agent Skills of instances through the gateway: one list, entries and files under URIs that say whose they are. */
import { expect, test } from 'vitest';
import { aggregationPlugin } from '../../../../plugins/gateway/aggregation/index.ts';
import { tempDir } from '../../../helper.ts';
import { writeSkill } from '../../../spec/skill-package.ts';
import { connect, type Json } from '../../../spec/wire.ts';
import { digestOf, type Entry, read } from '../../resources/schemes/skill/support.ts';
import { gatewayRig } from '../rig.ts';

/** A gateway in front of two instances with a skill of the same name each, and a client of it. */
async function two(options: Json = {}) {
  const inputs = ['maya', 'blender'].map(async dcc_type => {
    const folder = await tempDir();
    await writeSkill(folder, 'layout', { description: `Layout in ${dcc_type}.`, files: { 'docs/a.md': dcc_type } });
    return { dcc_type, options: { skill_paths: [folder] } };
  });
  const { url, instances } = await gatewayRig([aggregationPlugin], await Promise.all(inputs), options);
  return { client: await connect(`${url}/mcp`), ids: instances.map(each => each.id8) };
}

test('the skills of every instance are listed, and every file of them read back to its digest', async () => {
  const { client, ids } = await two();
  const skills = (await client.result('skills/list')).skills as unknown as Entry[];
  expect(skills.map(each => each.uri).sort()).toEqual(ids.map(id8 => `skill://${id8}/layout/SKILL.md`).sort());
  for (const entry of skills) {
    expect(entry.resources).toHaveLength(4);
    for (const { uri, digest } of entry.resources) expect(digestOf((await read(client, uri)).bytes)).toBe(digest);
    expect((await client.result('skills/get', { uri: entry.uri })).skill).toEqual(entry);
  }
  expect(new Set(skills.map(each => each.frontmatter.description)).size).toBe(2);
});

test('a folder of a skill is listed under the URIs of the gateway; what is none is refused with -32602', async () => {
  const { client, ids } = await two();
  const [id8] = ids;
  const { resources } = await client.result('resources/directory/read', { uri: `skill://${id8}/layout/docs` });
  expect(resources).toEqual([{ uri: `skill://${id8}/layout/docs/a.md`, name: 'a.md', mimeType: 'text/markdown' }]);
  for (const [method, uri] of [
    ['skills/get', 'skill://layout/SKILL.md'],
    ['skills/get', `skill://${id8}/none/SKILL.md`],
    ['skills/get', undefined],
    ['resources/directory/read', `skill://${id8}/layout/SKILL.md`],
    ['resources/directory/read', 'skill://layout'],
  ] as const) {
    expect([uri, (await client.request(method, { uri })).error?.code]).toEqual([uri, -32602]);
  }
});

test('skills have pages, and are switched off with agent_skills', async () => {
  const { client } = await two({ skills_page_size: 1 });
  const first = await client.result('skills/list');
  expect(first.skills).toHaveLength(1);
  const second = await client.result('skills/list', { cursor: first.nextCursor });
  expect(second.skills).toHaveLength(1);
  expect(second.nextCursor).toBeUndefined();
  const off = await two({ agent_skills: false });
  expect((await off.client.request('skills/list')).error?.code).toBe(-32601);
});
