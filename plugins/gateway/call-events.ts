/** The tool events of the gateway's own bus: what audit, webhooks and telemetry hear of the calls that pass. */

import { type EventRecord, isSvcError, type Kernel, messageOf } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import { callArguments, callPassage, type Passage } from '../../schemas/passage.ts';
import type { CallAnswer } from '../rest/api.ts';
import type { Caller } from './api.ts';
import type { CapabilityRecord } from './index/api.ts';
import { dccOf } from './requests.ts';
import { kindOf } from './target.ts';

export const callEvents = {
  'tool.completed': 'an instance answered a call that came through the gateway',
  'tool.failed': 'a call through the gateway failed, here or at its instance',
  'tools.list_changed': 'clients are told to list the tools again',
} as const;

/** One call on its way: the body as it was read, who asks, and the tool once it is found. */
export interface PassingCall {
  readonly slug: string;
  readonly args: Json;
  readonly meta: Json;
  readonly caller: Caller;
  readonly began: number;
  record?: CapabilityRecord;
  /** Moments of `performance.now()`: its instance was asked, and had answered; 0 before. */
  sent: number;
  answered: number;
  /** How long the tool ran at its instance. */
  toolMs: number | undefined;
}

export function createCallEvents({ bus }: Pick<Kernel, 'bus'>) {
  const emit = (
    name: string,
    call: PassingCall,
    success: boolean,
    answer: string | undefined,
    more?: EventRecord,
  ): Passage | undefined => {
    if (!bus.wants(name)) return undefined;
    const { slug, record, caller, meta, began, args } = call;
    const attributes: EventRecord = {
      tool_slug: record?.tool_slug ?? slug.slice(0, 200),
      tool_name: record?.backend_tool ?? slug.slice(0, 200),
      duration_ms: Math.round((performance.now() - began) * 1000) / 1000,
      result_success: success,
      ...more,
    };
    const passage = passageOf(call, answer);
    const hidden = attributes as Record<symbol, unknown>;
    hidden[callArguments] = args;
    hidden[callPassage] = passage;
    const source: EventRecord = {};
    if (record) {
      source.dcc_type = record.dcc_type;
      source.instance_id = record.instance_id;
      if (record.skill_name !== null) attributes.skill_name = record.skill_name;
    }
    const { rationale } = dccOf(meta);
    if (typeof rationale === 'string') attributes.rationale = rationale;
    const correlation: EventRecord = { request_id: caller.requestId, trace_id: caller.traceId };
    if (caller.session) correlation.session_id = caller.session.id;
    bus.emit(name, { source, correlation, attributes });
    return passage;
  };

  return {
    /** Whether anybody hears how calls end. */
    wanted: (): boolean => bus.wants('tool.completed'),
    ended: (call: PassingCall, { text, failed }: CallAnswer): Passage | undefined =>
      emit('tool.completed', call, !failed, text),
    failed: (call: PassingCall, error: unknown): void =>
      void emit('tool.failed', call, false, undefined, {
        error_kind: isSvcError(error) ? kindOf(error) : 'internal',
        error_message: messageOf(error),
      }),
  };
}

/** The call for who keeps it: nothing of its request and its session but what is told here. */
function passageOf({ caller, meta, began, sent, answered, toolMs }: PassingCall, answer: string | undefined): Passage {
  const { http, client } = caller;
  return {
    origin: {
      transport: client ? 'mcp' : 'rest',
      headers: http?.headers ?? {},
      peer: http?.socket.remoteAddress,
      client,
      meta,
    },
    traceparent: caller.traceparent ?? '',
    parentRequestId: caller.parentRequestId,
    ...{ arrived: caller.arrived ?? began, began, sent, answered, ended: performance.now(), toolMs, answer },
    told: { at: 0, format: undefined, original_bytes: 0, returned_bytes: 0 },
  };
}
