/** The tool events of the gateway's own bus: what hooks, audit, webhooks and telemetry hear of the calls that pass. */

import {
  type EventEnvelope,
  type EventInput,
  type EventRecord,
  isSvcError,
  type Kernel,
  messageOf,
  vetoError,
} from '../../kernel/index.ts';
import { type CallRecord, callRecord } from '../../schemas/call-record.ts';
import { hookAnswer } from '../../schemas/hook-answer.ts';
import { type Json, objectOf } from '../../schemas/loose.ts';
import {
  addCaller,
  callArguments,
  failureAttributes,
  sinceMs,
  type ToolEnd,
  type ToolEvent,
  type ToolFailure,
  toldText,
} from '../../schemas/tool-event.ts';
import type { VetoableEvent } from '../../schemas/vetoable-events.ts';
import type { Caller } from './api.ts';
import type { CapabilityRecord } from './index/api.ts';
import { dccOf } from './requests.ts';
import { createSkillEvents, type SkillEventsParts } from './skill-events.ts';
import { kindOf } from './target.ts';

export const callEvents = {
  'tool.dispatched': 'a call is about to be sent to its instance; a policy hook may veto it',
  'tool.completed': 'an instance answered a call that came through the gateway',
  'tool.failed': 'a call through the gateway failed, here or at its instance',
  'internal.call.ended': 'the same of both ends, for who keeps records of calls',
  'skill.loading': 'the load of a skill that came through the gateway begins; a policy hook may veto it',
  'skill.loaded': 'an instance loaded a skill, as it was asked to through the gateway',
  'skill.unloaded': 'an instance unloaded a skill, as it was asked to through the gateway',
  'skill.validation_failed': 'a load through the gateway failed: at its instance, or because a policy hook vetoed it',
  'tools.list_changed': 'clients are told to list the tools again',
} as const;

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'internal.call.ended': CallRecord;
  }
}

/** One call on its way: the body as it was read, who asks, and the tool once it is found. */
export interface PassingCall {
  /** What the gateway does itself; the slug is its name then. */
  readonly operation?: CallRecord['operation'];
  readonly route?: CallRecord['route'];
  readonly slug: string;
  args: Json;
  meta: Json;
  readonly caller: Caller;
  readonly began: number;
  record?: CapabilityRecord;
  /** Moments of `performance.now()`: its instance was asked, and had answered. */
  sent?: number;
  answered?: number;
  /** How long the tool ran at its instance. */
  toolMs?: number | undefined;
}

/** What the event calls a failure that the gateway's envelope calls something else; its other kinds stand as they are. */
const errorKinds: Readonly<Record<string, string>> = {
  'unknown-slug': 'metadata_not_found',
  'bad-request': 'validation_failed',
  'invalid-params': 'validation_failed',
  'skill-not-loaded': 'action_disabled',
  'thread-affinity-violation': 'thread_affinity_violation',
  'tool-error': 'handler_error',
};

/** Of a slug that nothing answers to. */
const longestName = 200;

export type CallEvents = ReturnType<typeof createCallEvents>;

export function createCallEvents(
  { bus, hooks, ids, config }: Pick<Kernel, 'bus' | 'hooks' | 'ids' | 'config'>,
  factsOf: SkillEventsParts<PassingCall>['factsOf'],
) {
  const toolOf = ({ slug, record, meta }: PassingCall): ToolEvent => {
    const known: ToolEvent = {
      tool_slug: record?.tool_slug ?? slug.slice(0, longestName),
      tool_name: record?.backend_tool ?? slug.slice(0, longestName),
    };
    if (record) {
      const { dcc_type, skill_name, tool_group, annotations } = record;
      known.dcc_type = dcc_type;
      if (skill_name !== null) known.skill_name = skill_name;
      if (tool_group) known.group = tool_group;
      if (annotations) known.annotations = annotations;
    }
    const { rationale } = dccOf(meta);
    if (typeof rationale === 'string' && rationale !== '') known.rationale = toldText(rationale);
    return known;
  };

  const input = <A>({ record, caller, meta }: PassingCall, attributes: A): EventInput<A> => {
    const source: EventRecord = {};
    if (record) {
      source.dcc_type = record.dcc_type;
      source.instance_id = record.instance_id;
    }
    const correlation: EventRecord = { request_id: caller.requestId, trace_id: caller.traceId };
    if (caller.session) correlation.session_id = caller.session.id;
    addCaller(correlation, caller.client, meta);
    return { source, correlation, attributes };
  };

  const ended = (call: PassingCall, success: boolean): ToolEnd =>
    Object.assign(toolOf(call), {
      duration_ms: sinceMs(call.began),
      result_success: success,
      [callArguments]: call.args,
    });

  const failure = (error: unknown) => {
    const { code, details } = isSvcError(error) ? error : { code: undefined, details: {} };
    const kind = code === undefined ? 'internal' : kindOf(error);
    return failureAttributes(
      code === 'EVENT_VETOED' ? 'event_vetoed' : (errorKinds[kind] ?? kind),
      messageOf(error),
      details,
    );
  };

  /** Throws EVENT_VETOED where a hook says so. */
  const ask = async (name: VetoableEvent, { caller: { signal } }: PassingCall, about: EventInput): Promise<void> => {
    const head = { schema_version: 1, name, id: ids.event(), timestamp_ns: ids.nowNs() } as const;
    const event: EventEnvelope = { ...head, source: {}, correlation: {}, attributes: {}, ...about };
    const veto = await hookAnswer(hooks, event, config.request_timeout_ms, signal);
    if (veto) throw vetoError(name, veto);
  };

  const kept = (): boolean => bus.wants('internal.call.ended');

  const keep = (call: PassingCall, ok: boolean, answer?: string, failed?: Failed): CallRecord => {
    const record = recordOf(call, ok, answer, failed);
    bus.emit('internal.call.ended', { attributes: record });
    return record;
  };

  const permit = (call: PassingCall): Promise<void> | undefined =>
    hooks.guards('tool.dispatched') ? ask('tool.dispatched', call, input(call, toolOf(call))) : undefined;

  return {
    /** Asks who may forbid the call; a promise only where somebody is to be asked. */
    permit,
    /** The same, and tells that the call is sent. */
    dispatch(call: PassingCall): Promise<void> | undefined {
      const tell = (): void => {
        if (bus.wants('tool.dispatched')) bus.emit('tool.dispatched', input(call, toolOf(call)));
      };
      const permitted = permit(call);
      if (permitted) return permitted.then(tell);
      tell();
      return undefined;
    },
    ...createSkillEvents<PassingCall>({
      ...{ bus, hooks, input, failure, factsOf },
      ask: (call, about) => ask('skill.loading', call, about),
    }),
    /** Whether anybody keeps how calls go. */
    kept,
    /** Gives the record of the call, where anybody keeps it. */
    ended(call: PassingCall, success: boolean, answer?: string): CallRecord | undefined {
      if (bus.wants('tool.completed')) bus.emit('tool.completed', input(call, ended(call, success)));
      return kept() ? keep(call, success, answer) : undefined;
    },
    /** Does what is no call of a tool, and keeps how it went. */
    async recorded(
      operation: 'search' | 'describe',
      body: Json,
      caller: Caller,
      run: () => Promise<Json>,
    ): Promise<Json> {
      if (!kept()) return run();
      const { meta, ...args } = body;
      const call = { operation, slug: operation, args, meta: objectOf(meta), caller, began: performance.now() };
      try {
        const answer = await run();
        keep(call, true);
        return answer;
      } catch (error) {
        keep(call, false, undefined, failure(error));
        throw error;
      }
    },
    failed(call: PassingCall, error: unknown): void {
      if (!(kept() || bus.wants('tool.failed'))) return;
      const failed = failure(error);
      if (bus.wants('tool.failed')) bus.emit('tool.failed', input(call, Object.assign(ended(call, false), failed)));
      if (kept()) keep(call, false, undefined, failed);
    },
  };
}

type Failed = Pick<ToolFailure, 'error_kind' | 'error_message'>;

/** The call for who keeps it: nothing of its request and its session but what is told here. */
function recordOf(call: PassingCall, ok: boolean, answer?: string, failed?: Failed): CallRecord {
  const { operation, route, slug, record, caller, args, meta, began, sent = 0, answered = 0, toolMs } = call;
  const { http, clientInfo: client } = caller;
  return callRecord({
    transport: client ? 'mcp' : 'rest',
    headers: http?.headers ?? {},
    peer: http?.socket.remoteAddress,
    client,
    meta,
    operation,
    route,
    slug: record?.tool_slug ?? slug.slice(0, longestName),
    tool: record?.backend_tool ?? slug.slice(0, longestName),
    skill: record?.skill_name ?? null,
    dccType: record?.dcc_type,
    instanceId: record?.instance_id,
    requestId: caller.requestId,
    traceId: caller.traceId,
    sessionId: caller.session?.id,
    traceparent: caller.traceparent ?? '',
    parentRequestId: caller.parentRequestId,
    ok,
    errorKind: failed?.error_kind,
    error: failed?.error_message,
    arrived: caller.arrived ?? began,
    began,
    sent,
    answered,
    ended: performance.now(),
    toolMs,
    args,
    answer,
  });
}
