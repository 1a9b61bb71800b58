/** A server that advertises itself, and a gateway that finds it, over real multicast; skipped where there is none. */
import { createSocket } from 'node:dgram';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayEventsPlugin } from '../../../../../plugins/gateway/events/index.ts';
import { instancesPlugin } from '../../../../../plugins/instances/index.ts';
import { registryPlugin } from '../../../../../plugins/instances/registry/index.ts';
import { discoveryMdnsPlugin } from '../../../../../plugins/instances/sources/mdns/index.ts';
import { addressOf } from '../../../../../plugins/instances/sources/mdns/mdns-source.ts';
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

test('what is announced leads to another machine: not to this one, the link, or whoever serves it', () => {
  const referer = (address: string) => ({ address, family: 'IPv4' as const, port: 5353, size: 1 });
  const cases: [string[], string, string | undefined][] = [
    [['10.0.0.5'], '10.0.0.5', '10.0.0.5'],
    [['10.0.0.5', '192.168.1.5'], '192.168.1.5', '192.168.1.5'],
    [['fd00::5', '10.0.0.5'], '172.16.0.1', '10.0.0.5'],
    [['fe80::1', 'fd00::5'], '10.0.0.9', 'fd00::5'],
    [['169.254.169.254'], '169.254.169.254', undefined],
    [['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '224.0.0.251'], '10.0.0.5', undefined],
    [['nonsense'], '10.0.0.5', undefined],
    [[], '10.0.0.5', undefined],
  ];
  for (const [addresses, from, expected] of cases) {
    expect(addressOf({ addresses, referer: referer(from) }), addresses.join()).toBe(expected);
  }
});

test('a server that nobody on another machine reaches is not advertised, and says so', async () => {
  const log_file = join(await tempDir(), 'log');
  const options = { advertise_mdns: true, log_level: 'warn' as const, log_file };
  await startInstance(await tempDir(), { dcc_type: 'nuke', options });
  expect(await readFile(log_file, 'utf8')).toContain('not advertised by mDNS');
});

test.skipIf(!multicast)('a server that advertises itself is found, and gone when it says goodbye', async () => {
  const far = await startInstance(await tempDir(), {
    dcc_type: 'nuke',
    options: {
      advertise_mdns: true,
      host: '0.0.0.0',
      auth_tokens: [{ label: 'a', token: 'a-token-of-this-server' }],
    },
  });
  const { app } = await listeningApp([registryPlugin, gatewayEventsPlugin, instancesPlugin, discoveryMdnsPlugin], {
    registry_dir: await tempDir(),
    gateway_discover_mdns: true,
    heartbeat_secs: 1,
  });
  const found = await waitFor(() => app.instances.get(far.id), 'the advertised server', 15_000);
  expect(found).toMatchObject({
    ...{ source: 'mdns', dcc_type: 'nuke', port: far.service.port },
    row: { metadata: { mdns_auth: 'bearer' } },
  });
  await far.server.close();
  await waitFor(() => app.instances.get(far.id) === undefined, 'its goodbye', 15_000);
});
