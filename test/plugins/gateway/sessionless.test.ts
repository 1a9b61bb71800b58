/** The sessionless revision at a gateway: its own endpoint, and an instance behind it, with the official client. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { startGateway, startInstance } from './backends/support.ts';
import { gatewayOver, type Json, toolsOfHost } from './support.ts';

const question = {
  mode: 'form',
  message: 'Who?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
};

async function modernClient(url: string, asked: Json = {}) {
  const negotiation = { mode: { pin: '2026-07-28' } };
  const client = new Client({ name: 'oracle', version: '1' }, { versionNegotiation: negotiation, capabilities: asked });
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect([transport.protocolVersion, transport.sessionId]).toEqual(['2026-07-28', undefined]);
  return client;
}

test('the four tools are listed and called without a session, and the trace goes on to the instance', async () => {
  const metas: Json[] = [];
  const { app, url, hosts } = await gatewayOver([
    {
      dcc_type: 'maya',
      setup: server => {
        toolsOfHost(server);
        server.registerTool({ name: 'tells', description: 'Tells.' }, (_args, call) => {
          metas.push({ ...call.meta });
          return { told: true };
        });
      },
    },
  ]);
  const client = await modernClient(`${url}/mcp`);
  expect((await client.listTools()).tools.map(each => each.name)).toEqual(['search', 'describe', 'load_skill', 'call']);
  const ended: Json[] = [];
  app.kernel.bus.on('tool.completed', event => void ended.push(event.correlation));
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const called = await client.callTool({
    name: 'call',
    arguments: { tool_slug: `maya.${hosts[0]?.short}.tells`, arguments: {} },
    _meta: { traceparent, tracestate: 'a=b', baggage: 'c=d' },
  });
  expect(called).toMatchObject({ structuredContent: { told: true } });
  expect(metas).toMatchObject([{ traceparent, tracestate: 'a=b', baggage: 'c=d' }]);
  await waitFor(() => ended.length > 0, 'the event');
  expect(ended[0]).toMatchObject({ trace_id: '0af7651916cd43dd8448eb211c80319c' });
  expect(app.mcp.sessions.size).toBe(0);
});

test('an instance behind the gateway is spoken to as directly: tools, prompts, resources, completion, subscriptions', async () => {
  const gateway = await startGateway();
  const { instance_id, server } = await startInstance(gateway);
  await gateway.backend(instance_id);
  const client = await modernClient(`${gateway.url}/mcp/${instance_id}`);
  expect((await client.listTools()).tools.map(each => each.name)).toContain('echo');
  expect(await client.callTool({ name: 'echo', arguments: { text: 'ä' } })).toMatchObject({
    structuredContent: { text: 'ä' },
  });
  expect(await client.listPrompts()).toHaveProperty('prompts');
  expect((await client.listResources()).resources.map(each => each.uri)).toContain('scene://current');
  const read = await client.readResource({ uri: 'scene://current' });
  expect(read.contents[0]).toMatchObject({ uri: 'scene://current' });
  await expect(client.complete({ ref: { type: 'ref/prompt', name: 'no' }, argument: { name: 'a', value: '' } }))
    .rejects //
    .toThrow('completed');
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri));
  const subscription = await client.listen({
    toolsListChanged: true,
    resourceSubscriptions: ['scene://current', 'x://y'],
  });
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true, resourceSubscriptions: ['scene://current'] });
  await server.registerTool({ name: 'another', description: 'New.' }, () => ({}));
  await server.resources().setScene({ scene_name: 'shot' });
  await waitFor(() => heard.includes('tools') && heard.includes('scene://current'), 'both changes');
  // It lasts as long as its client, or the gateway: no call is in flight because of it.
  expect(gateway.app.backends.get(instance_id).in_flight).toBe(0);
  const began = Date.now();
  await gateway.app.close();
  expect(await subscription.closed).toBe('remote');
  expect(Date.now() - began).toBeLessThan(3000);
});

test('requests of a host type go to one instance as long as it is there: what was asked there is answered there', async () => {
  const gateway = await startGateway();
  const instances = [await startInstance(gateway), await startInstance(gateway)];
  for (const { instance_id, server } of instances) {
    await server.registerTool({ name: 'who', description: 'Tells which one it is.' }, async (_args, call) => {
      const { content } = (await call.ask('elicitation/create', question)) as { content: { name: string } };
      return `${content.name} ${instance_id}`;
    });
    await gateway.backend(instance_id);
  }
  const client = await modernClient(`${gateway.url}/mcp/dcc/maya`, { elicitation: {} });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  const told = new Set<string>();
  const who = async () => (await client.callTool({ name: 'who' })).content[0] as { text: string };
  for (let each = 0; each < 6; each += 1) told.add((await who()).text);
  const first = instances.find(({ instance_id }) => told.has(`Ada ${instance_id}`));
  expect([told.size, first === undefined]).toEqual([1, false]);
  await first?.server.close();
  await waitFor(() => gateway.app.backends.ofType('maya').length === 1, 'the end of one');
  const other = instances.find(each => each !== first);
  expect((await who()).text).toBe(`Ada ${other?.instance_id}`);
});
