/**
 * The one path of every tool call: look-up, group, handler, affinity, veto hooks, validation, admission, handler, result,
 * events. A synchronous handler is answered synchronously, without a promise, a timer or an abort controller.
 */
import {
  isPromise,
  isSvcError,
  type Kernel,
  type Logger,
  type Problem,
  rpcErrors,
  summary,
  vetoError,
} from '../../kernel/index.ts';
import type { Admission, CallInput, ResultObserver, ToolHandler, ToolResult } from './api.ts';
import { Call } from './call.ts';
import { toolErrors } from './errors.ts';
import { createToolEvents, type ToolErrorKind } from './events.ts';
import { askHooks } from './policy.ts';
import { boundedEncoder, type ResultEncoder, reportsSuccess, structuredValue } from './result.ts';
import { notFoundHint } from './suggest.ts';
import type { RegisteredTool, ToolTable } from './tool-table.ts';

export interface Pipeline {
  /** Runs a call; throws or rejects with SVC_*. Answers synchronously when the handler does. */
  run<T>(input: CallInput, encoder: ResultEncoder<T>): T | Promise<T>;
  setAdmission(admission: Admission | undefined): void;
  setResultObserver(observer: ResultObserver | undefined): void;
  /** Makes calls of `name`, once validated, calls of what `target` returns. */
  forward(name: string, target: (args: Record<string, unknown>) => Pick<CallInput, 'name' | 'args'>): void;
  /** Gives up every call in flight. */
  close(reason: string): void;
}

export interface PipelineDeps {
  kernel: Pick<Kernel, 'bus' | 'hooks' | 'ids' | 'config'>;
  log: Logger;
  table: ToolTable;
}

export function createPipeline({ kernel, log, table }: PipelineDeps): Pipeline {
  const { hooks, ids, config } = kernel;
  const events = createToolEvents(kernel);
  const inFlight = new Set<Call>();
  const forwards = new Map<string, (args: Record<string, unknown>) => Pick<CallInput, 'name' | 'args'>>();
  let admission: Admission | undefined;
  let observer: ResultObserver | undefined;

  const refuse = (call: Call, kind: ToolErrorKind, error: Error): Error => {
    call.close();
    events.failed(call, kind, error);
    return error;
  };

  /** The error that a handler's failure answers with; what is not of the error table is logged with its stack. */
  const failed = (call: Call, thrown: unknown): Error => {
    const { name: tool } = call.tool;
    const cause = call.reason ?? thrown;
    if (isSvcError(cause)) {
      return refuse(call, cause.code === 'SVC_TOOLS_INVALID_ARGUMENTS' ? 'validation_failed' : 'handler_error', cause);
    }
    log.warn({ tool, err: thrown }, 'a tool failed');
    return refuse(call, 'handler_error', toolErrors.FAILED({ tool, reason: messageOf(thrown) }, thrown));
  };

  const unknownTool = (input: CallInput): Error => {
    const tool = input.name.length > 80 ? `${input.name.slice(0, 80)}...` : input.name;
    const error = toolErrors.NOT_FOUND({ tool, hint: notFoundHint(input.name, table) });
    const { rpc, meta = {} } = input;
    events.unknown({ requestId: rpc?.requestId, session: rpc?.session, meta }, tool, error);
    return error;
  };

  const checkArguments = (tool: RegisteredTool, args: Record<string, unknown>, call: Call): void => {
    let problems: Problem[] | undefined;
    try {
      problems = tool.inputValidator()?.(args);
    } catch (error) {
      throw failed(call, error);
    }
    if (!problems) return;
    const details = { tool: call.tool.name, reason: summary(problems), problems };
    throw refuse(call, 'validation_failed', toolErrors.INVALID_ARGUMENTS(details));
  };

  const checkOutput = (tool: RegisteredTool, value: unknown): void => {
    const { name, output_schema } = tool.record;
    if (output_schema === undefined || !reportsSuccess(value)) return;
    const structured = structuredValue(value);
    if (structured === undefined) {
      const reason = 'it declares an output_schema but returned no object';
      throw toolErrors.FAILED({ tool: name, reason });
    }
    const problems = tool.outputValidator()?.(structured);
    if (problems) {
      const reason = `its result does not match its output_schema: ${summary(problems)}`;
      throw toolErrors.FAILED({ tool: name, reason, problems });
    }
  };

  const finish = <T>(tool: RegisteredTool, call: Call, value: unknown, encoder: ResultEncoder<T>): T => {
    let encoded: T;
    try {
      checkOutput(tool, value);
      encoded = encoder.encode(value, call.rpc === undefined || call.rpc.protocolVersion >= '2025-06-18');
    } catch (error) {
      throw failed(call, error);
    }
    call.close();
    const success = reportsSuccess(value);
    if (success) observer?.(call.tool, value);
    events.completed(call, success);
    return encoded;
  };

  const execute = <T>(
    tool: RegisteredTool,
    handler: ToolHandler,
    args: Record<string, unknown>,
    call: Call,
    timeoutMs: number,
    encoder: ResultEncoder<T>,
  ): T | Promise<T> => {
    let value: unknown;
    try {
      value = handler(args, call);
    } catch (error) {
      throw failed(call, error);
    }
    if (!isPromise(value)) return finish(tool, call, value, encoder);
    return settle(tool, call, value, timeoutMs, encoder);
  };

  const settle = <T>(
    tool: RegisteredTool,
    call: Call,
    outcome: Promise<unknown>,
    timeoutMs: number,
    encoder: ResultEncoder<T>,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const end = (deliver: () => void): void => {
        if (!inFlight.delete(call)) return;
        deliver();
      };
      inFlight.add(call);
      Promise.resolve(outcome).then(
        value =>
          end(() => {
            try {
              resolve(finish(tool, call, value, encoder));
            } catch (error) {
              reject(error);
            }
          }),
        error => end(() => reject(failed(call, error))),
      );
      call.watch(
        timeoutMs,
        () => toolErrors.TIMEOUT({ tool: call.tool.name, timeout_ms: timeoutMs }),
        error => end(() => reject(failed(call, error))),
      );
    });

  /** Validated work: announced, offered to the admission, else run in place. */
  const dispatch = <T>(
    tool: RegisteredTool,
    handler: ToolHandler,
    args: Record<string, unknown>,
    call: Call,
    timeoutMs: number,
    encoder: ResultEncoder<T>,
  ): T | Promise<T> => {
    events.dispatched(call);
    if (admission !== undefined) {
      let receipt: ToolResult | undefined;
      try {
        receipt = admission(call.tool, args, call, async ({ timeoutMs, maxResultChars, ...options }) => {
          const input: CallInput = { name: call.tool.name, args, meta: call.meta, ...options };
          const job = new Call(call.tool, input, ids.now(), timeoutMs, call);
          return execute(tool, handler, args, job, timeoutMs, boundedEncoder(maxResultChars));
        });
      } catch (error) {
        throw failed(call, error);
      }
      if (receipt !== undefined) {
        call.close();
        return encoder.adopt(receipt);
      }
    }
    return execute(tool, handler, args, call, timeoutMs, encoder);
  };

  const run = <T>(input: CallInput, encoder: ResultEncoder<T>): T | Promise<T> => {
    const tool = table.resolve(input.name, input.internal);
    if (tool === undefined) throw unknownTool(input);
    const timeoutMs = input.timeoutMs ?? config.request_timeout_ms;
    const { args } = input;
    const { handler, record } = tool;
    const call = new Call(record, input, ids.now(), timeoutMs);
    if (tool.group?.active === false) {
      const details = { tool: record.name, group: record.group };
      throw refuse(call, 'action_disabled', toolErrors.DISABLED(details));
    }
    if (handler === undefined) {
      throw refuse(call, 'handler_not_found', toolErrors.NO_HANDLER({ tool: record.name }));
    }
    if (record.enforce_thread_affinity && record.affinity === 'main' && tool.handlerSource !== 'host') {
      throw refuse(call, 'thread_affinity_violation', toolErrors.AFFINITY({ tool: record.name }));
    }
    if (input.signal?.aborted) {
      const reason = `the call of tool "${record.name}" was cancelled before it began`;
      throw refuse(call, 'handler_error', rpcErrors.CANCELLED({ reason, tool: record.name }));
    }
    const target = forwards.size > 0 ? forwards.get(record.name) : undefined;
    if (target !== undefined) {
      checkArguments(tool, args, call);
      let forwarded: Pick<CallInput, 'name' | 'args'>;
      try {
        forwarded = target(args);
      } catch (error) {
        throw failed(call, error);
      }
      return run({ ...input, ...forwarded }, encoder);
    }
    if (hooks.guards('tool.dispatched')) {
      return askHooks(hooks, events.proposal(call), timeoutMs, call.signal).then(veto => {
        if (veto) throw refuse(call, 'event_vetoed', vetoError('tool.dispatched', veto));
        // Cancelled while the hooks thought: nothing begins that nobody waits for.
        if (call.signal.aborted) throw failed(call, call.reason);
        checkArguments(tool, args, call);
        return dispatch(tool, handler, args, call, timeoutMs, encoder);
      });
    }
    checkArguments(tool, args, call);
    return dispatch(tool, handler, args, call, timeoutMs, encoder);
  };

  return {
    run,
    setAdmission(next) {
      admission = next;
    },
    setResultObserver(next) {
      observer = next;
    },
    forward: (name, target) => void forwards.set(name, target),
    close(reason) {
      for (const call of [...inFlight]) call.abort(toolErrors.FAILED({ tool: call.tool.name, reason }), true);
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
