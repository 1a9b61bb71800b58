/** `svc-server logs`: what servers and the gateway of this user wrote to their logs. */
import * as Flags from '@oclif/core/flags';
import { logText } from '../../schemas/log-text.ts';
import { SvcCommand } from '../base.ts';
import { endedSources, follow, type Line, lastLines, positionOf, type Source, sourcesOf } from '../log-reader.ts';
import { findRunning } from '../running.ts';
import { selected, selectionArgs } from '../selection.ts';

export class Logs extends SvcCommand {
  static override summary = 'Show the logs of servers, the gateway, relays and tunnels';
  static override description =
    'The newest lines of everything that runs, in the order in which they were written; of a program that has ended when it is named, or when nothing runs. With --json, the lines as they are in the file, with `program` and `pid`.';
  static override examples = [
    '<%= config.bin %> logs',
    '<%= config.bin %> logs -f maya',
    '<%= config.bin %> logs gateway -n 500',
  ];
  static override strict = false;
  static override args = selectionArgs;
  static override flags = {
    follow: Flags.boolean({ char: 'f', description: 'go on with what is written from now on, until Ctrl-C' }),
    lines: Flags.integer({ char: 'n', description: 'how many of the newest lines', default: 100, min: 0 }),
  };

  async run(): Promise<void> {
    const { argv, flags } = await this.parse(Logs);
    const sources = await this.sources(argv as string[]);
    if (sources.length === 0 && !flags.json) return this.print('Nothing runs, and nothing has left a log.');
    const several = new Set(sources.map(each => each.name)).size > 1;
    const pretty = logText(process.stdout.isTTY === true && !process.env.NO_COLOR);
    const show = ({ name, pid, text }: Line): void => {
      const line = `${several ? `${name} | ` : ''}${pretty(text).trimEnd()}`;
      this.print(flags.json ? jsonLine(name, pid, text) : line);
    };
    const stopped = new AbortController();
    if (flags.follow) for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopped.abort());
    process.stdout.once('error', () => stopped.abort());
    const positions = await Promise.all(sources.map(positionOf));
    const written = sources.map((source, index) => ({ ...source, position: positions[index] }));
    for (const line of await lastLines(written, flags.lines)) show(line);
    if (!flags.follow) return;
    const each = async ({ position, ...source }: (typeof written)[number]): Promise<void> => {
      for await (const line of follow(source, position, stopped.signal)) show(line);
    };
    await Promise.all(written.map(each));
  }

  private async sources(words: readonly string[]): Promise<Source[]> {
    const running = await findRunning();
    const ended = await endedSources(running);
    if (words.length === 0) {
      const now = sourcesOf(running);
      return now.length > 0 ? now : ended.slice(0, 1);
    }
    return words.flatMap(word => {
      const past = ended.filter(({ name, pid }) => name === word || String(pid) === word).slice(0, 1);
      const runs = running.some(each => each.name === word || each.kind === word || String(each.pid) === word);
      return runs || past.length === 0 ? sourcesOf(selected(running, [word])) : past;
    });
  }
}

/** A line of the log with its program; what is no JSON is its message. */
function jsonLine(program: string, pid: number, text: string): string {
  const named = JSON.stringify({ program, pid });
  return text.startsWith('{') ? `${named.slice(0, -1)},${text.slice(1)}` : JSON.stringify({ program, pid, msg: text });
}
