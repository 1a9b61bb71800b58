/**
 * The one path of every tool call: look-up, group, handler, affinity, veto hooks, validation, admission, handler, result,
 * events. A synchronous handler is answered synchronously, without a promise, a timer or an abort controller.
 */
import {
  type Awaitable,
  after,
  isPromise,
  isSvcError,
  type Kernel,
  type Logger,
  type Problem,
  rpcErrors,
  summary,
  vetoError,
} from '../../kernel/index.ts';
import { hookAnswer } from '../../schemas/hook-answer.ts';
import { InFlight } from '../../schemas/in-flight.ts';
import type { ToolErrorKind } from '../../schemas/tool-event.ts';
import type { TracingService } from '../telemetry/tracing/api.ts';
import type { Admission, CallInput, ResultObserver, ToolRecord } from './api.ts';
import { Call } from './call.ts';
import type { Settings } from './config.ts';
import { toolErrors } from './errors.ts';
import { createToolEvents } from './events.ts';
import { checkOutput } from './output-check.ts';
import { presented } from './presented.ts';
import { objectEncoder, type ResultEncoder, reportsSuccess, TooLarge } from './result.ts';
import { beginSpan } from './span.ts';
import { type Known, notFoundHint } from './suggest.ts';
import type { ToolTable } from './tool-table.ts';

export interface PipelineDeps {
  kernel: Pick<Kernel, 'bus' | 'hooks' | 'ids' | 'config'>;
  settings: Pick<Settings, 'dcc_type' | 'max_result_bytes'>;
  log: Logger;
  tracing: TracingService | undefined;
  table: ToolTable;
  /** Skills that are not loaded. */
  candidates: Known['candidates'];
}

/** What helps a call that took too long by itself. */
const smaller = 'try a smaller request, or run it as a background job with a progress token or _meta.dcc.async';

export type Pipeline = ReturnType<typeof createPipeline>;

export function createPipeline({ kernel, settings, log, tracing, table, candidates }: PipelineDeps) {
  const { hooks, ids, config } = kernel;
  const { max_result_bytes: mostBytes } = settings;
  const events = createToolEvents(kernel, settings.dcc_type);
  const inFlight = new InFlight<Call>();
  const forwards = new Map<string, (args: Record<string, unknown>) => Pick<CallInput, 'name' | 'args'>>();
  /** Errors of calls whose tool was found, each with it. */
  const refusals = new WeakMap<object, ToolRecord>();
  let admission: Admission | undefined;
  let observer: ResultObserver | undefined;
  let onWork: (() => void) | undefined;

  const refuse = (call: Call, kind: ToolErrorKind, error: Error): Error => {
    call.close();
    call.span?.end(isSvcError(error) ? error.code : kind);
    events.failed(call, kind, error);
    refusals.set(error, call.tool);
    return error;
  };

  const refusedTool = (error: unknown): ToolRecord | undefined => refusals.get(Object(error));

  /** The error that a handler's failure answers with; what is not of the error table is logged with its stack. */
  const failed = (call: Call, thrown: unknown): Error => {
    const { name: tool } = call.tool;
    const cause = call.reason ?? (thrown instanceof TooLarge ? thrown.of(tool, mostBytes) : thrown);
    if (isSvcError(cause)) {
      return refuse(call, cause.code === 'SVC_TOOLS_INVALID_ARGUMENTS' ? 'validation_failed' : 'handler_error', cause);
    }
    log.warn({ tool, err: thrown }, 'a tool failed');
    return refuse(call, 'handler_error', toolErrors.FAILED({ tool, reason: messageOf(thrown) }, thrown));
  };

  const unknownTool = (input: CallInput): Error => {
    const tool = input.name.length > 80 ? `${input.name.slice(0, 80)}...` : input.name;
    const error = toolErrors.NOT_FOUND({ tool, hint: notFoundHint(input.name, { table, candidates }) });
    events.unknown(input, tool, error);
    return error;
  };

  const checkArguments = (call: Call): Awaitable<void> => {
    let problems: Awaitable<Problem[] | undefined>;
    try {
      problems = call.registered.checkInput(call.args);
    } catch (error) {
      throw failed(call, error);
    }
    if (!isPromise(problems)) return assertValid(call, problems);
    return problems.then(
      found => {
        assertValid(call, found);
        // Cancelled while it was checked: nothing begins that nobody waits for.
        if (call.signal.aborted) throw failed(call, call.reason);
      },
      error => Promise.reject(failed(call, error)),
    );
  };

  const assertValid = (call: Call, problems: Problem[] | undefined): void => {
    if (!problems) return;
    const details = { tool: call.tool.name, reason: summary(problems), problems };
    throw refuse(call, 'validation_failed', toolErrors.INVALID_ARGUMENTS(details));
  };

  const checkedApart = async (call: Call, outcome: unknown): Promise<unknown> => checkOutput(call, await outcome);

  const finish = <T>(call: Call, given: unknown, encoder: ResultEncoder<T>): T => {
    let value = given;
    let encoded: T;
    try {
      if (!call.registered.outputApart) value = checkOutput(call, given);
      const structured = call.rpc === undefined || call.rpc.protocolVersion >= '2025-06-18';
      const shown = presented(value, call, structured, mostBytes);
      encoded = shown === undefined ? encoder.encode(value, structured, mostBytes) : encoder.adopt(shown);
    } catch (error) {
      throw failed(call, error);
    }
    call.close();
    const success = reportsSuccess(value);
    if (success) observer?.(call.tool, value);
    call.span?.end(success ? undefined : 'tool_error');
    events.completed(call, success);
    return encoded;
  };

  const execute = <T>(call: Call, encoder: ResultEncoder<T>): T | Promise<T> => {
    let value: unknown;
    if (tracing?.on) beginSpan(tracing, call);
    try {
      value = call.handler?.(call.args, call);
    } catch (error) {
      throw failed(call, error);
    }
    if (call.registered.outputApart) return settle(call, checkedApart(call, value), encoder);
    return isPromise(value) ? settle(call, value, encoder) : finish(call, value, encoder);
  };

  const settle = <T>(call: Call, outcome: Promise<unknown>, encoder: ResultEncoder<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const end = (deliver: () => void): void => {
        if (inFlight.take(number)) deliver();
      };
      const number = inFlight.add(call);
      if (inFlight.size === 1) onWork?.();
      Promise.resolve(outcome).then(
        value =>
          end(() => {
            try {
              resolve(finish(call, value, encoder));
            } catch (error) {
              reject(error);
            }
          }),
        error => end(() => reject(failed(call, error))),
      );
      call.watch(
        (advice = smaller) => toolErrors.TIMEOUT({ tool: call.tool.name, timeout_ms: call.timeoutMs, advice }),
        error => end(() => reject(failed(call, error))),
      );
    });

  /** Validates, announces, offers the work to the admission, else runs it in place. */
  const dispatch = <T>(call: Call, encoder: ResultEncoder<T>): T | Promise<T> => {
    const checked = checkArguments(call);
    return isPromise(checked) ? checked.then(() => admit(call, encoder)) : admit(call, encoder);
  };

  const admit = <T>(call: Call, encoder: ResultEncoder<T>): T | Promise<T> => {
    events.dispatched(call);
    if (admission !== undefined) {
      let receipt: ReturnType<Admission>;
      try {
        const { args, meta, registered, tool } = call;
        receipt = admission(tool, args, call, async ({ timeoutMs, ...options }) => {
          const input: CallInput = { name: tool.name, args, meta, ...options };
          return execute(new Call(registered, input, ids.now(), timeoutMs, call), objectEncoder);
        });
      } catch (error) {
        throw failed(call, error);
      }
      if (receipt !== undefined) {
        const told = after(receipt, made => {
          call.close();
          return encoder.adopt(made);
        });
        if (!isPromise(told)) return told;
        // What the work of a job failed with has been told already.
        return told.catch(error => Promise.reject(refusedTool(error) ? error : failed(call, error)));
      }
    }
    return execute(call, encoder);
  };

  const assertCallable = (call: Call, signal: AbortSignal | undefined): void => {
    const { group, handlerSource, inHost } = call.registered;
    const { name: tool, affinity, enforce_thread_affinity } = call.tool;
    if (group?.active === false) {
      throw refuse(call, 'action_disabled', toolErrors.DISABLED({ tool, group: call.tool.group }));
    }
    if (call.handler === undefined) throw refuse(call, 'handler_not_found', toolErrors.NO_HANDLER({ tool }));
    if (enforce_thread_affinity && affinity === 'main' && handlerSource !== 'host' && !inHost?.()) {
      throw refuse(call, 'thread_affinity_violation', toolErrors.AFFINITY({ tool }));
    }
    if (signal?.aborted) {
      const reason = `the call of tool "${tool}" was cancelled before it began`;
      throw refuse(call, 'handler_error', rpcErrors.CANCELLED({ reason, tool }));
    }
  };

  const run = <T>(input: CallInput, encoder: ResultEncoder<T>): T | Promise<T> => {
    const found = table.resolve(input.name, input.internal);
    if (found === undefined) throw unknownTool(input);
    const call = new Call(found, input, ids.now(), input.timeoutMs ?? config.request_timeout_ms);
    assertCallable(call, input.signal);
    const target = forwards.size > 0 ? forwards.get(call.tool.name) : undefined;
    if (target !== undefined) {
      // A tool of ours: its schema is checked in place.
      void checkArguments(call);
      let forwarded: Pick<CallInput, 'name' | 'args'>;
      try {
        forwarded = target(input.args);
      } catch (error) {
        throw failed(call, error);
      }
      return run({ ...input, ...forwarded }, encoder);
    }
    if (!hooks.guards('tool.dispatched')) return dispatch(call, encoder);
    const hookMs = call.timeoutMs || config.request_timeout_ms;
    return hookAnswer(hooks, events.proposal(call), hookMs, call.signal).then(veto => {
      if (veto) throw refuse(call, 'event_vetoed', vetoError('tool.dispatched', veto));
      // Cancelled while the hooks thought: nothing begins that nobody waits for.
      if (call.signal.aborted) throw failed(call, call.reason);
      return dispatch(call, encoder);
    });
  };

  return {
    /** Runs a call; throws or rejects with SVC_*. Answers synchronously when the handler does. */
    run,
    /** The tool whose call an error says to have failed; nothing when there was no tool. */
    refused: refusedTool,
    setAdmission(next: Admission | undefined): void {
      admission = next;
    },
    setResultObserver(next: ResultObserver | undefined): void {
      observer = next;
    },
    get inFlight(): number {
      return inFlight.size;
    },
    setWorkListener(next: (() => void) | undefined): void {
      onWork = next;
    },
    /** Makes calls of `name`, once validated, calls of what `target` returns. */
    forward: (name: string, target: (args: Record<string, unknown>) => Pick<CallInput, 'name' | 'args'>): void =>
      void forwards.set(name, target),
    /** Gives up every call in flight. */
    close(reason: string): void {
      for (const call of inFlight.list()) call.abort(toolErrors.FAILED({ tool: call.tool.name, reason }), true);
    },
  };
}

function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  } catch {
    return `it threw a ${typeof thrown} that has no text form`;
  }
}
