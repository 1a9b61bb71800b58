/** The three tool events (specification: Built-in events), built only when someone listens. */
import { type EventEnvelope, type EventInput, type EventRecord, isSvcError, type Kernel } from '../../kernel/index.ts';
import { objectOf, text } from '../../schemas/loose.ts';
import { behind, isGateway } from '../../schemas/on-behalf.ts';
import { callArguments } from '../../schemas/passage.ts';
import { traceOf } from '../../schemas/traceparent.ts';
import type { ToolRecord } from './api.ts';
import type { Call } from './call.ts';
import { rationaleOf } from './rationale.ts';

export type ToolEvent = {
  /** `<dcc>.<skill>.<action>` */
  tool_slug: string;
  tool_name: string;
  dcc_type?: string;
  skill_name?: string;
  group?: string;
  annotations?: object;
  /** Why the caller makes the call, where it says so. */
  rationale?: string;
};

export type ToolEnd = ToolEvent & { duration_ms: number; result_success: boolean };

export type ToolFailure = ToolEnd & {
  error_kind: string;
  error_message: string;
  /** Of a policy hook that forbade it. */
  veto_code?: unknown;
  veto_reason?: unknown;
};

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'tool.dispatched': ToolEvent;
    'tool.completed': ToolEnd;
    'tool.failed': ToolFailure;
    'tools.list_changed': Record<string, never>;
  }
}

export const toolsEvents = {
  'tool.dispatched':
    'a call passed lookup, policy and schema validation and is about to run; a policy hook may veto it',
  'tool.completed': 'the handler returned successfully',
  'tool.failed': 'lookup, policy, validation or handler execution failed',
  'tools.list_changed': 'clients are told to list the tools again; once for a burst of changes',
} as const;

export type ToolErrorKind =
  | 'handler_not_found'
  | 'metadata_not_found'
  | 'validation_failed'
  | 'handler_error'
  | 'action_disabled'
  | 'thread_affinity_violation'
  | 'event_vetoed';

/** `<dcc>.<skill>.<action>` without the parts that a tool does not have. */
export function toolSlug(record: Pick<ToolRecord, 'dcc' | 'skill_name' | 'action'>, dccType: string | null): string {
  return [record.dcc || dccType, record.skill_name, record.action].filter(Boolean).join('.');
}

export function createToolEvents({ bus, ids }: Pick<Kernel, 'bus' | 'ids'>, dccType: string | null) {
  const source = dccType === null ? {} : { dcc_type: dccType };
  /** Of a call that came through a gateway, which tells its own bus of it. */
  const viaGateway = { ...source, via: 'gateway' };
  /** Slugs by record, which never changes. */
  const slugs = new WeakMap<ToolRecord, string>();

  const slugOf = (tool: ToolRecord): string => {
    let slug = slugs.get(tool);
    if (slug === undefined) {
      slug = toolSlug(tool, dccType);
      slugs.set(tool, slug);
    }
    return slug;
  };

  /** Adds what is known of the tool and its call. Members are added one by one: cloning prepared ones costs more. */
  const describe = <T extends ToolEvent>(values: T, { tool, meta }: Call): T => {
    const known: ToolEvent = values;
    const dcc = tool.dcc || dccType;
    if (dcc) known.dcc_type = dcc;
    if (tool.skill_name !== undefined) known.skill_name = tool.skill_name;
    if (tool.group !== '') known.group = tool.group;
    if (hasMembers(tool.annotations)) known.annotations = tool.annotations;
    const rationale = rationaleOf(meta);
    if (rationale !== undefined) known.rationale = rationale;
    return values;
  };

  const attributes = (call: Call): ToolEvent =>
    describe({ tool_slug: slugOf(call.tool), tool_name: call.tool.name }, call);

  const input = <A>(call: Pick<Call, 'requestId' | 'session' | 'meta' | 'rpc'>, values: A): EventInput<A> => {
    const correlation: Record<string, unknown> = {};
    if (call.requestId !== undefined) correlation.request_id = call.requestId;
    const trace = traceOf(call.meta.traceparent);
    if (trace) correlation.trace_id = trace.traceId;
    if (call.session) correlation.session_id = call.session.id;
    nameCaller(correlation, call);
    const via = call.session !== undefined && isGateway(call.session.clientCapabilities);
    return { source: via ? viaGateway : source, correlation, attributes: values };
  };

  const ended = (call: Call, success: boolean): ToolEnd =>
    describe(
      {
        tool_slug: slugOf(call.tool),
        tool_name: call.tool.name,
        duration_ms: Math.round((performance.now() - call.began) * 1000) / 1000,
        result_success: success,
        [callArguments]: call.args,
      },
      call,
    );

  return {
    /** The `tool.dispatched` envelope for the veto hooks, not emitted. */
    proposal(call: Call): EventEnvelope {
      const event = { schema_version: 1, name: 'tool.dispatched', id: ids.event(), timestamp_ns: ids.nowNs() } as const;
      return { ...event, source, attributes: {}, correlation: {}, ...input(call, attributes(call)) };
    },
    dispatched(call: Call): void {
      if (bus.wants('tool.dispatched')) bus.emit('tool.dispatched', input(call, attributes(call)));
    },
    completed(call: Call, success: boolean): void {
      if (!bus.wants('tool.completed')) return;
      bus.emit('tool.completed', input(call, ended(call, success)));
    },
    failed(call: Call, kind: ToolErrorKind, error: unknown): void {
      if (!bus.wants('tool.failed')) return;
      bus.emit('tool.failed', input(call, Object.assign(ended(call, false), failure(kind, error))));
    },
    /** A call of a name that is no tool. */
    unknown(call: Pick<Call, 'requestId' | 'session' | 'meta' | 'rpc'>, name: string, error: unknown): void {
      if (!bus.wants('tool.failed')) return;
      const rationale = rationaleOf(call.meta);
      const known = { tool_slug: name, tool_name: name, ...(rationale !== undefined && { rationale }) };
      bus.emit(
        'tool.failed',
        input(call, { ...known, duration_ms: 0, result_success: false, ...failure('metadata_not_found', error) }),
      );
    },
  };
}

/** Who calls, as it says itself; through a gateway, who stands behind that. Hooks may go by it. */
function nameCaller(correlation: EventRecord, { rpc, meta, session }: Pick<Call, 'rpc' | 'meta' | 'session'>): void {
  const client = text(behind(session?.clientCapabilities, meta).name) ?? text(rpc?.clientInfo.name);
  if (client !== undefined) correlation.client = client;
  const agent = text(objectOf(meta.agent_context).agent_id);
  if (agent !== undefined) correlation.agent_id = agent;
}

function failure(kind: ToolErrorKind, error: unknown): Omit<ToolFailure, keyof ToolEnd> {
  const { veto_code, veto_reason } = kind === 'event_vetoed' && isSvcError(error) ? error.details : {};
  return {
    error_kind: kind,
    error_message: error instanceof Error ? error.message : String(error),
    ...(kind === 'event_vetoed' && { veto_code, veto_reason }),
  };
}

function hasMembers(value: object): boolean {
  for (const _ in value) return true;
  return false;
}
