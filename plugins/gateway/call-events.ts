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
import { hookAnswer } from '../../schemas/hook-answer.ts';
import type { Json } from '../../schemas/loose.ts';
import { callPassage, type Passage } from '../../schemas/passage.ts';
import {
  addCaller,
  callArguments,
  failureAttributes,
  sinceMs,
  type ToolEnd,
  type ToolEvent,
  toldText,
} from '../../schemas/tool-event.ts';
import type { VetoableEvent } from '../../schemas/vetoable-events.ts';
import type { Caller } from './api.ts';
import type { CapabilityRecord } from './index/api.ts';
import { dccOf } from './requests.ts';
import { createSkillEvents } from './skill-events.ts';
import { kindOf } from './target.ts';

export const callEvents = {
  'tool.dispatched': 'a call is about to be sent to its instance; a policy hook may veto it',
  'tool.completed': 'an instance answered a call that came through the gateway',
  'tool.failed': 'a call through the gateway failed, here or at its instance',
  'skill.loading': 'the load of a skill that came through the gateway begins; a policy hook may veto it',
  'skill.loaded': 'an instance loaded a skill, as it was asked to through the gateway',
  'skill.unloaded': 'an instance unloaded a skill, as it was asked to through the gateway',
  'skill.validation_failed': 'a load through the gateway failed: at its instance, or because a policy hook vetoed it',
  'tools.list_changed': 'clients are told to list the tools again',
} as const;

/** One call on its way: the body as it was read, who asks, and the tool once it is found. */
export interface PassingCall {
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

export type CallEvents = ReturnType<typeof createCallEvents>;

export function createCallEvents({ bus, hooks, ids, config }: Pick<Kernel, 'bus' | 'hooks' | 'ids' | 'config'>) {
  const toolOf = ({ slug, record, meta }: PassingCall): ToolEvent => {
    const known: ToolEvent = {
      tool_slug: record?.tool_slug ?? slug.slice(0, 200),
      tool_name: record?.backend_tool ?? slug.slice(0, 200),
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

  const ended = (call: PassingCall, success: boolean, passage: Passage): ToolEnd =>
    Object.assign(toolOf(call), {
      duration_ms: sinceMs(call.began),
      result_success: success,
      [callArguments]: call.args,
      [callPassage]: passage,
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
      ...{ bus, hooks, input, failure },
      ask: (call, about) => ask('skill.loading', call, about),
    }),
    /** Whether anybody hears how calls end. */
    wanted: (): boolean => bus.wants('tool.completed'),
    /** Gives how the call went, where anybody hears of it. */
    ended(call: PassingCall, success: boolean, answer?: string): Passage | undefined {
      if (!bus.wants('tool.completed')) return undefined;
      const passage = passageOf(call, answer);
      bus.emit('tool.completed', input(call, ended(call, success, passage)));
      passage.answer = undefined;
      return passage;
    },
    failed(call: PassingCall, error: unknown): void {
      if (!bus.wants('tool.failed')) return;
      const about = ended(call, false, passageOf(call, undefined));
      bus.emit('tool.failed', input(call, Object.assign(about, failure(error))));
    },
  };
}

/** The call for who keeps it: nothing of its request and its session but what is told here. */
function passageOf(call: PassingCall, answer: string | undefined): Passage {
  const { caller, meta, began, sent = 0, answered = 0, toolMs } = call;
  const { http, clientInfo } = caller;
  return {
    origin: {
      transport: clientInfo ? 'mcp' : 'rest',
      headers: http?.headers ?? {},
      peer: http?.socket.remoteAddress,
      client: clientInfo,
      meta,
    },
    traceparent: caller.traceparent ?? '',
    parentRequestId: caller.parentRequestId,
    arrived: caller.arrived ?? began,
    began,
    sent,
    answered,
    ended: performance.now(),
    toolMs,
    answer,
    told: { at: 0, format: undefined, original_bytes: 0, returned_bytes: 0 },
  };
}
