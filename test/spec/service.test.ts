/** The service, server operations, tool lifecycle. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { testEnv } from '../environment.ts';
import { tempDir, waitFor } from '../helper.ts';
import { createServer, namesOf, quiet, skillFolder, startConnected, startServer } from './fixture.ts';
import { verifies } from './verifies.ts';

const definition = {
  name: 'measure',
  description: 'Measures a curve.',
  category: 'geometry',
  tags: ['curve', 'length'],
  dcc: 'maya',
  version: '2.1.0',
  input_schema: { type: 'object', properties: { points: { type: 'integer' } }, required: ['points'] },
};

describe('the service', () => {
  verifies(['service:instance-id-none'], 'without a registry there is no instance_id', async () => {
    const file = join(await tempDir(), 'file');
    await writeFile(file, '');
    const unavailable = await startServer({ registry_dir: join(file, 'registry') });
    expect(unavailable.service.instance_id).toBeNull();
    const server = createServer(quiet, {
      env: testEnv,
      plugins: { registration: false, guardian: false, advertise: false },
    });
    const service = await server.start();
    expect(service.instance_id).toBeNull();
    await service.shutdown();
  });

  verifies(
    ['service:instance-id', 'config:registry-rows', 'discovery:port-not-configured'],
    'the service is a row of the registry',
    async () => {
      const registry_dir = await tempDir();
      const given = { dcc_type: 'maya', dcc_version: '2026.1', scene: '/shots/a.ma', heartbeat_secs: 1 };
      const { service } = await startServer({ registry_dir, ...given });
      const file = join(registry_dir, 'instances', `${service.instance_id}.json`);
      const row = JSON.parse(await readFile(file, 'utf8'));
      expect(row).toMatchObject({ schema_version: 1, instance_id: service.instance_id, dcc_type: 'maya' });
      expect(row).toMatchObject({ version: '2026.1', scene: '/shots/a.ma', host: '127.0.0.1', port: service.port });
      expect(row.metadata).toMatchObject({
        mcp_url: service.mcpUrl(),
        gateway_runtime_mode: 'gateway_port_not_configured',
        dcc_mcp_instance_type: 'standalone',
      });
      const { mtimeMs } = await stat(file);
      await waitFor(async () => (await stat(file)).mtimeMs > mtimeMs, 'a heartbeat');
      await service.shutdown();
      await expect(stat(file)).rejects.toThrow('ENOENT');
      expect(service.instance_id).toBe(row.instance_id);
    },
  );
});

describe('host tools', () => {
  verifies(
    ['ops:register-tool', 'tool:fields'],
    'a tool may come before or after start, with all its fields',
    async () => {
      const { server, client } = await startConnected({}, each => {
        each.registerTool(definition, ({ points }) => ({ length: Number(points) * 2 }));
      });
      server.registerTool({ ...definition, name: 'measure_again' }, () => ({ length: 0 }));
      const tools = await waitFor(async () => {
        const listed = await client.tools();
        return namesOf(listed).includes('measure_again') ? listed : undefined;
      }, 'the second tool');
      expect(tools.find(tool => tool.name === 'measure')).toMatchObject({
        description: 'Measures a curve.',
        inputSchema: definition.input_schema,
      });
      expect(await client.callJson('measure', { points: 4 })).toEqual({ length: 8 });
    },
  );

  verifies(['tool:schema-text'], 'input_schema may be JSON text', async () => {
    const { client } = await startConnected({}, each => {
      each.registerTool({ ...definition, input_schema: JSON.stringify(definition.input_schema) }, () => ({}));
    });
    const listed = (await client.tools()).find(tool => tool.name === 'measure');
    expect(listed?.inputSchema).toEqual(definition.input_schema);
  });

  verifies(['tool:name-limit'], 'a name of more than 64 characters is refused', async () => {
    const { server, client } = await startConnected();
    const register = async (name: string) => server.registerTool({ name }, () => ({}));
    await expect(register('x'.repeat(65))).rejects.toThrow(/64/);
    await register('y'.repeat(64));
    await waitFor(async () => namesOf(await client.tools()).includes('y'.repeat(64)), 'the tool');
  });
});

describe('skill operations', () => {
  const skills = () =>
    skillFolder({
      rig: { description: 'Builds rigs for characters.', tags: ['rigging', 'bones'], dcc: 'maya' },
      paint: {
        description: 'Paints textures.',
        tags: ['texture'],
        dcc: 'blender',
        tools: [{ name: 'a' }, { name: 'b' }],
      },
    });

  verifies(['ops:list-skills-status'], 'listSkills filters by status', async () => {
    const { server } = await startServer({ skill_paths: [await skills()] });
    await server.loadSkill('rig');
    const names = async (status?: 'loaded' | 'unloaded') => (await server.listSkills(status)).map(({ name }) => name);
    expect(await names('loaded')).toEqual(['rig']);
    expect(await names('unloaded')).toEqual(['paint']);
    expect((await names()).sort()).toEqual(['paint', 'rig']);
  });

  verifies(['ops:search-skills-filters', 'ops:search-skills-limit'], 'searchSkills filters and bounds', async () => {
    const { server } = await startServer({ skill_paths: [await skills()] });
    const found = async (input?: Record<string, unknown>) => (await server.searchSkills(input)).map(({ name }) => name);
    expect(await found({ query: 'textures' })).toEqual(['paint']);
    expect(await found({ tags: ['BONES'] })).toEqual(['rig']);
    expect(await found({ dcc: 'blender' })).toEqual(['paint']);
    const [scope] = (await server.searchSkills()).map(each => each.scope);
    expect(await found({ scope })).toHaveLength(2);
    const other = scope === 'repo' ? 'user' : 'repo';
    expect(await found({ scope: other })).toEqual([]);
    expect(await found({ limit: 1 })).toHaveLength(1);
    expect((await found()).sort()).toEqual(['paint', 'rig']);
  });

  verifies(['ops:search-skills-empty'], 'an empty search goes by scope precedence', async () => {
    const { server } = await startServer({ skill_paths: [await skills()], bundled_skills: true });
    const order = ['admin', 'system', 'user', 'repo'];
    const ranks = (await server.searchSkills()).map(({ scope }) => order.indexOf(scope));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    expect(ranks).not.toContain(-1);
  });
});

describe('stubs', () => {
  const skills = () =>
    skillFolder({
      rig: {
        description: 'Builds rigs. In many\nlines.',
        tools: [{ name: 'bind' }, { name: 'mirror', group: 'advanced' }],
        groups: [{ name: 'advanced', description: 'Rarely needed.', tools: ['mirror'], 'default-active': false }],
      },
    });

  verifies(
    ['tool:skill-stub', 'tool:skill-stub-schema', 'tool:skill-stub-replaced'],
    'an unloaded skill is a stub, a loaded one is its tools',
    async () => {
      const { server, client } = await startConnected({ skill_paths: [await skills()] });
      const stub = (await client.tools()).find(tool => tool.name === '__skill__rig');
      expect(stub).toMatchObject({ inputSchema: { type: 'object' } });
      expect(stub?.inputSchema).not.toHaveProperty('properties');
      expect(stub?.description).toMatch(/^[^\n]+$/);
      await server.loadSkill('rig');
      const loaded = namesOf(await client.tools());
      expect(loaded).toContain('bind');
      expect(loaded).not.toContain('__skill__rig');
      await server.unloadSkill('rig');
      const unloaded = namesOf(await client.tools());
      expect(unloaded).toContain('__skill__rig');
      expect(unloaded).not.toContain('bind');
    },
  );

  verifies(['tool:group-stub'], 'an inactive group is a stub', async () => {
    const { client } = await startConnected({ skill_paths: [await skills()] });
    await client.callJson('load_skill', { skill_name: 'rig', activate_groups: false });
    const names = namesOf(await client.tools());
    expect(names).toEqual(expect.arrayContaining(['bind', '__group__advanced']));
    expect(names).not.toContain('mirror');
  });
});
