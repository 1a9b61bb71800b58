/**
 * The log: pino straight onto a file descriptor, because a worker's console is lost while the host blocks.
 * The newest lines stay in memory for whoever wants the tail.
 */
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';

/** By Fastify's name for it: whoever installs the package has Fastify's types, and pino's only by accident. */
export type Logger = FastifyBaseLogger;

const keptLines = 1000;

/** `level` as in the configuration; `file` also receives every line. Secrets are censored by key. */
export function createLog(level: string, file: string | null) {
  const lines: string[] = [];
  const sinks = [pino.destination({ dest: 2, sync: true })];
  if (file !== null) sinks.push(pino.destination({ dest: file, append: true, mkdir: true, sync: true }));
  // A reader that closed its end of the pipe must not end the server.
  for (const sink of sinks) sink.on('error', () => undefined);
  const stream = {
    write(line: string) {
      lines.push(line.trimEnd());
      if (lines.length > keptLines * 2) lines.splice(0, lines.length - keptLines);
      for (const sink of sinks) sink.write(line);
    },
  };
  const redact = ['authorization', 'cookie', 'token', 'password', 'secret', 'api_key'];
  const paths = redact.flatMap(key => [key, `*.${key}`]);
  return {
    logger: pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, stream) as Logger,
    /** The newest `count` lines, oldest first, as JSON text. */
    tail: (count: number): string[] => lines.slice(-Math.min(count, keptLines)),
    close: (): void => {
      for (const sink of sinks.slice(1)) sink.end();
    },
  };
}
