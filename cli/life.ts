/**
 * The life of a program that serves: signals end it, the other commands of this user find it, ask it how it is, stop it
 * and have it restarted. A restart is a new process with the arguments, the directory and the environment of this one.
 */

import { fstatSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { messageOf, packageVersion } from '../kernel/light.ts';
import { parsed } from '../schemas/loose.ts';
import { type ControlAnswer, serveControl } from './control.ts';
import { detach } from './daemon.ts';
import { describeFailure } from './exit-codes.ts';
import { pruneLogs } from './log-prune.ts';
import { leaveRecord, type RunRecord } from './running.ts';
import { onStopSignal } from './signals.ts';
import { controlAddress, runFolder } from './state.ts';
import { supervisorOf } from './supervision.ts';
import { exchange } from './svc-cli/exchange.ts';

export interface LifeParts {
  /** What begins it anew in the background; none for a program that talks to the terminal it runs in. */
  command?: string;
  argv: readonly string[];
  /** Called when somebody insists on the end. */
  insist(): void;
  /** Begins anew without an end in between; then this process ends by itself. */
  goOn?(): Promise<{ pid: number }>;
}

type Said = Omit<RunRecord, 'pid' | 'version' | 'started_at' | 'directory'>;

/** Begins with its signals; `announce` makes it known, `end` is called when it has stopped serving. */
export function beginLife({ command, argv, insist, goOn }: LifeParts) {
  const started_at = new Date().toISOString();
  let ask: () => void = () => undefined;
  const asked = new Promise<void>(resolve => {
    ask = resolve;
  });
  const ignoreSignals = onStopSignal(ask, insist);
  let tellRestarted: ((answer: ControlAnswer) => void) | undefined;
  const undos: (() => unknown)[] = [];
  let announced = Promise.resolve();
  let forget = async (): Promise<void> => undefined;

  const answer = async (word: string, health: () => Promise<unknown>): Promise<ControlAnswer> => {
    if (word === 'status') return { health: await health() };
    if (word === 'stop') {
      ask();
      return { ok: true };
    }
    const supervisor = command === undefined ? 'the terminal that it runs in' : supervisorOf();
    if (word !== 'restart' || supervisor) return { ok: false, supervisor };
    if (goOn) return outcomeOf(goOn());
    const restarted = new Promise<ControlAnswer>(resolve => {
      tellRestarted = resolve;
    });
    ask();
    return restarted;
  };

  const makeKnown = async (said: Said, health: () => Promise<unknown>): Promise<void> => {
    const { pid } = process;
    await mkdir(runFolder(), { recursive: true, mode: 0o700 });
    undos.push(await serveControl(controlAddress(pid), word => answer(word, health)));
    const record = { ...said, pid, version: packageVersion, started_at, directory: process.cwd() };
    forget = await leaveRecord(record);
    undos.push(() => forget());
    // Nobody waits for it.
    void pruneLogs();
  };

  return {
    /** Resolves when it was asked to stop. */
    asked,
    /**
     * Listens to commands and leaves the record; who says on stdout that it listens need not wait for it. Where it cannot
     * be, the program serves all the same, and says so. How it is says `health`, by default the answer of its `/health`.
     */
    announce(said: Said, health = () => healthOf(new URL('/health', said.url))): Promise<void> {
      announced = makeKnown(said, health).catch(error => {
        process.stderr.write(`warning: svc-server status and stop will not find this program: ${messageOf(error)}\n`);
      });
      return announced;
    },
    /** Another process goes on for this one: it is what commands find. */
    async giveUp(): Promise<void> {
      await announced;
      await forget();
    },
    async end(): Promise<void> {
      await announced;
      for (const undo of undos.reverse()) await undo();
      if (tellRestarted && command !== undefined) {
        tellRestarted(await outcomeOf(detach(command, argv, messagesInBackground())));
        // Once more around the loop: it is written before the process ends.
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      ignoreSignals();
    },
  };
}

/** A file goes on; a terminal is not for a program in the background, and whoever reads a pipe waits for its end. */
export const messagesInBackground = (): 'inherit' | 'ignore' => (fstatSync(2).isFile() ? 'inherit' : 'ignore');

const outcomeOf = (restart: Promise<object>): Promise<ControlAnswer> =>
  restart.then(
    restarted => ({ ok: true, ...restarted }),
    error => ({ ok: false, failure: describeFailure(error) }),
  );

/** The body of `/health`; null when the server does not answer. Not by `fetch`, which costs the program 30 MB. */
async function healthOf(url: URL): Promise<unknown> {
  return exchange(url, { method: 'GET', headers: {}, signal: AbortSignal.timeout(500) }).then(
    ({ text }) => parsed(text) ?? null,
    () => null,
  );
}
