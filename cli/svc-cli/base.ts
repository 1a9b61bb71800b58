/** What every command of `svc-cli` shares: the forms of its output, the gateway it asks, and its end by Ctrl-C. */
import * as Flags from '@oclif/core/flags';
import { finish, PlainCommand, tellFailure } from '../base.ts';
import type { CallTold } from '../called-tool.ts';
import { cliErrors } from '../errors.ts';
import { onStopSignal } from '../signals.ts';
import type { Following } from './follow.ts';
import { type Format, formatOf, outputs } from './format.ts';
import { findGateway, type Gateway } from './gateway.ts';

/** What a command found out, in every form. */
export interface Told {
  /** The whole, for `json`. */
  value: unknown;
  /** Its rows, a line each for `ndjson`; without them the whole is the only line. */
  rows?: readonly unknown[];
  /** For people. */
  text: () => string;
}

/** Base of all commands; those that ask no gateway have no use for `GatewayCommand`. */
export abstract class ClientCommand extends PlainCommand {
  static override baseFlags = {
    output: Flags.string({
      description: 'form of the output: human on a terminal, json otherwise, unless this says more',
      options: [...outputs],
      helpGroup: 'GLOBAL',
    }),
    json: Flags.boolean({ description: 'the same as --output json', helpGroup: 'GLOBAL' }),
  };

  #ignore: () => void = () => undefined;

  protected get format(): Format {
    return formatOf(this.argv);
  }

  protected override async init(): Promise<void> {
    await super.init();
    this.#ignore = onStopSignal(
      () => this.stopped(),
      () => void finish(5),
    );
  }

  protected override async finally(error: Error | undefined): Promise<void> {
    this.#ignore();
    await super.finally(error);
  }

  #takeBack: (() => void) | undefined;

  /** Waits for `work`, with its progress shown, until it ends, is late, or Ctrl-C takes it back. */
  protected async follow<T>(following: Following, work: (told: CallTold) => Promise<T>): Promise<T> {
    const { follow } = await import('./follow.ts');
    const stop = new AbortController();
    this.#takeBack = () => stop.abort((following.cancelled ?? cliErrors.CANCELLED)());
    try {
      return await follow(stop, following, this.format === 'human', work);
    } finally {
      this.#takeBack = undefined;
    }
  }

  /** What Ctrl-C does: the end. A command that has something to take back or to tell does that instead. */
  protected stopped(): void {
    if (this.#takeBack) this.#takeBack();
    else void finish(tellFailure(cliErrors.CANCELLED(), this.format !== 'human'));
  }

  /** Prints data in the form that was asked for. */
  protected show({ value, rows = [value], text }: Told): void {
    if (this.format === 'json') this.print(JSON.stringify(value));
    else if (this.format === 'human') this.print(text());
    else for (const row of rows) this.print(JSON.stringify(row));
  }

  /** A remark beside the data, for people alone: JSON on stderr is a failure. */
  protected remark(text: string): void {
    if (this.format === 'human') process.stderr.write(`${text}\n`);
  }
}

/** Base of commands that ask a gateway. */
export abstract class GatewayCommand extends ClientCommand {
  static override baseFlags = {
    ...ClientCommand.baseFlags,
    gateway: Flags.string({
      description: 'address of the gateway to ask, instead of the one that runs for this user',
      helpValue: '<url>',
      helpGroup: 'GLOBAL',
    }),
  };

  /** Finds the gateway and says which one it is. */
  protected async gateway(given: string | undefined, options?: { tidy: boolean }): Promise<Gateway> {
    const gateway = await findGateway(given, options);
    this.remark(`gateway ${gateway.label}`);
    return gateway;
  }
}
