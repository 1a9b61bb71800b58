/** Why a tool is called: `_meta.dcc.rationale` of tools/call (specification: Request metadata). */

/** The rationale of a tools/call request's params; nothing when there is none or it is not a text. */
export function extractRationale(params: unknown): string | undefined {
  return rationaleOf(member(params, '_meta'));
}

export function rationaleOf(meta: unknown): string | undefined {
  const text = member(member(meta, 'dcc'), 'rationale');
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** A `_meta` fragment that carries the rationale. */
export function rationaleMeta(text: string): { dcc: { rationale: string } } {
  return { dcc: { rationale: text } };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
