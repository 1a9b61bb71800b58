/** A server that advertises itself, and a gateway that finds it, over real multicast; skipped where there is none. */
import { createSocket } from 'node:dgram';
import { expect, test } from 'vitest';
import { gatewayEventsPlugin } from '../../../../../plugins/gateway/events/index.ts';
import { instancesPlugin } from '../../../../../plugins/instances/index.ts';
import { registryPlugin } from '../../../../../plugins/instances/registry/index.ts';
import { discoveryMdnsPlugin } from '../../../../../plugins/instances/sources/mdns/index.ts';
import { listeningApp, tempDir, waitFor } from '../../../../helper.ts';
import { startInstance } from '../../../gateway/rig.ts';

/** Whether a datagram to a multicast group comes back. */
const multicast = await new Promise<boolean>(resolve => {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  const end = (works: boolean): void => {
    clearTimeout(timer);
    socket.close();
    resolve(works);
  };
  const timer = setTimeout(() => end(false), 500);
  socket.on('error', () => end(false));
  socket.on('message', () => end(true));
  socket.bind(0, () => {
    try {
      socket.addMembership('224.0.0.251');
      socket.send('svc', socket.address().port, '224.0.0.251');
    } catch {
      end(false);
    }
  });
});

test.skipIf(!multicast)('a server that advertises itself is found, and gone when it says goodbye', async () => {
  const far = await startInstance(await tempDir(), {
    dcc_type: 'nuke',
    options: { advertise_mdns: true, host: '0.0.0.0', insecure_bind: true },
  });
  const { app } = await listeningApp([registryPlugin, gatewayEventsPlugin, instancesPlugin, discoveryMdnsPlugin], {
    registry_dir: await tempDir(),
    gateway_discover_mdns: true,
    heartbeat_secs: 1,
  });
  const found = await waitFor(() => app.instances.get(far.id), 'the advertised server', 15_000);
  expect(found).toMatchObject({ source: 'mdns', dcc_type: 'nuke', port: far.service.port });
  await far.server.close();
  await waitFor(() => app.instances.get(far.id) === undefined, 'its goodbye', 15_000);
});
