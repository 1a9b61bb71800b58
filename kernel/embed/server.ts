/**
 * The server object: a thin handle on the host's main thread. It boots a server on first need, in its own thread or in
 * place, and forwards every operation. Nothing imported here loads Fastify.
 */
import { dirname } from 'node:path';
import type { Environment } from '../../schemas/variables.ts';
import { readConfigFile } from '../config-file.ts';
import { kernelErrors, type SvcError } from '../errors.ts';
import type { PortHandler } from '../port.ts';
import type { AsyncDisposer, EmbeddedServer, EmbeddedService, ServerExtra } from './api.ts';
import type { Sources } from './core.ts';
import { serverErrors } from './errors.ts';
import type { AllFields, AllMethods, HostHalf, ServerLink } from './half.ts';
import { type Answers, openAmbient, openDedicated, type Place } from './place.ts';
import { type Facts, factsQuestion, type ThreadMethods } from './wire.ts';

export interface Composition<H extends readonly HostHalf<object, object>[]> extends Sources {
  /** The halves of its plugins on the host's main thread. */
  halves: H;
  /** Default environment. */
  env: Environment;
  /** The module whose server thread serves the same plugins. */
  entry(): Promise<URL>;
}

type Mode = { spawn_mode?: unknown };

/** Makes `createServer` for what a server is composed of. */
export function serverFactory<const H extends readonly HostHalf<object, object>[]>(composition: Composition<H>) {
  type Service = EmbeddedService & AllFields<H>;
  /**
   * Creates a server; cheap and synchronous. The configuration is read and checked when the server boots, on the first
   * operation: that is what rejects for a wrong option or plugin.
   */
  return function createServer(options: object = {}, extra: ServerExtra = {}) {
    for (const each of [options, extra]) {
      if (typeof each === 'object' && each !== null && !Array.isArray(each)) continue;
      throw new TypeError(
        `createServer takes an object, such as { port: 8765 }, and was given ${JSON.stringify(each)}`,
      );
    }
    return createHandle(composition, options, extra) as EmbeddedServer<Service> & AllMethods<H>;
  };
}

function createHandle(
  composition: Composition<readonly HostHalf<object, object>[]>,
  options: Mode,
  extra: ServerExtra,
): EmbeddedServer {
  const { halves, env, entry } = composition;
  const answers = Object.create(null) as Answers;
  const facts: Facts = {};
  let opening: Promise<Place> | undefined;
  let place: Place | undefined;
  let starting: Promise<EmbeddedService> | undefined;
  let closing: Promise<void> | undefined;

  const boot = async (): Promise<Place> => {
    const environment = { ...(extra.env ?? env) };
    const file: Mode = extra.configFile === undefined ? {} : await readConfigFile(extra.configFile);
    const mode = options.spawn_mode ?? (environment.SVC_SPAWN_MODE || file.spawn_mode) ?? 'dedicated';
    const resolveFrom = [...(process.argv[1] ? [dirname(process.argv[1])] : []), process.cwd()];
    const input = {
      options: { ...options, plugins: extra.plugins },
      env: environment,
      file,
      configFile: extra.configFile,
      resolveFrom,
    };
    const added = extra.add ?? [];
    if (mode === 'ambient') place = await openAmbient(input, answers, composition, added);
    else if (added.length > 0) throw serverErrors.PLUGIN_OBJECT();
    else place = await openDedicated(input, answers, await entry());
    return place;
  };

  /** Without an await when booted: the server hears of it even if the host blocks right after. */
  const ask = <K extends keyof ThreadMethods>(method: K, ...params: Parameters<ThreadMethods[K]>) => {
    if (closing) return Promise.reject(serverErrors.STOPPED());
    opening ??= boot();
    return place ? place.ask(method, ...params) : opening.then(opened => opened.ask(method, ...params));
  };

  const disposer = (id: number): AsyncDisposer => {
    let undone: Promise<void> | undefined;
    return () => {
      // A server that has ended has forgotten it already.
      undone ??= closing ? Promise.resolve() : ask('undo', id);
      return undone;
    };
  };

  const operation = async (name: string, input?: unknown): Promise<unknown> => {
    try {
      const answer = await ask('call', { name, input });
      return 'undo' in answer ? disposer(answer.undo) : answer.value;
    } catch (error) {
      const plugin = flat(halves).find(half => half.operations?.includes(name))?.plugin;
      if (!plugin || (error as Partial<SvcError>).code !== 'SVC_SERVER_OPERATION_UNKNOWN') throw error;
      throw serverErrors.FEATURE_OFF({ operation: name, plugin });
    }
  };

  const answer = (question: string, handler: PortHandler) => {
    if (answers[question]) throw kernelErrors.DUPLICATE({ kind: 'answer', name: question });
    answers[question] = handler;
    return () => {
      if (answers[question] === handler) delete answers[question];
    };
  };
  answer(factsQuestion, told => Object.assign(facts, told));

  const close = (): Promise<void> => {
    closing ??= Promise.resolve(place ?? opening?.catch(() => undefined)).then(opened => opened?.close());
    return closing;
  };

  const begin = async (): Promise<EmbeddedService> => {
    await ask('start');
    const running = place as Place;
    running.hold();
    const service = {
      pid: process.pid,
      shutdown: close,
      signalShutdown: () => void close().catch(() => undefined),
      stopped: () => running.ended,
    };
    // With their getters: some facts change.
    for (const half of flat(halves)) {
      Object.defineProperties(service, Object.getOwnPropertyDescriptors(half.service?.(facts) ?? {}));
    }
    return service;
  };

  const link = { call: operation, answer, ended: () => closing !== undefined } as ServerLink;
  return Object.assign(
    {
      start() {
        if (closing) return Promise.reject(serverErrors.STOPPED());
        starting ??= begin().catch((error: unknown) => {
          starting = undefined;
          throw error;
        });
        return starting;
      },
      operation: operation as EmbeddedServer['operation'],
      answer,
      close,
    },
    ...halves.map(half => half.open?.(link)),
  );
}

const flat = (halves: readonly HostHalf<object, object>[]): HostHalf<object, object>[] =>
  halves.flatMap(half => [half, ...flat(half.parts ?? [])]);
