/** What the gateway's own tools are given: held against the schemas they list, and the names that are answered unlisted. */
import { expect, test } from 'vitest';
import { answering } from '../skills/support.ts';
import { gatewayOver, type Json, toolsOfHost } from './support.ts';

const maya = { dcc_type: 'maya', setup: toolsOfHost };
const blender = { dcc_type: 'blender', setup: toolsOfHost, packages: { rig: answering('rig', 'yes') } };

const said = (result: Json): Json => JSON.parse(String((result.content as Json[])[0]?.text)) as Json;

test('arguments of the wrong type are a result that names them, of every tool and of older names too', async () => {
  const { client } = await gatewayOver([maya]);
  const wire = await client({ protocolVersion: '2025-11-25' });
  for (const [name, args, field] of [
    ['search', { limit: 'five' }, 'limit'],
    ['search', { limit: -1 }, 'limit'],
    ['search', { kind: 'everything' }, 'kind'],
    ['search', { tags: 'mesh' }, 'tags'],
    ['search', { or_queries: [1] }, 'or_queries'],
    ['search', { compact: 'yes' }, 'compact'],
    ['search_tools', { query: {} }, 'query'],
    ['describe', { tool_slug: 5 }, 'tool_slug'],
    ['load_skill', { skill_names: 'rig' }, 'skill_names'],
    ['load_skill', { skill_name: 'rig', activate_groups: 1 }, 'activate_groups'],
    ['load_skill', { tool_group: 'x', group_action: 'toggle' }, 'group_action'],
    ['call', { tool_slug: ['a'] }, 'tool_slug'],
    ['call', { calls: [], stop_on_error: 'no' }, 'stop_on_error'],
    ['activate_tool_group', { group_name: 7 }, 'tool_group'],
    ['unload_skill', { skill_name: true }, 'skill_name'],
  ] as const) {
    const result = await wire.call(name, args as Json, { response_format: 'json' });
    expect([name, result.isError]).toEqual([name, true]);
    const { error } = said(result) as { error: Json };
    expect([name, error.kind]).toEqual([name, 'bad-request']);
    expect(error.message).toContain(`"${field}`);
  }
});

test('null is absent, unknown members are ignored, and a call takes its arguments in every form of the contract', async () => {
  const { client, hosts } = await gatewayOver([maya]);
  const wire = await client();
  const found = await wire.call('search', { query: 'echo', limit: null, dcc_type: null, tags: null, whatever: [1] });
  expect(said(found)).toMatchObject({ total: 1 });
  const tool_slug = `maya.${hosts[0]?.short}.echo`;
  for (const args of [{ text: 'hi' }, '{"text":"hi"}']) {
    expect(await wire.call('call', { tool_slug, arguments: args, meta: null, stop_on_error: null })).toMatchObject({
      structuredContent: { text: 'hi' },
    });
  }
  for (const args of [[1], 5, true, 'text']) {
    expect(said(await wire.call('call', { tool_slug, arguments: args }))).toMatchObject({
      error: { kind: 'bad-request' },
    });
  }
});

test('the names of the skill tools are answered and not listed: found, described, loaded, switched, unloaded', async () => {
  const { client, hosts } = await gatewayOver([maya, blender]);
  const wire = await client();
  const listed = (await wire.result('tools/list')).tools as Json[];
  expect(listed.map(each => each.name)).toEqual(['search', 'describe', 'load_skill', 'call']);
  const all = said(await wire.call('list_skills', { dcc: 'blender', query: 'nothing fits this' }));
  expect((all.skills as Json[]).map(each => each.name)).toContain('rig');
  const found = said(await wire.call('search_skills', { query: 'rig' }));
  expect(found.skills).toMatchObject([{ name: 'rig', _instance_short: hosts[1]?.short }]);
  expect(said(await wire.call('get_skill_info', { skill_name: 'rig' }))).toMatchObject({ name: 'rig' });
  expect(said(await wire.call('load_skill', { skill_name: 'rig' }))).toMatchObject({ loaded: true });
  for (const name of ['activate_tool_group', 'deactivate_tool_group']) {
    for (const group of [{ group_name: 'none' }, { group: 'none' }]) {
      const { error } = said(await wire.call(name, { ...group, dcc: 'blender' })) as { error: Json };
      expect([name, error.kind]).toEqual([name, 'group-not-found']);
    }
  }
  expect(said(await wire.call('unload_skill', { skill_name: 'rig' }))).toMatchObject({ unloaded: true });
  expect((await wire.request('tools/call', { name: 'unload', arguments: {} })).error?.code).toBe(-32000);
});
