/** What an instance refuses to read or to render, with the status that its own REST routes give it (shape:instance). Pure. */
import { isSvcError } from '../../../kernel/index.ts';

const notFound = { http: 404, kind: 'not-found' };
const invalid = { http: 400, kind: 'invalid-params' };

/** Numbers of MCP: a method that is off, a resource that is not there or switched off, parameters that are wrong. */
const byNumber: Readonly<Record<number, { http: number; kind: string }>> = {
  [-32601]: notFound,
  [-32002]: notFound,
  [-32602]: invalid,
};

/** The error with its own number and message, about `uri` as the client knows it; only a failure of the instance stays one of the gateway's backends. */
export function refusalOf(error: unknown, uri?: string): unknown {
  if (!isSvcError(error) || error.code !== 'SVC_BACKENDS_RPC_ERROR') return error;
  const { code, data } = (error.details.backend_error ?? {}) as { code?: number; data?: { code?: unknown } | null };
  const missing = /_NOT_FOUND$/.test(String(data?.code));
  const status = code === -32602 && missing ? notFound : byNumber[Number(code)];
  const details = uri === undefined ? error.details : { ...error.details, uri };
  return status ? Object.assign(error, { details, row: { ...error.row, ...status } }) : error;
}
