/** What an agent gets when it names no form: it can act on it, and reads little. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decode } from '@toon-format/toon';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { verifies } from '../../spec/verifies.ts';
import { answering } from '../skills/support.ts';
import { gatewayOver, type Json, raw, toolsOfHost } from './support.ts';

const rig = answering('rig', 'yes', {
  tools:
    'tools:\n  - name: rig_answer\n    description: Answers about rigs.\n    read_only: true\n    input_schema:\n      type: object\n      required: [depth]\n      properties: { depth: { type: integer } }\n  - name: rig_extra\n    description: Hidden in a group.\n    group: extras\ngroups:\n  - { name: extras, description: More., tools: [rig_extra] }\n',
  svc: '    dcc: blender',
  files: { 'tools/rig_extra.ts': 'export default () => ({ extra: true });\n' },
});
const maya = { dcc_type: 'maya', setup: toolsOfHost };
const blender = { dcc_type: 'blender', packages: { rig } };

/** Sends what it is told to send, and knows of an answer no more than its text. */
async function blindAgent(url: string) {
  const client = new Client({ name: 'blind', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)) as never);
  onTestFinished(() => client.close());
  const send = async (name: string, args: Json): Promise<{ told: Json; text: string; result: Json }> => {
    const result = (await client.callTool({ name, arguments: args })) as Json;
    const [item, ...more] = result.content as { text: string }[];
    expect(more).toEqual([]);
    const text = item?.text ?? '';
    const told = (text.startsWith('{') ? JSON.parse(text) : decode(text)) as Json;
    return { told, text, result };
  };
  /** Goes on from what was told: a verb is sent the slug beside it, anything else is sent as it stands. */
  const goOn = ({ next_step, tool_slug }: Json, args: Json = {}) => {
    if (typeof next_step === 'string') return send(next_step, { tool_slug, ...args });
    const [[name, ready] = ['', {}]] = Object.entries(next_step as Json);
    return send(name, ready as Json);
  };
  const find = async (query: string) => {
    const { told, ...rest } = await send('search', { query, limit: 5 });
    return { ...rest, told, hit: (told.hits as Json[])[0] as Json };
  };
  return { send, goOn, find };
}

test('an agent that names no form gets from a search to a result of a loaded tool and of one that must be loaded', async () => {
  const { url, hosts } = await gatewayOver([maya, blender]);
  const { goOn, find, send } = await blindAgent(url);
  const loaded = await find('echo');
  expect(loaded.text).toBe(
    'total: 1\nhits[1]{tool_slug,summary,next_step}:\n' +
      `  maya.${hosts[0]?.short}.echo,Echoes a text.,describe\n` +
      'how: send the tool_slug of the row to the tool that next_step names',
  );
  expect(loaded.result._meta).toMatchObject({ search_id: expect.any(String), request_id: expect.any(String) });
  const described = await goOn(loaded.hit);
  expect(described.told).toEqual({
    ...{ tool_slug: loaded.hit.tool_slug, description: 'Echoes a text.', traits: ['read-only', 'idempotent'] },
    input_schema: expect.objectContaining({ required: ['text'] }),
    next_step: 'call',
  });
  const called = await goOn(described.told, { arguments: { text: 'hi' } });
  expect(called.told).toEqual({ text: 'hi' });

  const unloaded = await find('rig answer');
  expect(unloaded.hit).toMatchObject({ next_step: 'load_skill' });
  expect((await goOn({ ...unloaded.hit, next_step: 'describe' })).told).toMatchObject({ next_step: 'load_skill' });
  const ready = await goOn(unloaded.hit);
  expect(ready.told).toMatchObject({ new_tools: 2, input_schema: { required: ['depth'] }, next_step: 'call' });
  const answered = await goOn(ready.told, { arguments: { depth: 1 } });
  expect(answered.told).toEqual({ answer: 'yes', args: { depth: 1 } });

  // The same by name, and a call that comes too early.
  await send('unload_skill', { skill_name: 'rig' });
  const early = await send('call', { tool_slug: unloaded.hit.tool_slug, arguments: { depth: 1 } });
  expect(early.result.isError).toBe(true);
  const { error } = early.told as { error: Json };
  expect(error).toEqual({
    ...{ kind: 'skill-not-loaded', message: expect.stringContaining('next_step') },
    next_step: { load_skill: { tool_slug: unloaded.hit.tool_slug } },
  });
  expect((await goOn(error)).told).toMatchObject({ loaded: true, next_step: 'call' });
});

verifies(['gateway-tool:workflow'], 'the same tool of several instances is one row that names them', async () => {
  const scene = '/shots/010.ma';
  const shot = { ...maya, options: { scene } };
  const { url, hosts } = await gatewayOver([maya, shot, { dcc_type: 'nuke', setup: toolsOfHost }]);
  const { goOn, find, send } = await blindAgent(url);
  const { told, hit } = await find('echo');
  const ids = hosts.slice(0, 2).map(each => String(each.short));
  expect(told.hits).toHaveLength(2);
  const row = (told.hits as Json[]).find(each => each.instances !== '') as Json;
  expect(String(row.instances).split(' ').sort()).toEqual([...ids].sort());
  expect(told.instances).toEqual([{ id: ids[1], scene }]);
  for (const id of ids) {
    const described = await goOn({ ...row, tool_slug: String(row.tool_slug).replace(/(?<=\.)[^.]+(?=\.)/, id) });
    const called = await goOn(described.told, { arguments: { text: id } });
    expect(called.result).toMatchObject({ _meta: { dcc: { instance_short: id } } });
  }
  // As many rows as were asked for, however many instances have the same tool.
  const { told: two } = await send('search', { query: '', dcc_type: 'maya', limit: 4 });
  expect(new Set((two.hits as Json[]).map(each => String(each.tool_slug).split('.')[2])).size).toBe(4);
  const json = await send('search', { query: 'echo', response_format: 'json' });
  expect(json.told).toMatchObject({ total: 3, hits: [{ next_step: { mcp: {}, rest: {} } }, {}, {}] });
  expect(hit).not.toHaveProperty('score');
});

test('a job is followed from its receipt to its result', async () => {
  const { url } = await gatewayOver([maya]);
  const { goOn, find } = await blindAgent(url);
  const { hit } = await find('render');
  const described = await goOn(hit);
  expect(described.told).toMatchObject({ traits: ['async'], next_step: 'call' });
  const receipt = await goOn(described.told, { arguments: { ms: 5 } });
  expect(receipt.told).toEqual({
    ...{ job_id: expect.any(String), status: 'pending' },
    next_step: { call: { tool_slug: expect.any(String), arguments: expect.any(Object) } },
  });
  // What programs read stands beside, as the instance gave it.
  expect(receipt.result.structuredContent).toMatchObject({ job_id: receipt.told.job_id, core_poll: {} });
  const ended = await waitFor(async () => {
    const { told } = await goOn(receipt.told);
    return told.status === 'completed' ? told : undefined;
  }, 'the job to end');
  expect(ended).toEqual({ tool: 'render', status: 'completed', result: { frames: 3 } });
});

test('skills, batches and failures are as short, every member is there for who asks, and REST speaks of REST', async () => {
  const { url, hosts } = await gatewayOver([maya, blender]);
  const { send, goOn } = await blindAgent(url);
  const [mayaHost, blenderHost] = hosts;
  const { told } = await send('search', { kind: 'skill', query: 'rig' });
  const [skill] = told.skills as Json[];
  expect(skill).toEqual({
    ...{ skill_name: 'rig', instance_id: blenderHost?.short, dcc_type: 'blender', summary: 'About rig.' },
    next_step: 'load_skill',
  });
  const info = await send('describe', { skill_name: 'rig', instance_id: blenderHost?.short });
  expect(info.told).toMatchObject({ guidance: 'Guidance of rig.', tools: [{ summary: 'Answers about rigs.' }, {}] });
  expect((await goOn(info.told)).told).toMatchObject({ loaded: true, new_tool_slugs: [expect.any(String), {}] });
  const both = await send('search', { kind: 'all', query: 'rig' });
  expect(both.told).toMatchObject({ hits: [{}, {}], skills: [{ next_step: 'describe' }] });

  const tool_slug = `maya.${mayaHost?.short}.echo`;
  const calls = [{ tool_slug, arguments: { text: 'a' } }, { tool_slug }];
  expect((await send('call', { calls })).told).toEqual({
    success: false,
    results: [
      { index: 0, ok: true, result: { text: 'a' } },
      { index: 1, ok: false, error: expect.objectContaining({ kind: 'invalid-params' }) },
    ],
  });
  const wide = await send('search', { query: 'echo', fields: ['tags', 'score', 'search_id'] });
  expect(wide.told).toMatchObject({ search_id: expect.any(String), hits: [{ tags: [], score: expect.any(Number) }] });
  expect((await send('describe', { tool_slug, verbose: true })).told).toMatchObject({
    record: { tool_slug, instance_id: mayaHost?.id, load_state: 'loaded' },
    tool: { annotations: {} },
  });
  const failed = await send('call', { tool_slug, arguments: {}, verbose: true });
  expect(failed.told).toMatchObject({ error: { code: expect.any(String), candidates: [], previous_status: null } });

  const rest = async (path: string, body: Json) => {
    const headers = { 'content-type': 'application/json' };
    const { text } = await raw(url, `/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return decode(text) as Json;
  };
  expect(await rest('load_skill', { skill_name: 'rig' })).toMatchObject({ next_step: { 'POST /v1/describe': {} } });
  const found = await rest('search', { query: 'echo' });
  expect(found.how).toBe('POST the tool_slug of the row to /v1/<next_step>');
  expect(await rest('describe', { tool_slug })).toMatchObject({ tool_slug, next_step: 'call' });
  expect(await rest('load_skill', { tool_slug: `blender.${blenderHost?.short}.rig_extra` })).toMatchObject({
    tool_slug: `blender.${blenderHost?.short}.rig_extra`,
    next_step: 'call',
  });
});

test('the configuration decides for who names no form; a tool of no skill has nothing to load', async () => {
  const { client, hosts } = await gatewayOver([maya], { gateway_response_format: 'json' });
  const wire = await client({ protocolVersion: '2025-11-25' });
  const found = await wire.call('search', { query: 'echo' });
  expect(JSON.parse(String((found.content as Json[])[0]?.text))).toMatchObject({ hits: [{ backend_tool: 'echo' }] });
  const refused = await wire.call('load_skill', { tool_slug: `maya.${hosts[0]?.short}.echo` });
  expect(JSON.parse(String((refused.content as Json[])[0]?.text))).toMatchObject({ error: { kind: 'bad-request' } });
});
