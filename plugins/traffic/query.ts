/** What readers of the live sink ask for: which frames, how many, and from where on. */
import { badCursor, decodeCursor, encodeCursor } from '../../kernel/index.ts';
import { matches } from '../../schemas/search-words.ts';
import { isLike } from '../../schemas/wildcard.ts';
import type { KeptFrame } from './api.ts';
import type { TrafficFrame } from './events.ts';

export interface TrafficQuery {
  limit?: string;
  cursor?: string;
  leg?: string;
  direction?: string;
  kind?: string;
  url?: string;
  session_id?: string;
  capture_id?: string;
  request_id?: string;
  instance_id?: string;
  dcc_type?: string;
  /** Words, all of which stand in the method, the path or an id. */
  search?: string;
  /** Shows bodies, too. */
  bodies?: string;
}

/** Ask for an encoding, and are read elsewhere. */
export const encodingNames: readonly string[] = [
  ...['response_format', 'responseFormat', 'format', 'output_format', 'compact'],
];

export const mostRows = 1000;
export const listRows = 300;

/** How many frames are asked for. */
export const rowsOf = ({ limit }: TrafficQuery, otherwise: number): number =>
  limit === undefined ? otherwise : Number(limit);

export const showsBodies = ({ bodies }: TrafficQuery): boolean => bodies === 'true' || bodies === '1';

/** Whether a frame is one of those asked for; patterns may have a star. */
export function isAsked(query: TrafficQuery, { event }: KeptFrame): boolean {
  const { attributes: frame, correlation } = event;
  const holds = (wanted: string | undefined, value: unknown): boolean =>
    wanted === undefined || (value !== undefined && isLike(String(value), [wanted]));
  return (
    holds(query.leg, frame.leg) &&
    holds(query.direction, frame.direction) &&
    holds(query.kind, frame.mcp.kind) &&
    holds(query.url, frame.http.url) &&
    holds(query.session_id, frame.session_id) &&
    holds(query.capture_id, frame.capture_id) &&
    holds(query.request_id, correlation.request_id) &&
    holds(query.instance_id, frame.instance_id) &&
    holds(query.dcc_type, frame.dcc_type) &&
    matches(query.search ?? '', ...textsOf(event))
  );
}

const textsOf = ({ attributes: { mcp, http, capture_id, dcc_type }, correlation }: KeptFrame['event']): string[] =>
  [mcp.method, http.url, capture_id, dcc_type, correlation.request_id, correlation.trace_id].map(each =>
    String(each ?? ''),
  );

/** The name of a file that says what of the traffic is in it: `traffic-gateway_to_client-wired.jsonl`. */
export function fileName({ limit, cursor, bodies, ...given }: TrafficQuery): string {
  const filters = Object.entries(given).filter(([name]) => !encodingNames.includes(name));
  const parts = filters.map(([, each]) => each.replaceAll(/[^\w.]+/g, '_').slice(0, 40));
  return `${['traffic', ...parts].join('-')}.jsonl`;
}

/** The newest first, from the cursor on to older ones. */
export function pageOf(kept: readonly KeptFrame[], query: TrafficQuery) {
  const [before = Number.POSITIVE_INFINITY] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 1);
  if (before === 0) throw badCursor();
  const asked = kept.filter(each => each.number < before && isAsked(query, each)).reverse();
  const page = asked.slice(0, rowsOf(query, listRows));
  const last = page.at(-1);
  const next_cursor = last && asked.length > page.length ? encodeCursor(last.number) : undefined;
  return { total: asked.length, page, next_cursor };
}

/** A frame as lists show it: about its body only what does not tell it. */
export function shown({ number, event }: KeptFrame, bodies = false) {
  const { id, timestamp_ns, source, correlation, attributes } = event;
  const told = bodies ? attributes : { ...attributes, body: withoutData(attributes.body) };
  return { event: { id, number, name: event.name, timestamp_ns, source, correlation }, attributes: told };
}

function withoutData({ size_bytes, redacted_paths, truncated }: TrafficFrame['body']) {
  return { size_bytes, redacted_paths, ...(truncated && { truncated }) };
}
