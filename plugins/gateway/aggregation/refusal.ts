/** What an instance refuses to read or to render, with the status that its own REST routes give it (shape:instance). Pure. */
import { isSvcError, type SvcError } from '../../../kernel/index.ts';
import { numberOf } from '../../../schemas/error-rows.ts';

const notFound = { http: 404, kind: 'not-found' };
const invalid = { http: 400, kind: 'invalid-params' };

/** Numbers of MCP: a method that is off, a resource that is not there or switched off, parameters that are wrong. */
const byNumber: Readonly<Record<number, { http: number; kind: string }>> = {
  [-32601]: notFound,
  [-32002]: notFound,
  [-32602]: invalid,
};

/** One thing by its two names: that of its instance, and the one that clients know it by. */
export interface Named {
  readonly theirs: string;
  readonly ours: string;
}

/** A text of an instance with the client's name in it: of a URI wherever it stands, of a word where it is quoted. */
const renamed = (text: string, { theirs, ours }: Named): string =>
  isUri(ours) ? text.replaceAll(theirs, ours) : text.replaceAll(`"${theirs}"`, `"${ours}"`);

/** The error with its own number and message, about what the client asked for; only a failure of the instance stays one of the gateway's backends. */
export function refusalOf(error: unknown, named: Named): unknown {
  if (!isForeign(error)) return error;
  const { code, data } = (error.details.backend_error ?? {}) as { code?: number; data?: { code?: unknown } | null };
  const missing = /_NOT_FOUND$/.test(String(data?.code));
  const status = code === -32602 && missing ? notFound : byNumber[Number(code)];
  const message = renamed(error.message, named);
  const about = isUri(named.ours) ? { uri: named.ours } : { name: named.ours };
  const details = { ...error.details, ...about, reason: renamed(String(error.details.reason ?? ''), named) };
  return Object.assign(error, { message, details, row: { ...error.row, ...status } });
}

/** Every URI of the gateway has the place of an instance in it. */
const isUri = (name: string): boolean => name.includes('://');

const isForeign = (error: unknown): error is SvcError => isSvcError(error) && error.code === 'SVC_BACKENDS_RPC_ERROR';

/** The same of a resource: what the gateway itself cannot do for it has the specification's one number for that (shape:call). */
export function resourceRefusalOf(error: unknown, ours: string, theirs = ours): unknown {
  if (isForeign(error) || !isSvcError(error)) return refusalOf(error, { theirs, ours });
  const [session, sessionless] = [numberOf(error.row, 'session'), numberOf(error.row, 'sessionless')];
  return Object.assign(error, { row: { ...error.row, rpc: -32002, session, sessionless } });
}
