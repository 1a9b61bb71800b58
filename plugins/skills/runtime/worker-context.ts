/** Inside the worker: what a tool sees of the server, and how its result or failure is told. */
import { inspect } from 'node:util';
import type { Port, PortContext } from '../../../kernel/light.ts';
import { type Ask, type Asking, asking } from '../../../schemas/asking.ts';
import { type LogLevel, logLevels } from '../../../schemas/log-levels.ts';
import { excessOf } from '../../../schemas/result-size.ts';
import type { TraceContext } from '../../../schemas/traceparent.ts';
import type { ToolText } from '../../tools/api.ts';
import { createBudget } from './budget.ts';
import type { SkillCallResult, SkillContext } from './skill-context.ts';
import type { AskRequest, CallAnswer, CallFailure } from './worker-protocol.ts';

export interface WorkerParts {
  skill: string;
  config: Readonly<Record<string, unknown>>;
  maxResultBytes: number;
  server: Pick<Port, 'call' | 'notify'>;
  flush(): void;
}

export interface RunningCall {
  readonly sequence: number;
  readonly tool: string;
  /** Leads to the caller of this very call. */
  readonly port: PortContext;
  readonly trace: TraceContext | undefined;
  abort?: AbortController;
  cancelled: boolean;
}

const largestMessage = 4096;
const largestStack = 16384;

const reports = createBudget(1000, 500);
const events = createBudget(2000, 1000);
const mostOpenCalls = 1000;
let openCalls = 0;

/** The `ctx` of one call. Plain closures, so that a tool may destructure it. */
export function createContext({ skill, config, server, flush }: WorkerParts, call: RunningCall): SkillContext {
  let reached = Number.NEGATIVE_INFINITY;
  const tell = (name: string, data: unknown): void => {
    call.port.notify(name, JSON.stringify(data));
    flush();
  };
  const log = (level: LogLevel) => (message: string, data?: unknown) => {
    if (reports.take()) tell('log', [level, String(message), plain(data)]);
  };
  const ask: Ask = async (method, params = {}, { key, timeoutMs, signal } = {}) => {
    const own = signalOf(call);
    const options = { signal: signal ? AbortSignal.any([own, signal]) : own };
    const question: AskRequest = [call.sequence, String(method), JSON.stringify(params), key, timeoutMs];
    return JSON.parse(String(await server.call('ask', question, options)));
  };
  // Made with the first question: most calls ask nothing.
  let made: Asking | undefined;
  const questions = (): Asking => {
    made ??= asking(ask);
    return made;
  };
  const makeLog = () => Object.fromEntries(logLevels.map(level => [level, log(level)])) as unknown as ToolLog;
  return OnDemand.with(call, makeLog, {
    skill,
    tool: call.tool,
    config,
    trace: call.trace,
    progress(current, total, message) {
      if (!Number.isFinite(current) || current <= reached || !reports.take()) return;
      reached = current;
      tell('progress', [current, total, message]);
    },
    closeStream(retryMs) {
      if (reports.take()) tell('close_stream', [retryMs]);
    },
    ask: (...question) => questions().ask(...question),
    elicit: question => questions().elicit(question),
    sample: question => questions().sample(question),
    roots: options => questions().roots(options),
    async call(tool, args = {}) {
      if (openCalls >= mostOpenCalls) throw new Error(`more than ${mostOpenCalls} ctx.call() are open: await them`);
      openCalls += 1;
      try {
        const params = [String(tool), JSON.stringify(args), call.sequence];
        return JSON.parse(
          String(await server.call('call_tool', params, { signal: signalOf(call) })),
        ) as SkillCallResult;
      } finally {
        openCalls -= 1;
      }
    },
    emitEvent(name, attributes = {}) {
      if (!events.take()) throw new Error('too many ctx.emitEvent(): at most 1,000 a second');
      server.notify('emit', [String(name), JSON.stringify(attributes)]);
      flush();
    },
  });
}

type ToolLog = SkillContext['log'];

/**
 * What most calls do not ask for. The getters of all contexts are the same two functions: what a getter of an object's own
 * reaches is freed by no collection but a full one.
 */
class OnDemand {
  readonly #call: RunningCall;
  readonly #makeLog: () => ToolLog;
  #log: ToolLog | undefined;

  /** Members of its own, as those of a plain object are: a tool may spread it. */
  static readonly #getters = {
    signal: {
      enumerable: true,
      get(this: OnDemand): AbortSignal {
        return signalOf(this.#call);
      },
    },
    log: {
      enumerable: true,
      get(this: OnDemand): ToolLog {
        this.#log ??= this.#makeLog();
        return this.#log;
      },
    },
  };

  constructor(call: RunningCall, makeLog: () => ToolLog) {
    this.#call = call;
    this.#makeLog = makeLog;
  }

  static with(call: RunningCall, makeLog: () => ToolLog, members: Omit<SkillContext, 'signal' | 'log'>): SkillContext {
    return Object.defineProperties(Object.assign(new OnDemand(call, makeLog), members), OnDemand.#getters) as never;
  }
}

function signalOf(call: RunningCall): AbortSignal {
  call.abort ??= new AbortController();
  if (call.cancelled) call.abort.abort();
  return call.abort.signal;
}

/** A tool's value as text, stringified once; a failure when it is not JSON. What is too large never leaves the worker. */
export function encodeValue(value: unknown, mostBytes: number): CallAnswer {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    return { failed: 'result', message: firstLine(error) };
  }
  if (json === undefined) {
    if (value !== undefined) return { failed: 'result', message: `a ${typeof value} has no JSON form` };
    json = 'null';
  }
  const excess = excessOf(json, mostBytes);
  if (excess !== undefined) return [String(excess), 'large', undefined];
  const kind = kindOf(json, value);
  const success = (value as { success?: unknown } | null | undefined)?.success;
  return [json, kind, typeof success === 'boolean' ? success : undefined];
}

function kindOf(json: string, value: unknown): ToolText['kind'] {
  if (json.startsWith('"')) return 'text';
  if (!json.startsWith('{')) return 'other';
  const content = (value as { content?: unknown }).content;
  const isContent =
    Array.isArray(content) && content.every(each => typeof (each as { type?: unknown } | null)?.type === 'string');
  return isContent ? 'content' : 'object';
}

/** A thrown value as what may cross to the server. Survives hostile values. */
export function encodeFailure(thrown: unknown): CallFailure {
  try {
    if (!(thrown instanceof Error)) {
      const message =
        typeof thrown === 'string' ? thrown : inspect(thrown, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
      return { failed: 'threw', message: message.slice(0, largestMessage) };
    }
    const { code, message, name } = thrown as Error & { code?: unknown };
    return {
      failed: 'threw',
      message: String(message || name).slice(0, largestMessage),
      ...(typeof code === 'string' && { code }),
      stack: String(thrown.stack ?? '').slice(0, largestStack),
    };
  } catch {
    return { failed: 'threw', message: 'a value that cannot be shown' };
  }
}

function firstLine(error: unknown): string {
  return String((error as Error)?.message ?? error).split('\n')[0] ?? '';
}

/** Log data that JSON can carry: what it cannot becomes its printed form. */
function plain(data: unknown): unknown {
  try {
    JSON.stringify(data);
    return data;
  } catch {
    return inspect(data, { depth: 2 });
  }
}
