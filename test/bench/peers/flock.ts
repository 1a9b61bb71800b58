/**
 * Thousands of clients that each hold one event stream open, in a process of their own so that neither side runs out of
 * file descriptors. Reads as little as it takes to know that an event came.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { serveCommands } from './command.ts';

interface Opening {
  url: string;
  count: number;
  /** Resource that each client follows, over MCP; without it the URL is a plain event stream. */
  follow?: string;
}

const inFlight = 64;
/** Each open stream, with the header that names its session, empty for a plain stream. */
const sockets = new Map<Socket, string>();
let received = 0;
let lastAt = 0;
/** Every socket reads into the same bytes: they are looked at before the next read. */
const buffer = Buffer.allocUnsafe(65536);
const marker = Buffer.from('data: {"jsonrpc"');
const now = (): number => performance.timeOrigin + performance.now();

const rpc = (id: number, method: string, params: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** Opens one client: what it must ask first, then the stream, all on one connection. */
function openOne({ url, follow }: Opening): Promise<void> {
  const { hostname, port, pathname, host } = new URL(url);
  let session = '';
  const head = (method: string): string =>
    `${method} ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept: application/json, text/event-stream\r\n${session}`;
  const post = (body: string): string =>
    `${head('POST')}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'flock', version: '1' } };
  const asks =
    follow === undefined
      ? []
      : [
          () => post(rpc(1, 'initialize', hello)),
          () => post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })),
          () => post(rpc(2, 'resources/subscribe', { uri: follow })),
        ];
  return new Promise((resolve, reject) => {
    let text = '';
    let streaming = false;
    const next = (): void => void socket.write(asks.shift()?.() ?? `${head('GET')}\r\n`);
    const handshake = (piece: string): void => {
      text += piece;
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const header = text.slice(0, end);
      if (!/^HTTP\/1.1 20/.test(header)) {
        reject(new Error(text.slice(0, 400)));
        return;
      }
      if (/text\/event-stream/.test(header)) {
        streaming = true;
        sockets.set(socket, session);
        resolve();
        return;
      }
      if (text.length < end + 4 + Number(/content-length: (\d+)/i.exec(header)?.[1] ?? 0)) return;
      const id = /mcp-session-id: (\S+)/i.exec(header)?.[1];
      if (id !== undefined) session = `mcp-session-id: ${id}\r\n`;
      text = '';
      next();
    };
    const callback = (count: number): boolean => {
      const piece = buffer.subarray(0, count);
      if (!streaming) handshake(piece.toString('latin1'));
      else {
        for (let at = piece.indexOf(marker); at >= 0; at = piece.indexOf(marker, at + marker.length)) received += 1;
        lastAt = now();
      }
      return true;
    };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } }, next);
    socket.on('error', reject);
    socket.on('close', () => {
      sockets.delete(socket);
      reject(new Error('the connection was closed'));
    });
  });
}

serveCommands('flock:', {
  async open(opening: Opening) {
    let left = opening.count;
    const worker = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await openOne(opening);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, worker));
    return sockets.size;
  },
  /** Ends every session and its stream. */
  async close(url: string) {
    const ending = [...sockets].map(async ([socket, session]) => {
      const gone = new Promise(resolve => socket.once('close', resolve));
      const [name, value] = session.trim().split(': ');
      if (name && value) await (await fetch(url, { method: 'DELETE', headers: { [name]: value } })).arrayBuffer();
      socket.destroy();
      await gone;
    });
    await Promise.all(ending);
  },
  reset() {
    received = 0;
  },
  /** When the last of `count` events came, in ms since the epoch; rejects when they do not come. */
  async wait(count: number) {
    const end = now() + 30_000;
    while (received < count) {
      if (now() > end) throw new Error(`${received} of ${count} events came, ${sockets.size} streams are open`);
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    if (received > count) throw new Error(`${received} events came where ${count} were sent`);
    return lastAt;
  },
});
process.on('SIGTERM', () => process.exit());
