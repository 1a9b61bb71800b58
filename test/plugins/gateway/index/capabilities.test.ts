/** The capability index over real instances: what is in it, how it stays fresh, how slugs are found. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { tempDir, waitFor } from '../../../helper.ts';
import { skillMd, writeSkill } from '../../skills/support.ts';
import { spawnInstance, startInstance, startStranger } from '../backends/support.ts';
import { found, indexed, startGateway } from './support.ts';

const toolsYaml = `
tools:
  - name: bake_light
    description: Bakes the lighting of the scene into textures. Slow.
    search_aliases: [lightmap]
    affinity: main
    timeout_hint_secs: 60
    input_schema: { type: object, properties: { resolution: { type: integer, description: Pixels per side } } }
    annotations: { read_only_hint: false, destructive_hint: false }
  - name: paint_weights
    description: Paints weights.
    group: advanced
`;
const groupsYaml = 'groups:\n  - { name: advanced, description: For experts, tools: [paint_weights] }\n';

async function skillDirectory(): Promise<string> {
  const root = await tempDir();
  await writeSkill(root, 'lighting', {
    'SKILL.md': skillMd('lighting', {
      svc: '    tools: tools.yaml\n    groups: groups.yaml\n    tags: [light]\n    search-hint: illumination baking',
    }),
    'tools.yaml': toolsYaml,
    'groups.yaml': groupsYaml,
    'tools/bake_light.ts': 'export default () => ({});\n',
    'tools/paint_weights.ts': 'export default () => ({});\n',
  });
  return root;
}

test('tools of an instance are found, its own built-ins and placeholders are not [spec:tool:gateway-slug]', async () => {
  const gateway = await startGateway();
  const { instance_id } = await startInstance(gateway);
  await indexed(gateway, instance_id);
  const own = gateway.app.capabilities.ofInstance(instance_id);
  expect(own.map(each => each.backend_tool).sort()).toEqual(['echo', 'pid', 'wait']);
  expect(own.find(each => each.backend_tool === 'echo')).toMatchObject({
    tool_slug: `maya.${instance_id.slice(0, 8)}.echo`,
    ...{ summary: 'Echoes.', dcc_type: 'maya', instance_id, loaded: true, group_active: true, skill_name: null },
  });
  expect(gateway.app.capabilities.generation).toMatch(/^1:[0-9a-f]{8}$/);

  const backend = await gateway.backend(instance_id);
  const plain = (await backend.request('tools/list', {})) as { tools: { name: string; _meta?: unknown }[] };
  expect(plain.tools.map(each => each.name)).toContain('load_skill');
  expect(plain.tools.filter(each => '_meta' in each)).toEqual([]);
  const asked = await backend.request('tools/list', { _meta: { dcc: { capabilities: true } } });
  expect((asked as typeof plain).tools.map(each => each.name)).toEqual(['echo', 'pid', 'wait']);
});

test('unloaded skills are found with their schemas, and keep their slug when they are loaded', async () => {
  const gateway = await startGateway();
  const directory = await skillDirectory();
  const { instance_id, server } = await startInstance(gateway, 'maya', { skill_paths: [directory] });
  await server.discover();
  await gateway.backend(instance_id);
  await gateway.app.capabilities.refresh(instance_id);
  const slug = `maya.${instance_id.slice(0, 8)}.bake_light`;
  expect(found(gateway, 'lightmap')[0]).toBe('bake_light');
  expect(gateway.app.capabilities.find(slug)).toMatchObject({
    ...{ backend_tool: 'bake_light', callable_id: 'lighting__bake_light', skill_name: 'lighting', loaded: false },
    ...{ summary: 'Bakes the lighting of the scene into textures.', tags: ['light'], has_schema: true },
    metadata: { affinity: 'main', timeoutHintSecs: 60, execution: 'sync' },
    input_schema: { properties: { resolution: { type: 'integer' } } },
    annotations: { readOnlyHint: false, destructiveHint: false },
  });
  const before = gateway.app.capabilities.generation;

  await server.loadSkill('lighting');
  await waitFor(() => gateway.app.capabilities.find(slug).loaded, 'the news of the loaded skill');
  expect(gateway.app.capabilities.generation).not.toBe(before);
  expect(gateway.app.capabilities.find(slug)).toMatchObject({
    ...{ loaded: true, skill_name: 'lighting', callable_id: 'lighting__bake_light', aliases: ['lightmap'] },
    ...{ metadata: { affinity: 'main', timeoutHintSecs: 60 }, tags: ['light'] },
  });
  expect(gateway.app.capabilities.find(slug.replace('bake_light', 'lighting__bake_light')).tool_slug).toBe(slug);
});

test('a collapsed group is known, with its state', async () => {
  const gateway = await startGateway();
  const directory = await skillDirectory();
  const { instance_id, server } = await startInstance(gateway, 'maya', { skill_paths: [directory] });
  await server.discover();
  const backend = await gateway.backend(instance_id);
  const args = { skill_name: 'lighting', activate_groups: false };
  await backend.request('tools/call', { name: 'load_skill', arguments: args });
  await gateway.app.capabilities.refresh(instance_id);
  const slug = `maya.${instance_id.slice(0, 8)}.paint_weights`;
  const group = { name: 'advanced', description: 'For experts', tools: ['paint_weights'], default_active: false };
  expect(gateway.app.capabilities.find(slug)).toMatchObject({
    ...{ loaded: true, group_active: false, tool_group: 'advanced', available_groups: [{ ...group, active: false }] },
  });
});

test('changes reach the index by themselves; a killed instance is gone from the next search', async () => {
  const gateway = await startGateway();
  const one = await startInstance(gateway);
  await indexed(gateway, one.instance_id);
  let news = 0;
  gateway.app.kernel.bus.on('capabilities.changed', () => {
    news += 1;
  });
  await one.server.registerTool({ name: 'late_tool', description: 'Comes late.' }, () => ({}));
  await waitFor(() => found(gateway, 'late_tool').includes('late_tool'), 'the late tool');
  expect(news).toBeGreaterThan(0);

  const { child, instance_id } = await spawnInstance(gateway, 'blender');
  await indexed(gateway, instance_id);
  await waitFor(() => gateway.app.capabilities.ofInstance(instance_id).length > 0, 'the tools of the process');
  const slug = gateway.app.capabilities.ofInstance(instance_id)[0]?.tool_slug as string;
  child.kill('SIGKILL');
  await waitFor(() => gateway.app.capabilities.ofInstance(instance_id).length === 0, 'the end of its tools');
  expect(gateway.app.capabilities.search({ dcc_type: 'blender' }).total).toBe(0);
  expect(() => gateway.app.capabilities.find(slug)).toThrow(/^Instance .* is (gone|unreachable)|cannot be called now/);
  expect(found(gateway, 'late_tool')).toContain('late_tool');
});

test('slugs: prefixes, the whole id, what does not exist, what is no slug', async () => {
  const gateway = await startGateway();
  const { instance_id } = await startInstance(gateway);
  await indexed(gateway, instance_id);
  const { find } = gateway.app.capabilities;
  for (const id of [instance_id, instance_id.slice(0, 4), instance_id.slice(0, 8), instance_id.slice(0, 13)]) {
    expect(find(`maya.${id}.echo`).backend_tool, id).toBe('echo');
  }
  const failure = (slug: string): unknown => {
    try {
      return find(slug);
    } catch (error) {
      return error;
    }
  };
  const short = instance_id.slice(0, 8);
  expect(failure(`maya.${short}.ecko`)).toMatchObject({
    ...{ code: 'SVC_CAPABILITIES_SLUG_UNKNOWN', row: { http: 404, kind: 'unknown-slug' } },
    details: { candidates: [`maya.${short}.echo`] },
  });
  expect(failure(`blender.${short}.echo`)).toMatchObject({ code: 'SVC_CAPABILITIES_SLUG_UNKNOWN' });
  for (const bad of ['', 'echo', 'maya.echo', 'maya.123.echo', 'maya.zzzz.echo', `maya.${short}.`, 'x'.repeat(600)]) {
    expect(failure(bad), bad.slice(0, 20)).toMatchObject({ code: 'SVC_CAPABILITIES_SLUG_INVALID', row: { http: 400 } });
  }
  expect(failure('maya.ffffffff.echo')).toMatchObject({ row: { kind: 'instance-offline' } });
});

test.each(['cinema 4d', 'com.example.App', ' .. ', 'café\u00a0bar'])(
  'the slugs of host type "%s" lead to its tools',
  async dcc_type => {
    const gateway = await startGateway();
    const { instance_id } = await startInstance(gateway, dcc_type);
    await indexed(gateway, instance_id);
    const [hit] = gateway.app.capabilities.search({ query: 'echo', dcc_type }).hits;
    expect(hit).toMatchObject({ dcc_type, tool_slug: expect.stringMatching(/^[^.\s]+\.[0-9a-f]{8}\.echo$/) });
    expect(gateway.app.capabilities.find(String(hit?.tool_slug))).toMatchObject({ instance_id, backend_tool: 'echo' });
  },
);

test('a backend that pages for ever, or lists another set each time, is bounded', async () => {
  const gateway = await startGateway();
  let asked = 0;
  const endless = rpcServer(params => {
    asked += 1;
    const tools = [{ name: `tool_${asked}`, description: 'One of many.', inputSchema: { type: 'object' } }];
    return { tools, nextCursor: params.cursor === 'b' ? 'a' : params.cursor === 'a' ? 'b' : 'a' };
  });
  const { instance_id } = await startStranger(gateway, endless, { dcc_type: 'odd' });
  await indexed(gateway, instance_id);
  const state = gateway.app.capabilities.state().find(each => each.instance_id === instance_id);
  expect(state?.problem).toContain('the same cursor again');
  expect(gateway.app.capabilities.ofInstance(instance_id).length).toBe(3);
  await gateway.app.capabilities.refresh(instance_id);
  expect(gateway.app.capabilities.ofInstance(instance_id).map(each => each.backend_tool)).toEqual([
    ...['tool_4', 'tool_5', 'tool_6'],
  ]);
});

test('a backend with too many tools keeps the first; odd entries do no harm', async () => {
  const gateway = await startGateway();
  const many = Array.from({ length: 20_050 }, (_, at) => ({ name: `t${at}` }));
  const odd = [
    null,
    7,
    {},
    { name: 5 },
    { name: '__proto__', inputSchema: 'no' },
    { name: 'load_skill' },
    { name: '__skill__x' },
  ];
  const { instance_id } = await startStranger(
    gateway,
    rpcServer(() => ({ tools: [...odd, ...many] })),
    { dcc_type: 'odd' },
  );
  await indexed(gateway, instance_id);
  const { capabilities } = gateway.app;
  await waitFor(() => capabilities.ofInstance(instance_id).length === 20_000, 'the first 20,000 tools');
  expect(capabilities.state()[0]?.problem).toContain('more than 20000 tools');
  expect(found(gateway, '__proto__')).toEqual(['__proto__']);
  expect(capabilities.search({ query: 'load_skill', mode: 'exact' }).total).toBe(0);
});

test('an instance that answers nonsense keeps nobody else from being found', async () => {
  const gateway = await startGateway();
  await startStranger(gateway, (_, response) => void response.end('<html>no</html>'), { dcc_type: 'web' });
  const { instance_id } = await startInstance(gateway);
  await indexed(gateway, instance_id);
  expect(found(gateway, 'echo')).toEqual(['echo']);
});

/** A bare MCP server whose tools/list answers `list`. */
function rpcServer(list: (params: { cursor?: string }) => unknown): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      if (request.method !== 'POST')
        return void response.writeHead(request.url === '/mcp' ? 405 : 200).end('{"ok":true}');
      const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params: { cursor?: string } };
      if (id === undefined) return void response.writeHead(202).end();
      const result =
        method === 'tools/list'
          ? list(params)
          : { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } };
      const headers = { 'content-type': 'application/json', 'mcp-session-id': 'one' };
      response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  };
}
