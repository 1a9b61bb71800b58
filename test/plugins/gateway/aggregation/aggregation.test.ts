/** Resources and prompts of instances through the gateway, over real sockets. */
import { expect, test } from 'vitest';
import { aggregationPlugin } from '../../../../plugins/gateway/aggregation/index.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { writeSkill } from '../../../spec/skill-package.ts';
import { connect, type Json } from '../../../spec/wire.ts';
import { gatewayRig } from '../rig.ts';

const plugins = [aggregationPlugin];

const two = () => gatewayRig(plugins, [{ dcc_type: 'maya' }, { dcc_type: 'blender' }]);

test('resources of every instance are listed and read under prefixed URIs [spec:shape:gateway-uri]', async () => {
  const { url, instances } = await two();
  const [maya, blender] = instances;
  await maya?.server.resources().setScene({ name: 'shot_010' });
  const client = await connect(`${url}/mcp`);
  const { resources } = await client.result('resources/list');
  const uris = (resources as Json[]).map(each => each.uri);
  expect(uris).toContain(`scene://${maya?.id8}/current`);
  expect(uris).toContain(`scene://${blender?.id8}/current`);
  const { contents } = await client.result('resources/read', { uri: `scene://${maya?.id8}/current` });
  expect((contents as Json[])[0]?.uri).toBe(`scene://${maya?.id8}/current`);
  expect(JSON.stringify(contents)).toContain('shot_010');
  const { resourceTemplates } = await client.result('resources/templates/list');
  expect(
    (resourceTemplates as Json[]).some(each => String(each.uriTemplate).startsWith(`events://${maya?.id8}/`)),
  ).toBe(true);
});

test('a subscription reaches the instance once, is told to its clients only, and ends with the last of them', async () => {
  const { url, instances } = await two();
  const [maya] = instances;
  const uri = `scene://${maya?.id8}/current`;
  const [first, second, other] = [
    await connect(`${url}/mcp`),
    await connect(`${url}/mcp`),
    await connect(`${url}/mcp`),
  ];
  const streams = [await first.stream(), await second.stream(), await other.stream()];
  await first.result('resources/subscribe', { uri });
  await second.result('resources/subscribe', { uri });
  await maya?.server.resources().setScene({ frame: 1 });
  const told = (index: number) =>
    streams[index]?.messages.filter(each => each.method === 'notifications/resources/updated').length ?? 0;
  await waitFor(() => told(0) === 1 && told(1) === 1, 'both followers');
  expect(told(2)).toBe(0);
  expect(streams[0]?.messages.find(each => each.method === 'notifications/resources/updated')?.params).toEqual({ uri });
  await first.result('resources/unsubscribe', { uri });
  await second.end();
  await new Promise(resolve => setTimeout(resolve, 100));
  await maya?.server.resources().setScene({ frame: 2 });
  await new Promise(resolve => setTimeout(resolve, 200));
  expect(told(0)).toBe(1);
  for (const each of streams) each.close();
});

test('a session that follows many resources leaves none of them behind at its instance', async () => {
  const most = 400;
  const options = { max_session_subscriptions: most };
  const { url, instances } = await gatewayRig(plugins, [{ dcc_type: 'maya', options }]);
  const followed = async (zeros: string): Promise<number> => {
    const client = await connect(`${url}/mcp`);
    let count = 0;
    for (let index = 0; index < most; index += 1) {
      const uri = `audit://${instances[0]?.id8}/recent?limit=${zeros}${index + 1}`;
      if (!(await client.request('resources/subscribe', { uri })).error) count += 1;
    }
    await client.end();
    return count;
  };
  expect(await followed('')).toBe(most);
  // The instance counts what the gateway follows for all of its clients.
  await waitFor(async () => (await followed('0')) === most, 'room for as many again');
});

test.each([
  ['scene://current', -32002, 'names no instance'],
  ['scene://ffffffff/current', -32002, 'ffffffff'],
  ['nonsense', -32602, 'scheme://path'],
])('a URI that leads nowhere (%s) is refused with what is wrong', async (uri, code, text) => {
  const { url } = await gatewayRig(plugins, []);
  const client = await connect(`${url}/mcp`);
  for (const method of ['resources/read', 'resources/subscribe']) {
    const { error } = await client.request(method, { uri });
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(text);
  }
});

test("an instance's own refusal passes through with its number", async () => {
  const { url, instances } = await two();
  const client = await connect(`${url}/mcp`);
  for (const method of ['resources/read', 'resources/subscribe']) {
    const { error } = await client.request(method, {
      uri: `artefact://${instances[0]?.id8}/sha256/${'0'.repeat(64)}`,
    });
    expect(error?.code).toBe(-32002);
  }
});

test('prompts are listed under names that say whose they are, and rendered by their instance', async () => {
  const skills = await tempDir();
  await writeSkill(skills, 'review', {
    files: {
      'prompts.yaml':
        'prompts:\n  - name: review-scene\n    description: Reviews.\n    arguments:\n      - name: shot\n        required: true\n    template: "Review {{shot}}."\n',
    },
  });
  const { url, instances } = await gatewayRig(plugins, [{ dcc_type: 'maya', options: { skill_paths: [skills] } }]);
  await instances[0]?.server.loadSkill('review');
  const client = await connect(`${url}/mcp`);
  const name = `i_${instances[0]?.id8}__review_H_scene`;
  const listed = await waitFor(async () => {
    const { prompts } = await client.result('prompts/list');
    return (prompts as Json[]).find(each => each.name === name);
  }, 'the prompt');
  expect(listed).toMatchObject({ description: 'Reviews.', arguments: [{ name: 'shot', required: true }] });
  const rendered = await client.result('prompts/get', { name, arguments: { shot: '010' } });
  expect(JSON.stringify(rendered)).toContain('Review 010.');
  const { error } = await client.request('prompts/get', { name, arguments: {} });
  expect(error?.code).toBe(-32602);
  expect((await client.request('prompts/get', { name: 'nope' })).error?.message).toContain('No prompt is named "nope"');
});

test('an instance that comes or goes changes the lists, and clients are told', async () => {
  const rig = await two();
  const client = await connect(`${rig.url}/mcp`);
  const stream = await client.stream();
  const added = await rig.add({ dcc_type: 'houdini' });
  await stream.next(each => each.method === 'notifications/resources/list_changed');
  const { resources } = await client.result('resources/list');
  expect((resources as Json[]).some(each => String(each.uri).includes(added.id8))).toBe(true);
  await added.server.close();
  await waitFor(async () => {
    await rig.app.instances.refresh();
    const { resources: left } = await client.result('resources/list');
    return !(left as Json[]).some(each => String(each.uri).includes(added.id8));
  }, 'the list without it');
  stream.close();
});
