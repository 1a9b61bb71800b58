/**
 * A load generator that costs little: keep-alive sockets, prepared bytes, no pipelining, and only as much of the
 * answer parsed as it takes to know where it ends. Each connection has one request in flight.
 */
import { connect, type Socket } from 'node:net';
import { createAnswerReader } from './answer-reader.ts';

export interface LoadOptions {
  url: string;
  /**
   * The bodies that a connection sends in turn. Ids must differ between connections: two requests in flight under one
   * id in one session are a protocol error.
   */
  bodies: (connection: number) => readonly string[];
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  /** Requests per second in all; without it as many as come back. */
  pace?: number;
  /** Sees the text of every answer; slow, for checks. */
  onAnswer?: (text: string, startedAt: number) => void;
}

export interface LoadResult {
  requests: number;
  /** Answers with another status than 200, and broken connections. */
  failures: number;
  requestsPerSecond: number;
  /** Milliseconds of each request. */
  latencies: number[];
}

/** Runs the load and reports; the first 10 % of the time warm up and do not count. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const { hostname, port, pathname } = new URL(options.url);
  const extra = Object.entries(options.headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`);
  const head =
    `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\n` +
    `accept: application/json, text/event-stream\r\n${extra.join('')}content-length: `;
  const prepare = (body: string): Buffer => Buffer.from(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`);
  let sent = 0;

  const started = performance.now();
  const warmUntil = started + options.seconds * 100;
  const end = started + options.seconds * 1000;
  const latencies: number[] = [];
  let failures = 0;

  const allowed = (): boolean =>
    options.pace === undefined || sent < ((performance.now() - started) / 1000) * options.pace;

  const runConnection = (connection: number): Promise<void> =>
    new Promise(resolve => {
      const prepared = options.bodies(connection).map(prepare);
      let turn = connection;
      let socket: Socket;
      let sentAt = 0;
      let waiting = false;
      const send = (): void => {
        if (performance.now() >= end) return void socket.destroy();
        if (!allowed()) return void setTimeout(send, 1);
        waiting = true;
        sent += 1;
        turn += 1;
        sentAt = performance.now();
        socket.write(prepared[turn % prepared.length] as Buffer);
      };
      const read = createAnswerReader(options.onAnswer !== undefined, ({ status, text }) => {
        waiting = false;
        if (status !== 200) failures += 1;
        else if (sentAt >= warmUntil) latencies.push(performance.now() - sentAt);
        options.onAnswer?.(text, sentAt);
        send();
      });
      // One buffer per connection: big answers cost no allocation here.
      const buffer = Buffer.allocUnsafe(65536);
      const callback = (count: number): boolean => {
        read(buffer.subarray(0, count));
        return true;
      };
      socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } }, send);
      // 'close' follows an error; a connection that ends with a request in flight has failed it.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (waiting) failures += 1;
        resolve();
      });
    });

  await Promise.all(Array.from({ length: options.connections }, (_, index) => runConnection(index)));
  const counted = (end - warmUntil) / 1000;
  return { requests: latencies.length, failures, requestsPerSecond: latencies.length / counted, latencies };
}
