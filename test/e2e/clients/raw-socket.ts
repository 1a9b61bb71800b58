/** HTTP by hand, so that a request can be as wrong as it likes. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  /** 0 when the server closed without an answer. */
  status: number;
  headers: string;
  body: string;
}

const answerWithinMs = 5000;

/** Sends `bytes` and reads one answer; the socket is closed afterwards. */
export function exchange(port: number, bytes: Uint8Array | string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let received = Buffer.alloc(0);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no whole answer within ${answerWithinMs} ms: ${received.toString('latin1').slice(0, 300)}`));
    }, answerWithinMs);
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(parse(received));
    };
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      if (isWhole(received)) finish();
    });
    // The server may close while we still write: a 413 looks like that.
    socket.on('error', finish);
    socket.on('close', finish);
  });
}

/** A POST with `body` as it is. */
export function rawPost(body: Uint8Array | string, headers: Record<string, string> = {}): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
  const all = {
    host: '127.0.0.1',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(bytes.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n`), bytes]);
}

/** Opens a socket, sends `bytes` and leaves it as it is. */
export function halfOpen(port: number, bytes: Uint8Array | string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes, () => resolve(socket));
    });
    socket.on('error', reject);
  });
}

function split(received: Buffer): { head: string; body: Buffer } | undefined {
  const at = received.indexOf('\r\n\r\n');
  return at < 0 ? undefined : { head: received.toString('latin1', 0, at), body: received.subarray(at + 4) };
}

function isWhole(received: Buffer): boolean {
  const parts = split(received);
  if (!parts) return false;
  const length = /content-length: (\d+)/i.exec(parts.head)?.[1];
  if (length !== undefined) return parts.body.length >= Number(length);
  if (/transfer-encoding: chunked/i.test(parts.head)) return parts.body.toString('latin1').endsWith('0\r\n\r\n');
  return /^HTTP\/1.1 (202|204)/.test(parts.head);
}

function parse(received: Buffer): RawAnswer {
  const parts = split(received);
  if (!parts) return { status: 0, headers: '', body: '' };
  return { status: Number(parts.head.slice(9, 12)), headers: parts.head, body: parts.body.toString('utf8') };
}
