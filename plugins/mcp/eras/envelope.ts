/** What a sessionless request must say of itself before anything looks at its method: its envelope, repeated in headers. */
import type { IncomingHttpHeaders } from 'node:http';
import { logLevels } from '../../../schemas/log-levels.ts';
import { isObject } from '../../../schemas/loose.ts';
import { mcpErrors } from '../errors.ts';
import { levelRank } from '../streams/levels.ts';
import { envelope, metaOf } from './era.ts';
import { headerText } from './header-text.ts';
import { revisions, sessionlessRevision } from './revision.ts';

type Params = Readonly<Record<string, unknown>>;

/** The member of the params that `Mcp-Name` repeats, by method. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** The envelope of a message that may be served; throws what is wrong with it. */
export function readEnvelope(message: { params?: unknown }, headers: IncomingHttpHeaders): Params {
  const meta = metaOf(message);
  const requested = meta[envelope.version];
  const header = headers['mcp-protocol-version'];
  if (typeof requested === 'string' && requested !== header) throw mismatch('MCP-Protocol-Version', header, requested);
  const problem = envelopeProblem(meta);
  if (problem) throw mcpErrors.ENVELOPE_INVALID({ ...problem, revision: sessionlessRevision });
  if (requested !== sessionlessRevision) throw mcpErrors.UNSUPPORTED_REVISION({ requested, supported: revisions });
  return meta;
}

function envelopeProblem(meta: Params): { reason: string; missing?: readonly string[] } | undefined {
  const missing = [envelope.version, envelope.capabilities].filter(key => meta[key] === undefined);
  if (missing.length > 0) return { reason: `params._meta lacks ${missing.join(' and ')}`, missing };
  if (typeof meta[envelope.version] !== 'string') return { reason: `"${envelope.version}" must be a string` };
  if (!isObject(meta[envelope.capabilities])) return { reason: `"${envelope.capabilities}" must be an object` };
  const client = meta[envelope.client];
  if (client !== undefined && !isObject(client)) return { reason: `"${envelope.client}" must be an object` };
  const level = meta[envelope.logLevel];
  if (level !== undefined && levelRank(level) === undefined) {
    return { reason: `"${envelope.logLevel}" must be one of ${logLevels.join(', ')}` };
  }
  return undefined;
}

/** Throws when the headers that a router reads say something else than the body. */
export function assertRouted(method: string, params: Params, headers: IncomingHttpHeaders): void {
  const said = headers['mcp-method'];
  if (said !== method) throw mismatch('Mcp-Method', said, method);
  const member = named.get(method);
  const name = member === undefined ? undefined : params[member];
  // What is no text is refused by the method itself.
  if (typeof name !== 'string') return;
  const header = headers['mcp-name'];
  if (header === name && !header.startsWith('=?')) return;
  if (headerText(header) !== name) throw mismatch('Mcp-Name', header, name);
}

const shown = 200;

export function mismatch(header: string, found: string | string[] | undefined, body: unknown): Error {
  const value = String(body).slice(0, shown);
  const state = found === undefined ? 'is missing' : `says "${String(found).slice(0, shown)}"`;
  return mcpErrors.HEADER_MISMATCH({ header, state, value });
}
