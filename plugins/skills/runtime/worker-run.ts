/** One skill loaded in one realm: its calls in flight, which of them began, and whether it still answers. */
import { createPort, isSvcError, type Logger, type Port, rpcErrors } from '../../../kernel/index.ts';
import { InFlight } from '../../../schemas/in-flight.ts';
import type { LogLevel } from '../../../schemas/log-levels.ts';
import { traceContextOf } from '../../../schemas/traceparent.ts';
import type { ToolText } from '../../tools/api.ts';
import type { RuntimeServices, RuntimeSpec, SkillCall } from './runtime-api.ts';
import { runtimeErrors } from './runtime-errors.ts';
import { createWakeful } from './wakeful.ts';
import {
  type AskRequest,
  batchChannel,
  type CallAnswer,
  type CallRequest,
  type LoadFailure,
  type LoadRequest,
} from './worker-protocol.ts';
import type { Realm } from './worker-realm.ts';

/** How long a ping may take before the worker counts as stuck. */
const probeMs = 500;
/** Given-up calls that never finish, after which an otherwise idle worker is replaced. */
const mostAbandoned = 200;

/** Levels of the server's own log that have another name; graver ones are errors there. */
const ownLevels: Partial<Record<LogLevel, 'debug' | 'info' | 'warn'>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
};

/** What the author of such a tool can do. */
const apart = 'give that one less to do at once, or let it yield';

/** A call on its way: it may be sent to several realms in turn, but begins in at most one. */
export interface Flight {
  readonly tool: string;
  readonly args: string;
  readonly call: SkillCall;
  /** Number within the run that has it. */
  sequence: number;
  /** Its caller has been answered (given up) while the worker may still run it. */
  abandoned: boolean;
  /** The worker answered a ping after this call was given up: it is not what blocks. */
  acquitted: boolean;
  /** The tool that it called itself and waits for. */
  callee: string | undefined;
  /** What its last question to the client failed with. */
  refusal: unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface Ending {
  how: string;
  /** Calls that began and did not finish. */
  lost: Flight[];
  /** Calls that never began: safe to send to the next realm. */
  unbegun: Flight[];
  /** The tool that hung, when that is why the run was ended. */
  hung: string | undefined;
}

export interface WorkerRunParts {
  spec: RuntimeSpec;
  services: RuntimeServices;
  log: Logger;
  onOutput(level: 'info' | 'warn', line: string): void;
  onEnd(ending: Ending): void;
}

export type WorkerRun = ReturnType<typeof createWorkerRun>;

export function createWorkerRun(realm: Realm, { spec, services, log, onOutput, onEnd }: WorkerRunParts) {
  const { skill } = spec;
  const flights = new InFlight<Flight>();
  /** Of the newest call. */
  let lastSequence = 0;
  let probing = false;
  let hung: string | undefined;
  let portClosed: (reason: string) => void = () => undefined;

  const stayAwake = createWakeful(() => flights.size > 0);
  const channel = batchChannel(realm, {
    // After the poll phase: calls that came in by different sockets of one tick share a message (0.63 against 0.44 of
    // the in-thread rate at 16 connections, no difference at one).
    schedule: flush =>
      void setImmediate(() => {
        flush();
        stayAwake();
      }),
    onClose(closed) {
      portClosed = closed;
    },
    onMalformed: error => log.warn({ skill, err: error }, 'a skill worker sent a malformed message'),
  });
  const port: Port = createPort(channel, {
    async call_tool(params, { signal }) {
      const [tool, args, sequence] = params as [string, string, number];
      const flight = flights.get(sequence);
      if (flight) flight.callee = tool;
      try {
        return JSON.stringify(await services.callTool(skill, tool, JSON.parse(args), signal, flight?.call));
      } finally {
        if (flight?.callee === tool) flight.callee = undefined;
      }
    },
    async ask(params, { signal }) {
      const [sequence, method, question, key, timeoutMs] = params as AskRequest;
      const flight = flights.get(sequence);
      if (!flight) throw rpcErrors.CANCELLED({ reason: 'its call has ended' });
      try {
        const answer = await flight.call.ask(method, JSON.parse(question), {
          ...{ key: key ?? undefined, timeoutMs: timeoutMs ?? undefined, signal },
        });
        return JSON.stringify(answer);
      } catch (error) {
        flight.refusal = error;
        throw error;
      }
    },
    emit(params) {
      const [name, attributes] = params as [string, string];
      services.emitEvent(skill, name, JSON.parse(attributes));
    },
    output(params) {
      const [level, line] = params as ['info' | 'warn', string];
      onOutput(level === 'warn' ? 'warn' : 'info', String(line));
    },
  });
  realm.onOutput(onOutput);

  realm.onEnd((how, stack) => {
    portClosed(how);
    if (stack) log.warn({ skill, stack }, `skill worker ended: it ${how}`);
    const begun = realm.begun();
    const open = flights.clear().filter(flight => !flight.abandoned);
    onEnd({
      how,
      hung,
      lost: open.filter(flight => flight.sequence <= begun),
      unbegun: open.filter(flight => flight.sequence > begun),
    });
  });

  /** The call that most likely holds the thread: the last that began and is not known to be innocent. */
  const suspect = (): Flight | undefined => {
    const begun = realm.begun();
    return flights.list().findLast(flight => flight.sequence <= begun && !flight.acquitted);
  };

  /** Why a late call is not to blame: what it waits for, when that is another tool. */
  const heldUp = (flight: Flight): string | undefined => {
    if (flight.callee !== undefined) return `it waited for tool "${flight.callee}", which it had called`;
    const other = suspect();
    if (!other || other === flight) return undefined;
    if (flight.sequence > realm.begun()) {
      return `it has not begun, because tool "${other.tool}" of the same skill holds their thread: ${apart}`;
    }
    return realm.busy() ? `tool "${other.tool}", which runs beside it, holds their thread: ${apart}` : undefined;
  };

  const probe = (): void => {
    if (probing || realm.ended) return;
    probing = true;
    let timer: NodeJS.Timeout;
    const asked = lastSequence;
    const again = (): void => {
      timer = setTimeout(() => setImmediate(judge), probeMs);
      timer.unref();
    };
    const judge = (): void => {
      if (!probing || realm.ended) return;
      const held = suspect();
      // A call that is still wanted holds the thread: it may compute as long as its own caller waits.
      if (held && !held.abandoned) {
        again();
        return;
      }
      hung = held?.tool ?? 'a timer or listener of the skill';
      log.warn({ skill, tool: hung }, 'skill worker does not answer: ended');
      void realm.end();
    };
    again();
    port.call('ping', null).then(
      () => {
        probing = false;
        clearTimeout(timer);
        for (const flight of flights.list()) if (flight.abandoned && flight.sequence <= asked) flight.acquitted = true;
      },
      () => {
        probing = false;
        clearTimeout(timer);
      },
    );
  };

  const settle = (flight: Flight, answer: CallAnswer): unknown => {
    if (!flights.take(flight.sequence) || flight.abandoned) return undefined;
    const { tool } = flight;
    if (Array.isArray(answer)) {
      const [json, kind, success] = answer;
      return flight.resolve({ svcToolText: true, json, kind, success: success ?? undefined } satisfies ToolText);
    }
    const { failed, message, code, stack } = answer;
    if (failed === 'result') return flight.reject(runtimeErrors.RESULT_INVALID({ skill, tool, reason: message }));
    // Told as it is when the tool lets it pass: a client may be able to do something about it.
    if (isSvcError(flight.refusal) && flight.refusal.code === code) return flight.reject(flight.refusal);
    // A tool that ends because it was told to is no failure.
    if (flight.call.signal.aborted) log.debug({ skill, tool, reason: message }, 'a cancelled tool ended');
    else if (stack) log.warn({ skill, tool, stack }, 'a skill tool failed');
    return flight.reject(
      runtimeErrors.TOOL_FAILED({ skill, tool, reason: message, ...(code && { error_code: code }) }),
    );
  };

  const report = (flight: Flight, name: string, data: string): void => {
    if (flight.abandoned) return;
    if (name === 'progress') {
      const [current, total, message] = JSON.parse(data) as [number, number | null, string | null];
      flight.call.progress(current, total ?? undefined, message ?? undefined);
    } else if (name === 'close_stream') {
      const [retryMs] = JSON.parse(data) as [number | null];
      flight.call.closeStream(retryMs ?? undefined);
    } else {
      const [level, message, extra] = JSON.parse(data) as [LogLevel, string, unknown];
      flight.call.log(level, extra === undefined ? message : { message, data: extra });
      log[ownLevels[level] ?? 'error']({ skill, tool: flight.tool, data: extra }, message);
    }
  };

  return {
    realm,
    /** Resolves with null, or with why the code did not load; rejects when the realm ended or `timeoutMs` passed. */
    load: (request: LoadRequest, timeoutMs: number): Promise<LoadFailure | null> =>
      port.call('load', request, { timeoutMs }) as Promise<LoadFailure | null>,
    send(flight: Flight): void {
      lastSequence = flights.add(flight);
      flight.sequence = lastSequence;
      const trace = traceContextOf(flight.call.meta);
      const request: CallRequest = [lastSequence, flight.tool, flight.args];
      if (trace) request.push(trace);
      port
        .call('call', request, {
          onEvent: (name, data) => report(flight, name, String(data)),
        })
        .then(
          answer => settle(flight, answer as CallAnswer),
          error => {
            // The realm ended: `onEnd` has disposed of the call already.
            if (flights.take(flight.sequence) && !flight.abandoned) {
              flight.reject(
                isSvcError(error)
                  ? error
                  : runtimeErrors.TOOL_FAILED({ skill, tool: flight.tool, reason: String(error) }),
              );
            }
          },
        );
    },
    heldUp,
    /** Tells the worker, and finds out whether it still listens. */
    cancel(flight: Flight): void {
      if (flights.get(flight.sequence) !== flight) return;
      channel.cancel(flight.sequence);
      if (flights.size >= mostAbandoned && flights.list().every(each => each.abandoned)) {
        hung = `${mostAbandoned} calls that ignore ctx.signal`;
        void realm.end();
      } else {
        probe();
      }
    },
    /** Ends the realm because of a cancelled call that goes on. */
    stop(flight: Flight): void {
      if (flights.get(flight.sequence) !== flight || realm.ended) return;
      hung = flight.tool;
      log.warn({ skill, tool: hung }, 'a cancelled job goes on: its skill worker is ended');
      void realm.end();
    },
  };
}
