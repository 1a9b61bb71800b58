/**
 * Who made a call, as far as anybody says so: its `agent_context`, headers, what an MCP client calls itself, where its
 * connection comes from; and how much each of these is worth. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { type Json, objectOf, text } from './loose.ts';
import { withoutSecrets } from './redaction.ts';
import { remembered } from './remembered.ts';

/** Where a call came from. */
export interface Origin {
  readonly transport: 'mcp' | 'rest';
  readonly headers: IncomingHttpHeaders;
  /** Address at the other end. */
  readonly peer: string | undefined;
  /** What an MCP client says that it is. */
  readonly client: Readonly<Json> | undefined;
  /** `_meta` of the call. */
  readonly meta: Readonly<Json>;
}

/** Who says it: the caller itself, a header that somebody on the way may have set, or what this process sees. */
export type Trust = 'self_reported' | 'header' | 'server_derived';

export interface LlmUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  total_tokens?: number;
  model?: string;
}

export type Attribution = { [K in (typeof fields)[number]]?: string } & {
  source_ip?: string;
  /** `loopback`, `private` or `public`. */
  source_class?: string;
  attribution_trust?: Record<string, Trust>;
  parent_request_id?: string;
  llm_usage?: LlmUsage;
};

/** By their names in `agent_context`; as a header `x-svc-agent-id` and so on. */
const fields = [
  ...(['agent_id', 'agent_name', 'agent_model', 'actor_id', 'actor_name', 'actor_email_hash'] as const),
  ...(['client_platform', 'client_os', 'client_host', 'auth_subject'] as const),
] as const;

const headerOf = Object.fromEntries(fields.map(name => [name, `x-svc-${name.replaceAll('_', '-')}`]));
/** Headers that say who calls, in lower case. */
export const attributionHeaders: readonly string[] = [
  ...Object.values(headerOf),
  'user-agent',
  'x-svc-parent-request-id',
];
const maxLength = 256;
const control = /\p{Cc}+/gu;

/** A short text of one line without secrets; nothing for what is none. */
export function told(value: unknown): string | undefined {
  const given = text(Array.isArray(value) ? value[0] : value)
    ?.slice(0, 2 * maxLength)
    .replace(control, ' ')
    .trim();
  return given === undefined || given === '' ? undefined : withoutSecrets(given).slice(0, maxLength);
}

export function attributionOf({ headers, peer, client, meta }: Origin): Attribution {
  const context = objectOf(meta.agent_context);
  const found: Attribution = {};
  const trust: Record<string, Trust> = {};
  const take = (name: (typeof fields)[number], value: string | undefined, by: Trust): void => {
    if (value === undefined || found[name] !== undefined) return;
    found[name] = value;
    trust[name] = by;
  };
  for (const name of fields) {
    take(name, told(headers[headerOf[name] as string]), 'header');
    take(name, told(context[name]), 'self_reported');
  }
  const agent = objectOf(context.agent);
  take('agent_id', told(agent.id), 'self_reported');
  take('agent_name', told(context.name) ?? told(agent.name), 'self_reported');
  take('agent_model', told(context.model) ?? told(agent.model), 'self_reported');
  const name = told(client?.name);
  const version = told(client?.version);
  take('agent_name', name, 'self_reported');
  take('client_platform', name && version ? `${name}/${version}` : name, 'self_reported');
  take('client_platform', told(headers['user-agent']?.split(' ', 1)[0]), 'header');
  if (peer !== undefined) {
    found.source_ip = peer;
    found.source_class = knownClassOf(peer);
    trust.source_ip = 'server_derived';
  }
  const parent = told(headers['x-svc-parent-request-id']) ?? told(context.parent_request_id);
  if (parent !== undefined) found.parent_request_id = parent;
  const usage = usageOf(objectOf(meta.llm_usage ?? context.llm_usage));
  if (usage) found.llm_usage = usage;
  if (Object.keys(trust).length > 0) found.attribution_trust = trust;
  return found;
}

function usageOf(given: Json): LlmUsage | undefined {
  const usage: LlmUsage = {};
  for (const name of ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const) {
    const value = given[name];
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) usage[name] = value;
  }
  const model = told(given.model);
  if (model !== undefined) usage.model = model;
  return Object.keys(usage).length > 0 ? usage : undefined;
}

/** Where an address belongs to. */
export function classOf(address: string): 'loopback' | 'private' | 'public' {
  const range = ipaddr.isValid(address) ? ipaddr.process(address).range() : 'loopback';
  if (range === 'unicast') return 'public';
  return range === 'loopback' ? range : 'private';
}

const knownClassOf = remembered(classOf);
