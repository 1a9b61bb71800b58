/**
 * The log: pino straight onto a file descriptor, because a worker's console is lost while the host blocks.
 * The newest lines stay in memory for whoever wants the tail.
 */
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { createLogFile } from '../schemas/log-file.ts';
import { mayHoldSecret, redacted } from '../schemas/redaction.ts';
import type { ServerConfig } from '../schemas/server-config.ts';

/** By Fastify's name for it: whoever installs the package has Fastify's types, and pino's only by accident. */
export type Logger = FastifyBaseLogger;

export type LogSettings = Pick<ServerConfig, 'log_level' | 'log_file' | 'log_max_bytes' | 'terminal_log_level'>;

const keptLines = 1000;

/** `log_file` also receives every line; `forPeople`, where standard error is a terminal, makes text of a line. Secrets are censored by key, and by what they look like. */
export function createLog(settings: LogSettings, forPeople?: (line: string) => string) {
  const { log_level: level, log_file, log_max_bytes, terminal_log_level } = settings;
  const lines: string[] = [];
  const stderr = pino.destination({ dest: 2, sync: true, maxLength: 1 << 20 });
  // A reader that closed its end of the pipe must not end the server.
  stderr.on('error', () => undefined);
  const file = log_file === null ? undefined : createLogFile(log_file, log_max_bytes);
  const least = forPeople && terminal_log_level ? (pino.levels.values[terminal_log_level] ?? Infinity) : 0;
  let told: string | undefined;
  const show = (line: string): void => {
    if (least === 0 || Number(/^{"level":(\d+)/.exec(line)?.[1]) >= least) stderr.write(forPeople?.(line) ?? line);
  };
  const stream = {
    write(given: string) {
      const line = mayHoldSecret(given) ? `${JSON.stringify(redacted(JSON.parse(given)))}\n` : given;
      lines.push(line.trimEnd());
      if (lines.length > keptLines * 2) lines.splice(0, lines.length - keptLines);
      show(line);
      const problem = file?.write(line);
      if (problem && problem !== told) {
        const msg = `the log file cannot be written: ${problem}`;
        show(`${JSON.stringify({ level: 40, time: Date.now(), file: log_file, msg })}\n`);
      }
      told = problem;
    },
  };
  const redact = ['authorization', 'cookie', 'token', 'password', 'secret', 'api_key'];
  const paths = redact.flatMap(key => [key, `*.${key}`]);
  return {
    logger: pino({ level, base: null, redact: { paths, censor: '[redacted]' } }, stream) as Logger,
    /** The newest `count` lines, oldest first, as JSON text. */
    tail: (count: number): string[] => lines.slice(-Math.min(count, keptLines)),
    close: (): void => file?.close(),
  };
}
