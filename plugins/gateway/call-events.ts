/** The tool events of the gateway's own bus: what audit, webhooks and telemetry hear of the calls that pass. */

import { type EventRecord, isSvcError, type Kernel, messageOf } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import type { Caller } from './api.ts';
import type { CapabilityRecord } from './index/api.ts';
import { dccOf } from './requests.ts';
import { kindOf } from './target.ts';

export const callEvents = {
  'tool.completed': 'an instance answered a call that came through the gateway',
  'tool.failed': 'a call through the gateway failed, here or at its instance',
  'tools.list_changed': 'clients are told to list the tools again',
} as const;

/** Where subscribers in the process find the arguments: neither JSON nor a structured clone carries the key. */
const callArguments = Symbol.for('svc.tool.arguments');

/** One call on its way: the body as it was read, who asks, and the tool once it is found. */
export interface PassingCall {
  readonly slug: string;
  readonly args: Json;
  readonly meta: Json;
  readonly caller: Caller;
  readonly began: number;
  record?: CapabilityRecord;
}

export function createCallEvents({ bus }: Pick<Kernel, 'bus'>) {
  const emit = (name: string, call: PassingCall, success: boolean, more?: EventRecord): void => {
    if (!bus.wants(name)) return;
    const { slug, record, caller, meta, began, args } = call;
    const attributes: EventRecord = {
      tool_slug: record?.tool_slug ?? slug.slice(0, 200),
      tool_name: record?.backend_tool ?? slug.slice(0, 200),
      duration_ms: Math.round((performance.now() - began) * 1000) / 1000,
      result_success: success,
      ...more,
    };
    (attributes as Record<symbol, unknown>)[callArguments] = args;
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
  };

  return {
    ended: (call: PassingCall, success: boolean): void => emit('tool.completed', call, success),
    failed: (call: PassingCall, error: unknown): void =>
      emit('tool.failed', call, false, {
        error_kind: isSvcError(error) ? kindOf(error) : 'internal',
        error_message: messageOf(error),
      }),
  };
}
