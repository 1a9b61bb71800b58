/** Clients that stop reading while much is notified to them, beside clients that read. */
import { connect as connectSocket, type Socket } from 'node:net';
import { connect } from '../spec/wire.ts';
import { type Bench, megabytes } from './bench.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

const megabyte = 1024 * 1024;
const bytes = 50 * 1024;
const count = 1024;
const clients = 3;
const warmUp = 500;
/** What the readers keep up with. */
const everyMs = 3;

/** Opens a stream and stops reading as soon as it is open. */
async function openDeaf(url: string): Promise<Socket> {
  const { sessionId } = await connect(url);
  const { hostname, port, pathname, host } = new URL(url);
  const socket = connectSocket({ host: hostname, port: Number(port) });
  const accept = 'accept: text/event-stream';
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${accept}\r\nmcp-session-id: ${sessionId}\r\n\r\n`);
  await new Promise(resolve => socket.once('data', resolve));
  socket.pause();
  socket.on('error', () => undefined);
  return socket;
}

/** Reads what is left; how many bytes it was, undefined when the stream was not cut. */
function drain(socket: Socket): Promise<number | undefined> {
  return new Promise(resolve => {
    let read = 0;
    const timer = setTimeout(() => resolve(undefined), 2000);
    socket.on('data', chunk => {
      read += chunk.length;
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(read);
    });
    socket.resume();
  });
}

export const slowClients: Bench = {
  name: 'slow-clients',
  title: `${clients} clients stop reading while ${Math.round((count * bytes) / megabyte)} MiB are notified to each`,
  run: () =>
    withPeers([() => startPeer('svc', { entry: builtFile('index.js') })], async (...peers) => {
      const [svc] = peers as [Peer];
      const readers = await Promise.all(Array.from({ length: clients }, async () => (await connect(svc.url)).stream()));
      // Once over, so that what the process needs in any case is there: the young generation grows to its full size only
      // after some tens of megabytes, whoever reads or does not.
      await svc.ask('notify', { count: warmUp, bytes, everyMs });
      const deaf = await Promise.all(Array.from({ length: clients }, () => openDeaf(svc.url)));
      for (const { messages } of readers) messages.length = 0;
      const growth = await svc.ask<number>('notify', { count, bytes, everyMs });
      const complete = readers.map(async ({ next, messages }) => {
        await next(each => (each.params as { n?: number } | undefined)?.n === count - 1, 10_000).catch(() => undefined);
        return messages.every((each, index) => (each.params as { n?: number }).n === index) ? messages.length : -1;
      });
      const got = await Promise.all(complete);
      const left = await Promise.all(deaf.map(drain));
      for (const reader of readers) reader.close();
      const cut = `${left.filter(each => each !== undefined && each < count * bytes).length} of ${clients}`;
      const whole = `${got.filter(each => each === count).length} of ${clients}`;
      return [
        {
          what: 'growth of the resident memory',
          ours: megabytes(growth),
          figure: megabytes(growth),
          target: '<= 20 MB',
        },
        { what: 'cut off', ours: cut, figure: cut, target: 'all' },
        { what: 'readers that missed nothing', ours: whole, figure: whole, target: 'all' },
      ];
    }),
};
