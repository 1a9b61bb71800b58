/** What a client of the gateway opened ends with its session, in the instance too. */
import { expect, test } from 'vitest';
import { gatewayPlugins } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { connect, type Json } from '../../spec/wire.ts';
import { gatewayRig, type InstanceInput } from './rig.ts';

test('the end of a session cancels its call and its subscription in the instance; others go on', async () => {
  const plugins = await Promise.all(gatewayPlugins.map(each => each.load()));
  const ends: string[] = [];
  let begun = 0;
  const wait: NonNullable<InstanceInput['tools']>[number] = {
    definition: {
      name: 'wait_for_ever',
      description: 'Waits.',
      input_schema: { type: 'object', properties: { who: { type: 'string' } } },
    },
    handler: ({ who }, call) =>
      new Promise((_, reject) => {
        begun += 1;
        call.signal.addEventListener('abort', () => {
          ends.push(String(who));
          reject(new Error('stopped'));
        });
      }),
  };
  const { app, url, instances } = await gatewayRig(plugins, [{ dcc_type: 'maya', tools: [wait] }]);
  const [maya] = instances;
  const slug = `maya.${maya?.id8}.wait_for_ever`;
  await waitFor(() => app.capabilities.ofInstance(String(maya?.id)).length === 1, 'the tool');
  const uri = `scene://${maya?.id8}/current`;
  const [mine, other] = [await connect(`${url}/mcp`), await connect(`${url}/mcp`)];
  const theirs = await other.stream();
  const call = (client: typeof mine, who: string) =>
    client.request('tools/call', { name: 'call', arguments: { tool_slug: slug, arguments: { who } } });
  const [first, second] = [call(mine, 'mine'), call(other, 'other')];
  await mine.result('resources/subscribe', { uri });
  await other.result('resources/subscribe', { uri });
  await waitFor(() => begun === 2, 'both calls');

  await mine.end();
  await waitFor(() => ends.length === 1, 'the cancelled call');
  expect(ends).toEqual(['mine']);
  await first.catch(() => undefined);
  await maya?.server.resources().setScene({ frame: 1 });
  await theirs.next(each => each.method === 'notifications/resources/updated' && each.params?.uri === uri);

  await other.end();
  await waitFor(() => ends.length === 2, 'the other call');
  await second.catch(() => undefined);
  const listed = (await (await fetch(`${url}/v1/instances`)).json()) as Json;
  expect(listed.total).toBe(1);
  theirs.close();
});
