/** What rows say again and again: of whom a call came from and where it went, made into text once while it is remembered. */
import { type Attribution, attributionOf } from '../../../schemas/attribution.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { objectOf } from '../../../schemas/loose.ts';
import { paramsText } from '../../../schemas/params-text.ts';
import { withoutSecrets } from '../../../schemas/redaction.ts';
import { rememberedBy } from '../../../schemas/remembered.ts';
import { member, membersOf, plain } from './row-text.ts';

export interface Origin {
  readonly parentRequest: string | undefined;
  /** Members of an audit row. */
  readonly by: string;
  /** Members of a trace. */
  readonly context: string;
  readonly usage: string;
}

export interface Target {
  /** The slug without secrets, as JSON. */
  readonly slug: string;
  readonly how: string;
  readonly where: string;
  readonly skill: string;
  /** Attributes of the spans of the adapter and of the tool. */
  readonly adapter: string;
  readonly tool: string;
}

export function createRepeated() {
  return { originOf: rememberedBy(originKey, madeOrigin), targetOf: rememberedBy(targetKey, madeTarget) };
}

/** All that an origin is made of: not the trace, which is another one for each call. */
function originKey({ attribution, headers, meta, client, peer }: CallRecord): string {
  const { traceparent: _, tracestate: __, ...names } = headers;
  const { agent_context, llm_usage } = meta;
  return JSON.stringify([attribution, names, agent_context, llm_usage, client?.name, client?.version, peer]);
}

/** Names with their lengths before them: callers make some of them up, and none may be taken for another. */
function targetKey(record: CallRecord): string {
  const { transport, operation, route, slug, tool, skill, dccType, instanceId, sessionId } = record;
  const lengths = `${slug.length},${tool.length},${skill?.length},${dccType?.length},${instanceId?.length},${sessionId?.length}`;
  return `${transport},${operation},${route},${lengths}:${slug}${tool}${skill}${dccType}${instanceId}${sessionId}`;
}

function madeOrigin(record: CallRecord): Origin {
  const who: Attribution = record.attribution ?? attributionOf(record);
  const { parent_request_id: parentRequest, ...by } = who;
  const context = objectOf(record.meta.agent_context);
  return {
    parentRequest,
    by: membersOf(by),
    context: Object.keys(context).length > 0 ? `,"agent_context":${paramsText(context)}` : '',
    usage: member('llm_usage', who.llm_usage),
  };
}

function madeTarget(record: CallRecord): Target {
  const { transport, operation, route, slug, tool, skill, dccType, instanceId, sessionId } = record;
  const method = transport === 'mcp' ? 'tools/call' : `POST /v1/${operation ?? route ?? 'call'}`;
  const place = member('instance_id', instanceId) + member('dcc_type', dccType);
  const skillName = member('skill_name', skill ?? undefined);
  return {
    slug: JSON.stringify(withoutSecrets(slug)),
    how: plain('method', method) + plain('transport', transport) + plain('operation', operation),
    where: member('instance_id', instanceId) + member('session_id', sessionId) + member('dcc_type', dccType),
    skill: skillName,
    adapter: place,
    tool: member('tool_name', tool) + skillName,
  };
}
