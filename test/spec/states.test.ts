/** Skill states and the tool-list cache. */
import { describe, expect } from 'vitest';
import { definePlugin } from '../../kernel/index.ts';
import type { ServerOptions } from '../../plugins/index.ts';
import { namesOf, type SkillFixture, skillFolder, startConnected, startInside, startServer } from './fixture.ts';
import { verifies } from './verifies.ts';
import type { Json, RpcMessage } from './wire.ts';

const listChanged = (message: RpcMessage): boolean => message.method === 'notifications/tools/list_changed';

/** A server seen from inside, with the events it emitted. */
async function appWith(skills: Record<string, SkillFixture>) {
  const { app } = await startInside({ skill_paths: [await skillFolder(skills)] });
  const events: { name: string; attributes: Record<string, unknown> }[] = [];
  app.kernel.bus.on('skill.*', ({ name, attributes }) => events.push({ name, attributes }));
  const names = () => events.map(({ name }) => name);
  return { app, events, names };
}

describe('loading', () => {
  verifies(
    ['skill:load-registers', 'skill:load-events', 'event:skill.loading', 'event:skill.loaded', 'skill:load-idempotent'],
    'a load registers the tools and emits skill.loading, skill.loaded; a second one changes nothing',
    async () => {
      const { app, names } = await appWith({ rig: { tools: [{ name: 'bind' }] } });
      expect(await app.skills.load('rig')).toEqual(['bind']);
      expect(app.skills.isLoaded('rig')).toBe(true);
      expect(app.tools.get('bind')).toMatchObject({ skill_name: 'rig', source: 'skill' });
      expect(names()).toEqual(['skill.loading', 'skill.loaded']);
      const { generation } = app.tools;
      expect(await app.skills.load('rig')).toEqual(['bind']);
      expect(app.tools.generation).toBe(generation);
      expect(names().filter(name => name === 'skill.loaded')).toHaveLength(1);
    },
  );

  verifies(
    ['skill:unload-removes', 'skill:unload-event', 'event:skill.unloaded', 'skill:unload-idempotent'],
    'an unload removes the tools and emits skill.unloaded; a second one changes nothing',
    async () => {
      const { app, names } = await appWith({ rig: { tools: [{ name: 'bind' }] } });
      await app.skills.load('rig');
      expect(await app.skills.unload('rig')).toBe(true);
      expect(app.tools.get('bind')).toBeUndefined();
      expect(names().at(-1)).toBe('skill.unloaded');
      const count = names().length;
      expect(await app.skills.unload('rig')).toBe(false);
      expect(names()).toHaveLength(count);
    },
  );

  verifies(['event:skill-attributes'], 'skill events carry name, type, version, path, counts and names', async () => {
    const { app, events } = await appWith({
      rig: { dcc: 'maya', version: '3.2.1', tools: [{ name: 'bind' }, { name: 'mirror' }] },
    });
    await app.skills.load('rig');
    const loaded = events.find(({ name }) => name === 'skill.loaded')?.attributes ?? {};
    expect(loaded).toMatchObject({ skill_name: 'rig', dcc_type: 'maya', version: '3.2.1' });
    expect(loaded.skill_path).toEqual(expect.stringMatching(/rig/));
    const counts = Object.entries(loaded).filter(([key, value]) => /count/.test(key) && value === 2);
    expect(counts.length).toBeGreaterThanOrEqual(2);
    expect(Object.values(loaded)).toContainEqual(['bind', 'mirror']);
  });

  verifies(
    ['skill:load-missing', 'event:skill.validation_failed', 'event:skill-failure'],
    'a missing skill fails with skill.validation_failed',
    async () => {
      const { app, events } = await appWith({});
      await expect(app.skills.load('nowhere')).rejects.toThrow(/nowhere/);
      expect(events.at(-1)).toMatchObject({
        name: 'skill.validation_failed',
        attributes: {
          skill_name: 'nowhere',
          error_kind: expect.any(String),
          error_message: expect.stringMatching(/nowhere/),
        },
      });
      expect(app.skills.loadedCount()).toBe(0);
    },
  );

  verifies(['skill:load-dependency'], 'a missing dependency fails and leaves the skill unloaded', async () => {
    const { app, names } = await appWith({ rig: { depends: ['bones'] } });
    await expect(app.skills.load('rig')).rejects.toThrow(/bones/);
    expect(names()).toContain('skill.validation_failed');
    expect(app.skills.isLoaded('rig')).toBe(false);
    expect(app.tools.get('rig_echo')).toBeUndefined();
  });

  verifies(['skill:load-dependencies-first'], 'dependencies load first', async () => {
    const { app, events } = await appWith({ rig: { depends: ['bones'] }, bones: { depends: ['maths'] }, maths: {} });
    await app.skills.load('rig');
    const order = events.filter(({ name }) => name === 'skill.loaded').map(({ attributes }) => attributes.skill_name);
    expect(order).toEqual(['maths', 'bones', 'rig']);
  });

  verifies(['skill:load-cycle'], 'a cycle of dependencies is refused', async () => {
    const { app } = await appWith({ a: { depends: ['b'] }, b: { depends: ['a'] } });
    await expect(app.skills.load('a')).rejects.toThrow(/cycle/i);
    expect(app.skills.loadedCount()).toBe(0);
  });

  verifies(['skill:load-setup'], 'a tool file that does not start fails the load and changes nothing', async () => {
    const { app, names } = await appWith({
      broken: { tools: [{ name: 'cracked', body: 'this is not { a program' }] },
    });
    const before = app.tools.list().length;
    await expect(app.skills.load('broken')).rejects.toThrow();
    expect(names()).toContain('skill.validation_failed');
    expect(app.skills.isLoaded('broken')).toBe(false);
    expect(app.tools.list()).toHaveLength(before);
  });

  verifies(['skill:load-vetoed', 'veto:skill-load'], 'a vetoed load is rejected with the veto fields', async () => {
    const { app, events } = await appWith({ rig: {} });
    const lift = app.kernel.hooks.before('skill.loading', () => ({ reason: 'not today', code: 'closed' }));
    await expect(app.skills.load('rig')).rejects.toMatchObject({ code: 'EVENT_VETOED' });
    expect(events.at(-1)).toMatchObject({
      name: 'skill.validation_failed',
      attributes: { error_kind: 'event_vetoed', veto_code: 'closed', veto_reason: 'not today' },
    });
    expect(app.skills.isLoaded('rig')).toBe(false);
    void lift();
    await app.skills.load('rig');
  });
});

describe('notifications and groups', () => {
  const grouped: Record<string, SkillFixture> = {
    rig: {
      tools: [{ name: 'bind' }, { name: 'mirror', group: 'advanced' }],
      groups: [{ name: 'advanced', description: 'Rarely needed.', tools: ['mirror'], 'default-active': false }],
    },
  };

  verifies(['skill:load-list-changed', 'mcp:list-changed-name', 'builtin:load_skill'], 'a load notifies', async () => {
    const { client } = await startConnected({ skill_paths: [await skillFolder(grouped)] });
    const stream = await client.stream();
    await client.call('load_skill', { skill_name: 'rig' });
    await stream.next(listChanged);
    stream.close();
  });

  verifies(['skill:unload-list-changed', 'builtin:unload_skill'], 'an unload notifies', async () => {
    const { client } = await startConnected({ skill_paths: [await skillFolder(grouped)] });
    await client.call('load_skill', { skill_name: 'rig' });
    const stream = await client.stream();
    expect(await client.callJson('unload_skill', { skill_name: 'rig' })).toMatchObject({ unloaded: true });
    await stream.next(listChanged);
    expect(namesOf(await client.tools())).not.toContain('bind');
    stream.close();
  });

  verifies(
    ['skill:group-activate', 'skill:group-deactivate', 'builtin:group-tools', 'cache:cleared-on-group'],
    'a group stub expands and collapses, in every session',
    async () => {
      const { client, connect } = await startConnected({ skill_paths: [await skillFolder(grouped)] });
      const other = await connect();
      await client.call('load_skill', { skill_name: 'rig', activate_groups: false });
      const both = async () => [namesOf(await client.tools()), namesOf(await other.tools())];
      for (const names of await both()) expect(names).toContain('__group__advanced');
      expect(await client.callJson('activate_tool_group', { group_name: 'advanced' })).toMatchObject({
        success: true,
        group: 'advanced',
        changed: true,
      });
      for (const names of await both()) {
        expect(names).toContain('mirror');
        expect(names).not.toContain('__group__advanced');
      }
      expect(await client.callJson('mirror', { axis: 'x' })).toEqual({ axis: 'x' });
      await client.call('deactivate_tool_group', { group_name: 'advanced' });
      for (const names of await both()) {
        expect(names).toContain('__group__advanced');
        expect(names).not.toContain('mirror');
      }
    },
  );
});

describe('the tool-list cache', () => {
  /** A server whose list is built from a source that counts, and whose content changes without a new generation. */
  async function counted(options: ServerOptions = {}) {
    const seen = { builds: 0, word: 'first' };
    const source = definePlugin({ name: 'source', dependencies: ['tools'] }, (app, { scope }) => {
      const stubs = () => {
        seen.builds += 1;
        return [{ name: '__skill__counted', description: seen.word }];
      };
      scope.add('stubs', app.tools.addStubs(stubs));
    });
    const running = await startServer(options, undefined, [source]);
    const client = await running.connect();
    const word = async (params?: Json, from = client) => {
      const tools = (await from.result('tools/list', { ...params })).tools as Json[];
      return tools.find(({ name }) => name === '__skill__counted')?.description;
    };
    return { ...running, client, seen, word };
  }
  const refresh = { _meta: { dcc: { refresh: true } } };

  verifies(
    ['cache:snapshot-served', 'cache:generation-rebuild'],
    'one snapshot is served until the generation moves',
    async () => {
      const { server, client, seen, word, connect } = await counted();
      const before = await client.result('tools/list');
      const { builds } = seen;
      seen.word = 'second';
      expect(await client.result('tools/list')).toEqual(before);
      expect(await word()).toBe('first');
      expect(await word({}, await connect())).toBe('first');
      expect(seen.builds).toBe(builds);
      await server.registerTool({ name: 'another' }, () => ({}));
      expect(await word()).toBe('second');
      expect(namesOf(await client.tools())).toContain('another');
      expect(seen.builds).toBe(builds + 1);
    },
  );

  verifies(['cache:cleared-on-load', 'cache:cleared-on-unload'], 'load and unload reach every session', async () => {
    const { client, connect, server } = await startConnected({ skill_paths: [await skillFolder({ rig: {} })] });
    const sessions = [client, await connect(), await connect()];
    for (const each of sessions) expect(namesOf(await each.tools())).not.toContain('rig_echo');
    await server.loadSkill('rig');
    for (const each of sessions) expect(namesOf(await each.tools())).toContain('rig_echo');
    await server.unloadSkill('rig');
    for (const each of sessions) expect(namesOf(await each.tools())).not.toContain('rig_echo');
  });

  verifies(['cache:refresh'], '_meta.dcc.refresh bypasses the cache, for that request only', async () => {
    const { seen, word } = await counted();
    expect(await word()).toBe('first');
    seen.word = 'second';
    expect(await word({ _meta: { dcc: { refresh: false } } })).toBe('first');
    expect(await word(refresh)).toBe('second');
    expect(await word()).toBe('first');
  });

  verifies(['config:tool-cache-off'], 'without the cache every list is built anew, the same', async () => {
    const skill_paths = [await skillFolder({ rig: {} })];
    const lists = [];
    for (const enable_tool_cache of [true, false]) {
      const { client, server } = await startConnected({ enable_tool_cache, skill_paths });
      await client.tools();
      await server.loadSkill('rig');
      lists.push(await client.tools());
    }
    expect(lists[0]).toEqual(lists[1]);
    const { seen, word } = await counted({ enable_tool_cache: false });
    expect(await word()).toBe('first');
    seen.word = 'second';
    expect(await word()).toBe('second');
  });
});
