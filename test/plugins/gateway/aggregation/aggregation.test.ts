/** Resources and prompts of instances through the gateway, over real sockets. */
import { expect, test } from 'vitest';
import { aggregationPlugin } from '../../../../plugins/gateway/aggregation/index.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { writeSkill } from '../../../spec/skill-package.ts';
import { connect, type Json, type Wire } from '../../../spec/wire.ts';
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

test('what a session may follow at an instance is counted for each client of the gateway, and given back', async () => {
  // The gateway's own session may follow as much as five clients.
  const options = { max_session_subscriptions: 4, max_sessions: 5 };
  const { url, instances } = await gatewayRig(plugins, [{ dcc_type: 'maya', options }]);
  const uri = (number: string) => `audit://${instances[0]?.id8}/recent?limit=${number}`;
  const follow = async (client: Wire, prefix: string): Promise<number> => {
    let count = 0;
    for (let index = 1; index <= 5; index += 1) {
      const { error } = await client.request('resources/subscribe', { uri: uri(prefix + index) });
      if (!error) count += 1;
      else expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('follows 4 resources') });
    }
    return count;
  };
  const [first, second] = [await connect(`${url}/mcp`), await connect(`${url}/mcp`)];
  // The second shares some with the first, which changes nothing for either.
  expect([await follow(first, ''), await follow(second, ''), await follow(second, '0')]).toEqual([4, 4, 0]);
  await second.result('resources/unsubscribe', { uri: uri('1') });
  await second.result('resources/subscribe', { uri: uri('01') });
  await first.end();
  await second.end();
  for (let round = 2; round < 10; round += 1) {
    const client = await connect(`${url}/mcp`);
    expect(await follow(client, String(round))).toBe(4);
    await client.end();
  }
});

test('URIs with blanks and without a path are read, and followed, as they are listed', async () => {
  const own = ['shelf://a b/c d', 'shelf:isbn:0451450523', 'shelf:text/plain,hello%20world', 'shelf://x?q=1 2'];
  const { url, instances } = await gatewayRig(plugins, [
    {
      dcc_type: 'maya',
      setup: async server => {
        await server.resources().addProducer({
          scheme: 'shelf',
          list: () => own.map(uri => ({ uri, name: uri })),
          read: uri => (own.includes(uri) ? [{ uri, text: `text of ${uri}` }] : undefined),
        });
      },
    },
  ]);
  const listed = async (wire: Wire) =>
    ((await wire.result('resources/list')).resources as { uri: string; name: string }[]).filter(({ uri }) =>
      uri.startsWith('shelf:'),
    );
  const direct = await connect(String(instances[0]?.service.mcpUrl()));
  expect((await listed(direct)).map(each => each.uri)).toEqual(own.map(uri => uri.replaceAll(' ', '%20')));
  const client = await connect(`${url}/mcp`);
  const shown = await listed(client);
  expect(shown.map(each => each.uri)[1]).toBe(`shelf:${instances[0]?.id8}/isbn:0451450523`);
  for (const [wire, resources] of [
    [client, shown],
    [direct, await listed(direct)],
  ] as const) {
    for (const { uri, name } of resources) {
      const { contents } = await wire.result('resources/read', { uri });
      expect(contents).toMatchObject([{ uri, text: `text of ${name}` }]);
      await wire.result('resources/subscribe', { uri });
    }
  }
  const stream = await client.stream();
  await instances[0]?.server.resources().updated('shelf://a b/c d');
  await stream.next(({ params }) => params?.uri === shown[0]?.uri);
  stream.close();
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

test("an instance's own refusal passes through with its number, about what the client asked for", async () => {
  const { url, instances } = await two();
  const client = await connect(`${url}/mcp`);
  for (const method of ['resources/read', 'resources/subscribe']) {
    const uri = `artefact://${instances[0]?.id8}/sha256/${'0'.repeat(64)}`;
    const { error } = await client.request(method, { uri });
    expect(error).toMatchObject({ code: -32002, message: expect.stringContaining(uri), data: { uri } });
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
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(`"${name}"`), data: { name } });
  const missing = `${String(name)}_U_no`;
  const unknown = (await client.request('prompts/get', { name: missing })).error;
  expect(unknown).toMatchObject({ code: -32602, message: expect.stringContaining(`"${missing}"`) });
  const ref = { type: 'ref/prompt', name: missing };
  const completed = await client.request('completion/complete', { ref, argument: { name: 'shot', value: '' } });
  expect(completed.error?.message).toContain(`"${missing}"`);
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
