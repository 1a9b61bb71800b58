/** The three tool events (specification: Built-in events), built only when someone listens. */
import { type EventEnvelope, type EventInput, isSvcError, type Kernel, messageOf } from '../../kernel/index.ts';
import { type Asked, correlationOf, isThroughGateway } from '../../schemas/asked-by.ts';
import {
  callArguments,
  failureAttributes,
  sinceMs,
  type ToolEnd,
  type ToolErrorKind,
  type ToolEvent,
  type ToolFailure,
  toldText,
} from '../../schemas/tool-event.ts';
import type { CallInput, ToolRecord } from './api.ts';
import type { Call } from './call.ts';
import { rationaleOf } from './rationale.ts';

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
    if (rationale !== undefined) known.rationale = toldText(rationale);
    return values;
  };

  const attributes = (call: Call): ToolEvent =>
    describe({ tool_slug: slugOf(call.tool), tool_name: call.tool.name }, call);

  const input = <A>(call: Asked, values: A): EventInput<A> => ({
    source: isThroughGateway(call) ? viaGateway : source,
    correlation: correlationOf(call),
    attributes: values,
  });

  const ended = (call: Call, success: boolean): ToolEnd =>
    describe(
      {
        tool_slug: slugOf(call.tool),
        tool_name: call.tool.name,
        duration_ms: sinceMs(call.began),
        result_success: success,
        [callArguments]: call.args,
      },
      call,
    );

  return {
    /** The `tool.dispatched` envelope for the veto hooks, not emitted. */
    proposal(call: Call): EventEnvelope {
      const event = { schema_version: 1, name: 'tool.dispatched', id: ids.event(), timestamp_ns: ids.nowNs() } as const;
      return { ...event, source, correlation: {}, attributes: {}, ...input(call, attributes(call)) };
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
    unknown({ rpc, meta = {} }: Pick<CallInput, 'rpc' | 'meta'>, name: string, error: unknown): void {
      if (!bus.wants('tool.failed')) return;
      const rationale = rationaleOf(meta);
      const call: Asked = { requestId: rpc?.requestId, session: rpc?.session, rpc, meta };
      const known = {
        tool_slug: name,
        tool_name: name,
        ...(rationale !== undefined && { rationale: toldText(rationale) }),
      };
      bus.emit(
        'tool.failed',
        input(call, { ...known, duration_ms: 0, result_success: false, ...failure('metadata_not_found', error) }),
      );
    },
  };
}

/** What `tool.failed` says of an error. */
const failure = (kind: ToolErrorKind, error: unknown) =>
  failureAttributes(kind, messageOf(error), isSvcError(error) ? error.details : {});

function hasMembers(value: object): boolean {
  for (const _ in value) return true;
  return false;
}
