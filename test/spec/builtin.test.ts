/** Built-in tools and lazy-actions mode. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { namesOf, type SkillFixture, skillFolder, startConnected } from './fixture.ts';
import { verifies } from './verifies.ts';
import type { Json } from './wire.ts';

const some: Record<string, SkillFixture> = {
  rig: {
    description: 'Builds rigs for characters.',
    dcc: 'maya',
    tags: ['rigging'],
    stage: 'beta',
    tools: [
      {
        name: 'bind_bones',
        description: 'Binds the mesh to bones.',
        input_schema: { type: 'object', properties: { n: { type: 'number' } } },
      },
    ],
  },
  paint: { description: 'Paints textures.', dcc: 'blender', searchHint: 'brush colour canvas' },
};

/** The rows of list_skills for `args`. */
const rows = async (client: { callJson(name: string, args?: Json): Promise<Json> }, args: Json = {}) =>
  client.callJson('list_skills', args) as Promise<Json & { skills: Json[]; total: number; truncated: boolean }>;

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`skill-${String(index).padStart(3, '0')}`, {}]));

describe('descriptions and schemas', () => {
  verifies(
    ['builtin:three-layers', 'builtin:input-schemas', 'limit:builtin-description', 'limit:parameter-description'],
    'every built-in is described in three layers, within the limits',
    async () => {
      const { client } = await startConnected();
      const tools = await client.tools();
      expect(tools.length).toBeGreaterThanOrEqual(12);
      for (const { name, description, inputSchema } of tools) {
        const text = String(description);
        expect(text.length, String(name)).toBeLessThanOrEqual(500);
        expect(text, String(name)).toMatch(/^[^\n]+[.][\s\S]*When to use:[\s\S]*How to use:/);
        const { type, properties = {} } = inputSchema as { type: string; properties?: Record<string, Json> };
        expect(type).toBe('object');
        for (const [parameter, schema] of Object.entries(properties)) {
          const said = String(schema.description ?? '');
          expect(said.length, `${name}.${parameter}`).toBeGreaterThan(0);
          expect(said.length, `${name}.${parameter}`).toBeLessThanOrEqual(100);
        }
      }
    },
  );
});

describe('skills', () => {
  verifies(['builtin:search_skills'], 'search_skills looks in name, description, hint, tags and tools', async () => {
    const { client } = await startConnected({ skill_paths: [await skillFolder(some)] });
    const found = async (query: string) => {
      const { skills } = (await client.callJson('search_skills', { query })) as { skills: { name: string }[] };
      return skills.map(({ name }) => name);
    };
    expect(await found('rig')).toEqual(['rig']);
    expect(await found('characters')).toEqual(['rig']);
    expect(await found('brush')).toEqual(['paint']);
    expect(await found('rigging')).toEqual(['rig']);
    expect(await found('bind_bones')).toEqual(['rig']);
    expect(await found('spreadsheet')).toEqual([]);
  });

  verifies(
    [
      'builtin:list_skills',
      'builtin:list_skills-compact',
      'builtin:list_skills-response',
      'builtin:list_skills-optional',
    ],
    'list_skills returns compact rows',
    async () => {
      const { client } = await startConnected({
        skill_paths: [await skillFolder({ ...some, odd: { depends: ['gone'] } })],
      });
      await client.call('load_skill', { skill_name: 'rig' });
      const page = await rows(client);
      expect(page).toMatchObject({ total: 3, truncated: false });
      expect(page.next_step).toBeTruthy();
      expect(page).not.toHaveProperty('next_offset');
      const [odd, paint, rig] = page.skills as [Json, Json, Json];
      expect(rig).toMatchObject({
        name: 'rig',
        dcc: 'maya',
        tool_count: 1,
        status: 'loaded',
        loaded: true,
        stage: 'beta',
      });
      expect(Object.keys(paint).sort()).toEqual(['dcc', 'loaded', 'name', 'status', 'summary', 'tool_count']);
      expect(paint).toMatchObject({ status: 'unloaded', loaded: false });
      expect(odd.missing_dependencies).toEqual(['gone']);
    },
  );

  verifies(
    [
      'builtin:list_skills-limit',
      'builtin:list_skills-offset',
      'builtin:list_skills-next_offset',
      'limit:list-skills-page',
    ],
    'pages have 25 rows by default, 50 at most',
    async () => {
      const { client } = await startConnected({ skill_paths: [await skillFolder(many(60))] });
      const first = await rows(client);
      expect(first.skills).toHaveLength(25);
      expect(first).toMatchObject({ total: 60, truncated: true, next_offset: 25 });
      expect((await rows(client, { limit: 0 })).skills).toHaveLength(25);
      for (const limit of [51, 1000]) {
        const clamped = await client.request('tools/call', { name: 'list_skills', arguments: { limit } });
        expect(clamped.error).toBeUndefined();
        expect((await rows(client, { limit })).skills).toHaveLength(50);
      }
      const last = await rows(client, { limit: 50, offset: 50 });
      expect(last.skills).toHaveLength(10);
      expect(last.truncated).toBe(false);
      expect(last).not.toHaveProperty('next_offset');
      const names = [...(await rows(client, { limit: 50 })).skills, ...last.skills].map(({ name }) => name);
      expect(names).toEqual([...names].sort());
      expect(new Set(names).size).toBe(60);
    },
    60_000,
  );

  verifies(
    ['builtin:list_skills-status', 'builtin:list_skills-skipped'],
    'status filters, skipped explains',
    async () => {
      const folder = await skillFolder(some);
      await mkdir(join(folder, 'wrong'));
      await writeFile(join(folder, 'wrong', 'SKILL.md'), 'no front matter at all\n');
      const { client } = await startConnected({ skill_paths: [folder] });
      await client.call('load_skill', { skill_name: 'paint' });
      const names = async (status: string) => (await rows(client, { status })).skills.map(({ name }) => name);
      expect(await names('loaded')).toEqual(['paint']);
      expect(await names('unloaded')).toEqual(['rig']);
      expect(await names('all')).toEqual(['paint', 'rig']);
      expect(await names('error')).toEqual([]);
      const skipped = await rows(client, { status: 'skipped' });
      expect(skipped.skipped).toEqual([
        expect.objectContaining({ reason_code: 'missing_frontmatter', suggested_fix: expect.any(String) }),
      ]);
      expect(JSON.stringify(skipped)).not.toContain(folder);
      expect((await rows(client, { include_skipped: true })).skipped).toHaveLength(1);
      expect(await rows(client)).not.toHaveProperty('skipped');
    },
  );

  verifies(['builtin:list_skills-fields'], 'fields is a strict allow-list', async () => {
    const { client } = await startConnected({ skill_paths: [await skillFolder(some)] });
    const page = await rows(client, { fields: ['name', 'version'] });
    expect(page.skills).toEqual([
      { name: 'paint', version: '1.2.3' },
      { name: 'rig', version: '1.2.3' },
    ]);
    const refused = await client.request('tools/call', { name: 'list_skills', arguments: { fields: ['password'] } });
    expect(JSON.stringify(refused.error ?? refused.result)).toContain('fields');
    expect(refused.error !== undefined || refused.result?.isError === true).toBe(true);
  });

  verifies(['builtin:get_skill_info'], 'get_skill_info returns metadata and input schemas', async () => {
    const { client } = await startConnected({ skill_paths: [await skillFolder(some)] });
    const info = await client.callJson('get_skill_info', { skill_name: 'rig' });
    expect(info).toMatchObject({ name: 'rig', description: 'Builds rigs for characters.', version: '1.2.3' });
    const text = JSON.stringify(info);
    expect(text).toContain('bind_bones');
    expect(text).toContain('"n":{"type":"number"}');
    const unknown = await client.call('get_skill_info', { skill_name: 'nobody' });
    expect(unknown.isError).toBe(true);
    expect(JSON.stringify(unknown.content)).toContain('nobody');
  });

  verifies(['builtin:load_skill-several'], 'load_skill loads several at once', async () => {
    const { client } = await startConnected({ skill_paths: [await skillFolder(some)] });
    const loaded = await client.callJson('load_skill', { skill_names: ['rig', 'paint'] });
    expect(loaded.registered_tools).toEqual(expect.arrayContaining(['bind_bones', 'paint_echo']));
    expect(namesOf(await client.tools())).toEqual(expect.arrayContaining(['bind_bones', 'paint_echo']));
  });
});

describe('search_tools', () => {
  const search = async (query: string, args: Json = {}) => {
    const { client } = await startConnected({ skill_paths: [await skillFolder(some)] }, server => {
      server.registerTool({ name: 'cut', description: 'Cuts a polygon edge.' }, () => ({}));
      server.registerTool({ name: 'cut_all', description: 'Cuts every polygon; see cut, cut, cut.' }, () => ({}));
      server.registerTool({ name: 'paste', description: 'Pastes a copy of the edge.' }, () => ({}));
    });
    return (await client.callJson('search_tools', { query, ...args })) as Json & {
      tools: { name: string }[];
      skill_candidates: { skill_name: string }[];
    };
  };
  const own = (names: { name: string }[]) => names.map(({ name }) => name).filter(name => /^(cut|paste)/.test(name));

  verifies(['builtin:search_tools'], 'it finds active tools and unloaded candidates', async () => {
    expect(own((await search('edge')).tools).sort()).toEqual(['cut', 'paste']);
    const { skill_candidates } = await search('bones');
    expect(skill_candidates).toEqual([
      expect.objectContaining({ kind: 'skill_candidate', skill_name: 'rig', requires_load_skill: true }),
    ]);
    expect((await search('bones', { include_unloaded_skills: false })).skill_candidates ?? []).toEqual([]);
  });

  verifies(['builtin:search_tools-words'], 'every word of two characters must occur', async () => {
    expect(own((await search('polygon edge')).tools)).toEqual(['cut']);
    expect(own((await search('a polygon edge')).tools)).toEqual(['cut']);
    expect(own((await search('olygo dge')).tools)).toEqual(['cut']);
    expect(own((await search('polygon spreadsheet')).tools)).toEqual([]);
  });

  verifies(['builtin:search_tools-exact'], 'an exact name is first', async () => {
    expect((await search('cut')).tools[0]?.name).toBe('cut');
    expect((await search('cut_all')).tools[0]?.name).toBe('cut_all');
  });
});

describe('lazy-actions mode', () => {
  const lazily = () =>
    startConnected({ lazy_actions: true }, server => {
      server.registerTool(
        {
          name: 'bake',
          description: 'Bakes the simulation. At length.',
          dcc: 'houdini',
          tags: ['sim'],
          input_schema: { type: 'object', properties: { frames: { type: 'integer' } }, required: ['frames'] },
        },
        args => args,
      );
      server.registerTool({ name: 'other', dcc: 'maya' }, () => ({}));
    });

  verifies(['lazy:three-tools'], 'exactly three tools are listed', async () => {
    const { client } = await lazily();
    expect(namesOf(await client.tools()).sort()).toEqual(['call_action', 'describe_action', 'list_actions']);
  });

  verifies(['lazy:list_actions', 'lazy:list_actions-dcc'], 'list_actions is compact and filters by dcc', async () => {
    const { client } = await lazily();
    const all = (await client.callJson('list_actions')) as { actions: Json[] };
    expect(all.actions.map(({ id }) => id)).toEqual(expect.arrayContaining(['bake', 'other']));
    const { actions } = (await client.callJson('list_actions', { dcc: 'houdini' })) as { actions: Json[] };
    expect(actions.map(({ id }) => id)).toContain('bake');
    expect(actions.map(({ id }) => id)).not.toContain('other');
    const bake = actions.find(({ id }) => id === 'bake') ?? {};
    expect(Object.keys(bake).sort()).toEqual(['id', 'summary', 'tags']);
    expect(bake.tags).toEqual(['sim']);
  });

  verifies(['lazy:describe_action', 'lazy:call_action'], 'describe_action and call_action reach the tool', async () => {
    const { client } = await lazily();
    const described = await client.callJson('describe_action', { id: 'bake' });
    expect(JSON.stringify(described)).toContain('"required":["frames"]');
    expect(await client.callJson('call_action', { id: 'bake', args: { frames: 3 } })).toEqual({ frames: 3 });
    const invalid = await client.request('tools/call', {
      name: 'call_action',
      arguments: { id: 'bake', args: { frames: 'x' } },
    });
    expect(invalid.error).toMatchObject({ code: -32001, message: expect.stringMatching(/frames/) });
    const unknown = await client.request('tools/call', { name: 'call_action', arguments: { id: 'nobody' } });
    expect(unknown.error?.code).toBe(-32000);
  });
});
