/** An agent follows its jobs, and reaches the built-in tools of instances, with the four tools alone. */
import { expect, test } from 'vitest';
import type { Server } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { answering } from '../skills/support.ts';
import { gatewayOver, type Json } from './support.ts';
import { agentOf, eras } from './two-eras.ts';

const setup = (server: Server): void =>
  void server.registerTool(
    { name: 'bake', execution: 'async' },
    (_args, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('off')))),
  );

const maya = { dcc_type: 'maya', setup, packages: { rig: answering('rig', 'yes') } };

test.each(eras)('%s: a receipt says how its job is polled here, and the job is cancelled by its id', async era => {
  const { url, hosts } = await gatewayOver([{ dcc_type: 'blender' }, maya]);
  const agent = await agentOf(era, `${url}/mcp`);
  const slug = (tool: string) => `maya.${hosts[1]?.short}.${tool}`;
  const receipt = await agent.use('call', { tool_slug: slug('bake') });
  const poll = (receipt.structuredContent as { core_poll: Json }).core_poll;
  expect(poll).toMatchObject({ owner: 'core', tool: 'jobs_get_status', tool_slug: slug('jobs_get_status') });
  // What a model reads says the same.
  expect(JSON.parse(String((receipt.content as Json[])[0]?.text))).toEqual(receipt.structuredContent);
  const { tool_slug, arguments: args } = poll as { tool_slug: string; arguments: { job_id: string } };
  expect(await agent.read('describe', { tool_slug })).toMatchObject({ required: ['job_id'] });
  const status = async () => (await agent.read('call', { tool_slug, arguments: args })).status;
  expect(['pending', 'running']).toContain(await status());

  // By their bare names: the job says which instance is meant.
  const { job_id } = args;
  expect(await agent.read('call', { tool_slug: 'jobs_get_status', arguments: { job_id } })).toMatchObject({ job_id });
  expect(await agent.read('describe', { tool_slug: 'jobs_cancel' })).toMatchObject({
    record: { tool_slug: 'jobs_cancel', callable: true },
    required: ['job_id'],
  });
  const cancel = () => agent.read('call', { tool_slug: 'jobs_cancel', arguments: { job_id } });
  expect(await cancel()).toMatchObject({ job_id, cancel_requested: true });
  await waitFor(async () => (await status()) === 'cancelled', 'the end of the job');
  expect(await cancel()).toEqual({ job_id, status: 'cancelled', cancel_requested: false });
  const nobody = await agent.read('call', { tool_slug: 'jobs_cancel', arguments: { job_id: 'nobody' } });
  expect(nobody).toMatchObject({ error: { kind: 'not-found', message: expect.stringContaining('nobody') } });
});

test.each(eras)('%s: skills are loaded and unloaded through call, and their tools come and go with it', async era => {
  const { url, hosts } = await gatewayOver([{ dcc_type: 'blender' }, maya]);
  const agent = await agentOf(era, `${url}/mcp`);
  const slug = (tool: string) => `maya.${hosts[1]?.short}.${tool}`;
  const skill = { skill_name: 'rig' };
  // The skill says which instance is meant.
  const loaded = await agent.read('call', { tool_slug: 'load_skill', arguments: skill });
  expect(loaded).toMatchObject({ loaded: true, registered_tools: ['rig_answer'] });
  expect(await agent.read('call', { tool_slug: slug('rig_answer') })).toMatchObject({ answer: 'yes' });
  expect(await agent.read('describe', { tool_slug: slug('unload_skill') })).toMatchObject({ required: ['skill_name'] });
  const unloaded = await agent.read('call', { tool_slug: slug('unload_skill'), arguments: skill });
  expect(unloaded).toEqual({ unloaded: true, tools_removed: 1 });
  expect(await agent.read('call', { tool_slug: slug('rig_answer') })).toMatchObject({
    error: { kind: 'skill-not-loaded' },
  });
  expect(await agent.read('call', { tool_slug: slug('list_skills') })).toMatchObject({ skills: [{ name: 'rig' }] });
  const several = await agent.read('call', { tool_slug: 'list_skills' });
  expect(several).toMatchObject({
    error: { kind: 'ambiguous', candidates: expect.arrayContaining([slug('list_skills')]) },
  });
});

test('the policy of the gateway holds for built-ins too', async () => {
  const skills = { rig: answering('rig', 'yes'), film: answering('film', 'no') };
  const { post, hosts } = await gatewayOver([{ ...maya, packages: skills }], { gateway_allowed_skills: ['rig'] });
  const call = async (tool: string, args: Json = {}) =>
    (await post('call', { tool_slug: `maya.${hosts[0]?.short}.${tool}`, arguments: args })).json;
  const denied = { error: { kind: 'policy-denied' } };
  expect(await call('load_skill', { skill_name: 'film' })).toMatchObject(denied);
  expect(await call('load_skill', { skill_names: ['rig', 'film'] })).toMatchObject(denied);
  expect(await call('get_skill_info', { skill_name: 'film' })).toMatchObject(denied);
  expect(await call('list_skills')).toMatchObject(denied);
  expect(await call('search_tools', { query: 'film' })).toMatchObject(denied);
  expect(await call('load_skill', { skill_name: 'rig' })).toMatchObject({ structuredContent: { loaded: true } });
  expect(await call('jobs_get_status', { job_id: 'x' })).toMatchObject({ isError: true });
});

test('a read-only gateway polls jobs and reads about skills, and changes neither', async () => {
  const { post } = await gatewayOver([maya], { gateway_read_only: true });
  const call = async (tool_slug: string, args: Json = {}) => (await post('call', { tool_slug, arguments: args })).json;
  expect(await call('list_skills')).toMatchObject({ structuredContent: { total: 1 } });
  for (const tool of ['unload_skill', 'jobs_cleanup', 'activate_tool_group']) {
    const refused = await call(tool, { skill_name: 'rig' });
    expect(refused).toMatchObject({ error: { kind: 'policy-denied', policy: { operation: tool, read_only: true } } });
  }
});

test('GET /v1/jobs: those of all instances, each with where it runs, the newest first', async () => {
  const { url, hosts } = await gatewayOver([maya, { ...maya, dcc_type: 'blender' }]);
  const agent = await agentOf('with sessions', `${url}/mcp`);
  const ids: string[] = [];
  for (const [index, dcc] of ['maya', 'blender'].entries()) {
    const receipt = await agent.use('call', { tool_slug: `${dcc}.${hosts[index]?.short}.bake` });
    ids.push(String((receipt.structuredContent as Json).job_id));
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  const listed = (await (await fetch(`${url}/v1/jobs`)).json()) as Json;
  expect(listed).toMatchObject({
    total: 2,
    jobs: [
      { job_id: ids[1], dcc_type: 'blender', tool: 'bake' },
      { job_id: ids[0], dcc_type: 'maya', instance_id: expect.stringContaining(String(hosts[0]?.short)) },
    ],
  });
  expect(listed.unread_instances).toBeUndefined();
});
