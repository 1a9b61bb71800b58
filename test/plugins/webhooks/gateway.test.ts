/** An instance behind a gateway, both with the same webhooks: every call is told once, by who was asked for it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { webhooksPlugin } from '../../../plugins/webhooks/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { testServer } from '../../server.ts';
import { connect } from '../../spec/wire.ts';
import { gatewayRig } from '../gateway/rig.ts';
import { receiver } from './receiver.ts';

test('a call through the gateway is told by the gateway, a call of the instance by the instance', async () => {
  const { url, arrived } = await receiver();
  const etc_dir = await tempDir();
  const robots = `webhooks: [{ name: robot, kind: chatrobot, url: "${url}", events: [tool.failed], message_template: "$tool-slug on $instance-id: $attributes.error_message" }]`;
  await writeFile(join(etc_dir, 'webhooks.yaml'), robots);
  const definition = { name: 'fail', description: 'Fails.', input_schema: { type: 'object' } };
  const handler = () => {
    throw new Error('no light');
  };
  const {
    app,
    instances,
    url: gateway,
  } = await gatewayRig(
    [gatewayRestPlugin, webhooksPlugin],
    [{ dcc_type: 'maya', tools: [{ definition, handler }], options: { etc_dir } }],
    { etc_dir },
  );
  await app.capabilities.refresh();
  const [instance] = instances;
  const slug = `maya.${instance?.id8}.fail`;
  await fetch(`${gateway}/v1/call`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tool_slug: slug, arguments: {} }),
  });
  const direct = await connect(String(instance?.service.mcpUrl()));
  await direct.call('fail', {}).catch(() => undefined);
  await waitFor(() => arrived.length >= 2, 'the deliveries');
  expect(arrived.map(each => each.body.markdown.content)).toEqual([
    expect.stringMatching(`^${slug} on ${instance?.id}: .*no light`),
    expect.stringMatching(`^maya.fail on ${instance?.id}: .*no light`),
  ]);
});

test('what a host tells goes out with the id and the host type of its instance, unless it names others', async () => {
  const { url, arrived } = await receiver();
  const etc_dir = await tempDir();
  await writeFile(join(etc_dir, 'webhooks.yaml'), `webhooks: [{ name: a, url: "${url}", events: [studio.*] }]`);
  const server = testServer('ambient', { etc_dir, dcc_type: 'maya' });
  await server.start();
  await server.bus.emit('studio.saved');
  await server.bus.emit('studio.saved', { source: { dcc_type: 'houdini', instance_id: 'i1', user: 'ada' } });
  await waitFor(() => arrived.length === 2, 'the deliveries');
  expect(arrived.map(each => each.body.source)).toEqual([
    { dcc_type: 'maya', instance_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    { dcc_type: 'houdini', instance_id: 'i1', user: 'ada' },
  ]);
});
