/** What subscribers hear of calls through a gateway, whichever door they come by: every attribute, each call once. */
import { expect, test } from 'vitest';
import type { EventEnvelope, Server } from '../../../plugins/index.ts';
import { tempDir } from '../../helper.ts';
import { writeSkill } from '../../spec/skill-package.ts';
import { gatewayOver, type Json } from './support.ts';

const dcc = 'maya';
const ours = { name: 'vetoes', description: 'Vetoed at the gateway.' };

function tools(server: Server): void {
  const input_schema = { type: 'object', properties: { text: { type: 'string' } } };
  const annotations = { read_only_hint: true };
  server.registerTool({ name: 'echo', description: 'Echoes.', input_schema, annotations }, args => args);
  server.registerTool({ name: 'soft', description: 'Reports.' }, () => ({ success: false, message: 'no luck' }));
  server.registerTool({ name: 'hard', description: 'Throws.' }, () => {
    throw new Error('it broke');
  });
  server.registerTool({ name: 'theirs', description: 'Vetoed at the instance.' }, () => 'never');
  server.registerTool(ours, () => 'never');
  void server.bus.before('tool.dispatched', ({ attributes }) =>
    attributes.tool_name === 'theirs' ? { reason: 'not in review', code: 'review' } : false,
  );
}

const rig = {
  dcc,
  version: '1.2.3',
  tools: [{ name: 'bend', group: 'posing', body: 'return { bent: true };' }],
  groups: [{ name: 'posing', description: 'Poses.', tools: ['bend'], 'default-active': true }],
};

/** A gateway over one host, and what both buses carry of tools and skills. */
async function watched() {
  const heard = { gateway: [] as EventEnvelope[], instance: [] as EventEnvelope[] };
  const setup = (server: Server): void => {
    tools(server);
    for (const name of ['tool.*', 'skill.*'])
      void server.bus.subscribe(name, each => heard.instance.push(each as never));
  };
  const skills = await tempDir();
  await writeSkill(skills, 'rig', rig);
  await writeSkill(skills, 'walk', { dcc, version: '2.0.0', depends: ['rig'] });
  await writeSkill(skills, 'orphan', { dcc, depends: ['nowhere'] });
  const made = await gatewayOver([{ dcc_type: dcc, options: { skill_paths: [skills] }, setup }]);
  const { bus, hooks } = made.app.kernel;
  for (const name of ['tool.*', 'skill.*']) bus.on(name, each => void heard.gateway.push(each as EventEnvelope));
  const [host] = made.hosts;
  if (!host) throw new Error('no host');
  const slug = (tool: string) => `${dcc}.${host.short}.${tool}`;
  /** What is told from here on, of calls: those of the gateway, and those that only the instance tells. */
  const since = async (work: () => Promise<unknown>) => {
    heard.gateway.length = heard.instance.length = 0;
    const answer = await work();
    const told = (events: readonly EventEnvelope[]) => events.filter(each => each.name.startsWith('tool.'));
    return {
      answer: answer as Json,
      gateway: told(heard.gateway),
      all: [...heard.gateway],
      // Of loads too.
      aloneAtAll: heard.instance.filter(each => each.source.via !== 'gateway').map(each => each.name),
      // The webhooks of an instance leave to the gateway what came through it.
      alone: told(heard.instance).filter(each => each.source.via !== 'gateway'),
    };
  };
  return { ...made, host, slug, heard, since, hooks };
}

const record = { tool_slug: expect.any(String), dcc_type: dcc };
const ended = { duration_ms: expect.any(Number) };

/** By outcome: the arguments, and what the terminal event says beside what every one says. */
const outcomes: readonly [string, Json, string, Json][] = [
  ['echo', { text: 'x' }, 'tool.completed', { result_success: true, annotations: { readOnlyHint: true } }],
  ['soft', {}, 'tool.completed', { result_success: false }],
  ['hard', {}, 'tool.failed', { error_kind: 'handler_error', error_message: expect.stringContaining('it broke') }],
  ['echo', { text: 5 }, 'tool.failed', { error_kind: 'validation_failed' }],
  ['nothing', {}, 'tool.failed', { error_kind: 'metadata_not_found' }],
  ['theirs', {}, 'tool.failed', { error_kind: 'event_vetoed', veto_code: 'review', veto_reason: 'not in review' }],
  ['vetoes', {}, 'tool.failed', { error_kind: 'event_vetoed', veto_code: 'vetoed', veto_reason: 'not this one' }],
  ['rig__bend', {}, 'tool.completed', { result_success: true, skill_name: 'rig', group: 'posing' }],
];

test('each outcome by each door is told once, with every attribute of the specification [spec:event:tool-attributes spec:event:tool-terminal spec:event:failure-kinds]', async () => {
  const { post, client, slug, since, hooks, host, app } = await watched();
  hooks.before('tool.dispatched', ({ attributes }) => attributes.tool_name === 'vetoes' && 'not this one');
  await post('load_skill', { skill_name: 'rig' });
  const wire = await client({ protocolVersion: '2025-11-25' });
  const older = await client();
  const bend = app.capabilities.ofInstance(host.id).find(each => each.skill_name === 'rig')?.backend_tool ?? '';
  const meta = { agent_context: { agent_id: 'a7' }, dcc: { rationale: 'to see' } };
  const doors: Record<string, (tool_slug: string, args: Json) => Promise<unknown>> = {
    'POST /v1/call': (tool_slug, args) => post('call', { tool_slug, arguments: args, meta }),
    'POST /v1/call_batch': (tool_slug, args) => post('call_batch', { calls: [{ tool_slug, arguments: args }], meta }),
    'the tool call': (tool_slug, args) => wire.call('call', { tool_slug, arguments: args }, meta),
    'the tool call with calls': (tool_slug, args) =>
      wire.call('call', { calls: [{ tool_slug, arguments: args }] }, meta),
    'call_tool in 2025-03-26': (tool_slug, args) => older.call('call_tool', { tool_slug, arguments: args }, meta),
  };
  for (const [door, through] of Object.entries(doors)) {
    for (const [named, args, name, terminal] of outcomes) {
      const tool = named === 'rig__bend' ? bend : named;
      const { gateway, alone } = await since(() => through(slug(tool), args));
      const about = `${door}: ${tool} ${JSON.stringify(args)}`;
      expect(alone, about).toEqual([]);
      const [first, ...others] = gateway;
      const last = others[0] ?? first;
      const known = tool === 'nothing' ? {} : record;
      expect(last, about).toMatchObject({
        schema_version: 1,
        name,
        source: tool === 'nothing' ? {} : { dcc_type: dcc, instance_id: host.id },
        correlation: {
          ...{ request_id: expect.any(String), trace_id: expect.stringMatching(/^[0-9a-f]{32}$/), agent_id: 'a7' },
          ...(!door.startsWith('POST') && { client: expect.any(String), session_id: expect.any(String) }),
        },
        attributes: {
          ...{ ...known, ...ended, tool_slug: slug(tool), rationale: 'to see' },
          ...{ tool_name: tool === 'nothing' ? slug(tool) : tool, result_success: false, ...terminal },
        },
      });
      // What was vetoed or is not there was never sent.
      const sent = !['nothing', 'vetoes'].includes(tool);
      expect(
        gateway.map(each => each.name),
        about,
      ).toEqual(sent ? ['tool.dispatched', name] : [name]);
      if (!sent) continue;
      const { duration_ms, result_success, error_kind, error_message, veto_code, veto_reason, ...dispatched } = (
        last as EventEnvelope
      ).attributes;
      expect(first?.attributes, about).toEqual(JSON.parse(JSON.stringify(dispatched)));
    }
  }
});

test('loading and unloading through the gateway are calls too, told once; a bare name as well', async () => {
  const { post, client, slug, since, host } = await watched();
  const wire = await client();
  const load = await since(() => wire.call('load_skill', { skill_name: 'rig' }));
  expect([load.alone, load.aloneAtAll]).toEqual([[], []]);
  const place = { version: expect.stringMatching(/^\d+\.\d+\.\d+$/), skill_path: expect.stringMatching(/rig$/) };
  const known = { skill_name: 'rig', dcc_type: dcc, declared_tool_count: expect.any(Number), ...place };
  const [declared, tools] = [load.all[0]?.attributes.declared_tool_count, load.all.at(-1)?.attributes];
  expect(declared).toBeGreaterThan(0);
  expect(load.all).toMatchObject([
    { name: 'skill.loading', attributes: known, correlation: { session_id: expect.any(String) } },
    { name: 'tool.dispatched', attributes: { tool_slug: slug('load_skill'), tool_name: 'load_skill', dcc_type: dcc } },
    { name: 'tool.completed', source: { instance_id: host.id }, attributes: { result_success: true } },
    { name: 'skill.loaded', source: { instance_id: host.id }, attributes: { ...known, declared_tool_count: declared } },
  ]);
  const registered = tools?.registered_tools as string[];
  expect([registered.length, registered.join()]).toEqual([
    tools?.registered_tool_count,
    expect.stringContaining('bend'),
  ]);
  const names = (events: readonly EventEnvelope[]) => events.map(each => [each.name, each.attributes.tool_name]);
  const gone = await since(() => post('unload_skill', { skill_name: 'rig' }));
  expect([gone.alone, names(gone.all)]).toEqual([
    [],
    [
      ['tool.dispatched', 'unload_skill'],
      ['tool.completed', 'unload_skill'],
      ['skill.unloaded', undefined],
    ],
  ]);
  expect(gone.aloneAtAll).toEqual([]);
  expect(gone.all.at(-1)?.attributes).toMatchObject({ ...known, registered_tools: registered });
  // The same by the slugs of the tools.
  const again = await since(() => post('call', { tool_slug: slug('load_skill'), arguments: { skill_name: 'rig' } }));
  expect(names(again.all)).toEqual([
    ['skill.loading', undefined],
    ['tool.dispatched', 'load_skill'],
    ['skill.loaded', undefined],
    ['tool.completed', 'load_skill'],
  ]);
  const none = await since(() => post('load_skill', { skill_name: 'nowhere' }));
  expect([none.alone, none.all.slice(-2).map(each => each.name)]).toEqual([
    [],
    ['skill.validation_failed', 'tool.failed'],
  ]);
  expect(none.all.at(-2)?.attributes).toMatchObject({ skill_name: 'nowhere', error_message: expect.any(String) });
  const bare = await since(() => post('call', { tool_slug: 'list_skills' }));
  expect([bare.alone, bare.gateway.at(-1)?.attributes.tool_slug]).toEqual([[], slug('list_skills')]);
});

test('of several skills each is told as it went, with what came along; one that fails says why, by any door', async () => {
  const { post, slug, since } = await watched();
  const skillsOf = (events: readonly EventEnvelope[]) =>
    events
      .filter(each => each.name.startsWith('skill.'))
      .map(({ name, attributes: { skill_name, error_kind, version } }) => [name, skill_name, error_kind ?? version]);
  const failed = ['skill.validation_failed', 'orphan', 'missing_dependencies'];
  const begins = (name: string, version = '1.2.3') => ['skill.loading', name, version];
  const both = await since(() => post('load_skill', { skill_names: ['walk', 'orphan'] }));
  expect(skillsOf(both.all)).toEqual([
    ...[begins('walk', '2.0.0'), begins('orphan'), failed],
    ...[
      ['skill.loaded', 'rig', '1.2.3'],
      ['skill.loaded', 'walk', '2.0.0'],
    ],
  ]);
  const one = await since(() => post('load_skill', { skill_name: 'orphan' }));
  expect(skillsOf(one.all)).toEqual([begins('orphan'), failed]);
  const bySlug = await since(() =>
    post('call', { tool_slug: slug('load_skill'), arguments: { skill_names: ['walk', 'orphan'] } }),
  );
  expect(skillsOf(bySlug.all)).toEqual([
    ...[begins('walk', '2.0.0'), begins('orphan'), failed, ['skill.loaded', 'walk', '2.0.0']],
  ]);
  const alone = await since(() => post('call', { tool_slug: slug('load_skill'), arguments: { skill_name: 'orphan' } }));
  expect(skillsOf(alone.all)).toEqual([begins('orphan'), failed]);
  expect(alone.all.find(each => each.name === failed[0])?.attributes.error_message).toContain('nowhere');
});

test('an instance that does not say what a skill is holds its load for a second at most, and it is told by its name', async () => {
  const { post, since, host, app } = await watched();
  const backend = app.backends.get(host.id);
  const request = backend.request.bind(backend);
  const asked: unknown[] = [];
  // As an instance whose answer does not come.
  backend.request = (method, params, options) => {
    const { name, arguments: args } = (params ?? {}) as { name?: string; arguments?: Json };
    if (name === 'load_skill') backend.request = request;
    if (name !== 'get_skill_info') return request(method, params, options);
    asked.push(args?.skill_name);
    const signal = options?.signal as AbortSignal | undefined;
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const { all, answer } = await since(() => post('load_skill', { skill_name: 'rig', skill_names: ['other'] }));
  expect(asked).toEqual(['rig']);
  expect(answer).toBeDefined();
  expect(all.filter(each => each.name === 'skill.loading').map(each => each.attributes)).toEqual([
    { skill_name: 'rig', dcc_type: dcc, declared_tool_count: expect.any(Number) },
    { skill_name: 'other', dcc_type: dcc, declared_tool_count: 0 },
  ]);
});
