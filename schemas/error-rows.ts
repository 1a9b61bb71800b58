/** Rows of the error table: what JSON-RPC, HTTP and REST call an error, and which number each revision answers with. Pure. */

/** Which lifecycle a request belongs to. */
export type Era = 'session' | 'sessionless';

/** Whose numbers an error answers with: 2025-03-26 has the specification's to the letter, later revisions MCP's own. */
export type Codec = 'specification' | Era;

export function codecOf(revision: string): Codec {
  if (revision === '2025-03-26') return 'specification';
  return revision >= '2026' ? 'sessionless' : 'session';
}

export interface ErrorRow {
  /** JSON-RPC number of the specification, which 2025-03-26 answers with; null for an error that never travels as JSON-RPC. */
  rpc: number | null;
  /** JSON-RPC number from 2025-06-18 on, when it differs. */
  session?: number;
  /** JSON-RPC number of the sessionless revisions, when it differs from that. */
  sessionless?: number;
  /** HTTP status. */
  http: number;
  /** Message with `{name}` placeholders filled from the details. */
  template: string;
  /** REST kind, where the contract names one; otherwise the code in kebab-case. */
  kind?: string;
  /** Code without the prefix, for names that the specification fixes. */
  bare?: true;
}

/** Numbers that newer revisions leave to implementations that had them already: they say one only where its row does. */
const isLegacy = (number: number): boolean => number <= -32000 && number >= -32019;

/** The number that a row answers with. */
export function numberOf({ rpc, session, sessionless }: ErrorRow, codec: Codec): number {
  if (codec === 'specification') return rpc ?? -32603;
  const own = codec === 'session' ? session : sessionless;
  if (own !== undefined) return own;
  const other = (codec === 'session' ? undefined : session) ?? rpc ?? -32603;
  return isLegacy(other) ? -32603 : other;
}

/** Rows that share all but their templates: what JSON-RPC, HTTP and REST call them, then each of them. */
export const alike = <const Templates extends Record<string, string>>(
  [rpc, http, kind]: readonly [rpc: number | null, http: number, kind?: string],
  templates: Templates,
) =>
  Object.fromEntries(
    Object.entries(templates).map(([key, template]) => [key, { rpc, http, template, ...(kind && { kind }) }]),
  ) as { readonly [Key in keyof Templates]: { rpc: number | null; http: number; kind?: string; template: string } };

/** The REST kind of a row: its own, or its code in kebab-case (`SVC_TOOLS_NOT_FOUND` is `tools-not-found`). */
export const kindOf = (code: string, { kind }: ErrorRow): string =>
  kind ?? code.replace(/^SVC_/, '').toLowerCase().replaceAll('_', '-');

/** A template with what the details say. */
export const filled = (template: string, details: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, key: string) => (key in details ? String(details[key]) : whole));

/** Details as JSON carries them; nothing when it cannot (a cycle, a BigInt). */
export function plain(details: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(details)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
