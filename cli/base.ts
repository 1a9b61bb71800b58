/** What every command shares: the --json flag, plain output, and the one place where the process ends. */
import { Command } from '@oclif/core/command';
import * as Errors from '@oclif/core/errors';
import * as Flags from '@oclif/core/flags';
import { cliErrors } from './errors.ts';
import { describeFailure, type Failure } from './exit-codes.ts';
import { flagFailure } from './known-command.ts';
import { lastWins } from './last-wins.ts';
import { endHungUp, isHungUp } from './signals.ts';

/** Base of all commands. */
export abstract class PlainCommand extends Command {
  protected override async init(): Promise<void> {
    await super.init();
    this.argv = lastWins(this.argv, { ...this.ctor.baseFlags, ...this.ctor.flags });
  }

  /** Failures travel to `main`, which tells them. */
  protected override async catch(error: Error): Promise<never> {
    throw flagFailure(error, this.ctor, this.config.bin);
  }

  /** Writes a line of data to stdout. */
  protected print(text: string): void {
    try {
      process.stdout.write(`${text}\n`);
    } catch (error) {
      // To a file the stream writes at once, and throws.
      process.stdout.emit('error', error);
    }
  }
}

/** Base of those whose output can be JSON. */
export abstract class SvcCommand extends PlainCommand {
  static override baseFlags = {
    json: Flags.boolean({ description: 'print one line of JSON instead of text', helpGroup: 'GLOBAL' }),
  };
}

/** Tells a failure on stderr, as a sentence or as the JSON error envelope; returns the exit code. */
export function tellFailure(error: unknown, json: boolean): number {
  if (error instanceof Errors.ExitError) return error.oclif.exit ?? 0;
  const failure = describeFailure(error);
  const text = json ? JSON.stringify({ error: failure }) : failureText(failure);
  process.stderr.write(`${text}\n`);
  return failure.exit_code;
}

/** With what to do about it, where that is known. */
function failureText({ code, message, details = {} }: Failure): string {
  const { recommended_next_action: next } = details;
  return `error [${code}]: ${message}${typeof next === 'string' ? `\n  next: ${next}` : ''}`;
}

let outputLost = 0;

/**
 * Tells once that stdout cannot be written, and has the command end with that, unless it ends with something else. A reader
 * that has seen enough is no failure, and a server goes on whether its address could be told or not.
 */
export function watchOutput(json: boolean): void {
  process.stderr.on('error', () => undefined);
  // oclif's own throws, outside of any command.
  process.stdout.removeAllListeners('error');
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || outputLost > 0) return;
    outputLost = tellFailure(cliErrors.OUTPUT_LOST({ reason: error.message }, error), json);
  });
}

/** Ends the process after its output is written: the only call of `process.exit`. */
export async function finish(code: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(written));
  if (isHungUp()) endHungUp();
  return process.exit(code || outputLost);
}

function written(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise(resolve => {
    stream.on('error', () => resolve());
    try {
      stream.write('', () => resolve());
    } catch {
      resolve();
    }
  });
}
