/**
 * Thread and process entry of skill code. Boots without loading anything, so that a spare one can wait warm; `load`
 * imports one skill's bundle, `call` runs its tools. Imports no part of the server: the boot time is every skill's.
 */
import { createPort, type PortContext } from '../../../kernel/light.ts';
import { InFlightById } from '../../../schemas/in-flight-by-id.ts';
import type { SkillTool } from './skill-context.ts';
import { createContext, encodeFailure, encodeValue, type RunningCall, type WorkerParts } from './worker-context.ts';
import { captureOutput, guardProcess, watchSelf } from './worker-guards.ts';
import { openLink } from './worker-link.ts';
import {
  batchChannel,
  type CallAnswer,
  type CallRequest,
  type LoadFailure,
  type LoadRequest,
} from './worker-protocol.ts';

const link = openLink();
const tools = new Map<string, SkillTool>();
const calls = new InFlightById<RunningCall>();
/** Cancelled before they began. */
const cancelled = new Set<number>();
let begun = 0;

function cancel(sequence: number): void {
  const state = calls.get(sequence);
  if (state) {
    state.cancelled = true;
    state.abort?.abort(new Error('the caller cancelled or the deadline passed'));
  } else if (sequence > begun) {
    cancelled.add(sequence);
  }
}

const channel = batchChannel(link, { schedule: queueMicrotask, onCancel: cancel });

async function load(request: LoadRequest): Promise<LoadFailure | null> {
  worker.skill = request.skill;
  worker.config = request.config;
  worker.maxResultBytes = request.maxResultBytes;
  let found: Record<string, { default?: unknown }>;
  try {
    found = ((await import(request.url)) as { tools: typeof found }).tools;
  } catch (error) {
    return { stack: '', ...encodeFailure(error) };
  }
  for (const { name, file } of request.tools) {
    // A CommonJS file made from an ES module keeps its default one level deeper.
    const exported = found[name]?.default;
    const tool = typeof exported === 'function' ? exported : (exported as { default?: unknown } | null)?.default;
    if (typeof tool !== 'function') {
      const kind = exported === undefined ? 'no default export' : `a default export of type ${typeof exported}`;
      return { file, found: kind, message: kind, stack: '' };
    }
    tools.set(name, tool as SkillTool);
  }
  return null;
}

function call([sequence, name, args, trace]: CallRequest, port: PortContext): CallAnswer | Promise<CallAnswer> {
  begun = sequence;
  if (cancelled.delete(sequence)) return { failed: 'cancelled', message: 'cancelled before it began' };
  // Answers that are ready leave now: this call may never yield again.
  channel.flush();
  // Given up: the server has sent this call elsewhere already, and this thread is about to end.
  if (!link.begin(sequence)) return { failed: 'cancelled', message: 'the worker is ending' };
  const running: RunningCall = { sequence, tool: name, port, trace, cancelled: false };
  calls.set(sequence, running);
  const done = (answer: CallAnswer): CallAnswer => {
    calls.delete(sequence);
    return answer;
  };
  try {
    const outcome = (tools.get(name) as SkillTool)(JSON.parse(args), createContext(worker, running));
    const { maxResultBytes } = worker;
    if (typeof (outcome as Promise<unknown> | null | undefined)?.then !== 'function') {
      return done(encodeValue(outcome, maxResultBytes));
    }
    return Promise.resolve(outcome).then(
      value => done(encodeValue(value, maxResultBytes)),
      error => done(encodeFailure(error)),
    );
  } catch (error) {
    return done(encodeFailure(error));
  }
}

const server = createPort(channel, {
  load: params => load(params as LoadRequest),
  call: (params, port) => call(params as CallRequest, port),
  ping: () => null,
});

const worker: WorkerParts = {
  skill: '',
  config: {},
  maxResultBytes: Number.POSITIVE_INFINITY,
  server,
  flush: channel.flush,
};

guardProcess();
watchSelf(link);
captureOutput((level, line) => {
  server.notify('output', [level, line]);
  channel.flush();
});
