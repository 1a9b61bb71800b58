/** The session revisions of MCP that this endpoint speaks, and what differs between them. */
import type { SvcError } from '../../../kernel/index.ts';
import { mcpErrors } from '../errors.ts';

/** Newest first. Dates compare as text. */
export const sessionRevisions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** What a client speaks that says nothing of it. */
export const oldestRevision = '2025-03-26';

/** The revision without sessions. */
export const sessionlessRevision = '2026-07-28';

/** Everything that is spoken here, newest first: what server/discover says and what a refused version is told. */
export const revisions: readonly string[] = [sessionlessRevision, ...sessionRevisions];

/** Whether a version is of the sessionless kind, known or not. Dates compare as text. */
export const isSessionless = (version: string): boolean =>
  version >= sessionlessRevision && /^\d{4}-\d{2}-\d{2}$/.test(version);

/** The revision for a session: the requested one when it is supported, else the newest; no word of it means the oldest. */
export function negotiate(requested: string | undefined): string {
  if (requested === undefined) return sessionRevisions.at(-1) as string;
  return sessionRevisions.includes(requested) ? requested : (sessionRevisions[0] as string);
}

/** JSON-RPC batches exist in 2025-03-26 only. */
export const hasBatches = (revision: string): boolean => revision === '2025-03-26';

/** `title` beside `name` came with 2025-06-18. */
export const hasTitles = (revision: string): boolean => revision >= '2025-06-18';

/** Streams begin with an event that carries an id and no data since 2025-11-25; older clients choke on it. */
export const primesStreams = (revision: string): boolean => revision >= '2025-11-25';

/** What an answer to an unreadable id carries: nothing since 2025-11-25, null before. */
export const unknownId = (revision: string): null | undefined => (revision >= '2025-11-25' ? undefined : null);

/** Why an `MCP-Protocol-Version` header is refused; an absent one never is. */
export function versionProblem(header: string | string[] | undefined): SvcError | undefined {
  if (header === undefined || sessionRevisions.includes(header as string)) return undefined;
  return mcpErrors.PROTOCOL_VERSION({ requested: String(header), supported: sessionRevisions });
}
