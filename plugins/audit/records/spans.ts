/** Where the time of a call went: client -> gateway -> adapter -> skill, as far as it came. */
import type { CallRecord } from '../../../schemas/call-record.ts';
import type { Target } from './repeated.ts';
import { nanoseconds, plain } from './row-text.ts';

export interface SpanParts {
  readonly spanId: string | undefined;
  readonly parentId: string | undefined;
  readonly target: Target;
  /** Of the answer, where it went out as it is. */
  readonly bytes: number;
}

/** Ids of the parts of a call: made of its span's, so that they are the same whenever somebody looks. */
const turned = (id: string, by: number): string => id.slice(by) + id.slice(0, by);

/** The members of a list. `timeOrigin` is that of the moments in `record`. */
export function spansOf(record: CallRecord, parts: SpanParts, timeOrigin: number): string {
  const { spanId = '', parentId, target } = parts;
  const { ok, arrived, began, sent, answered, ended, toolMs, toldAt, format } = record;
  const span = (id: string, parent: string | undefined, name: string, from: number, to: number, told: string) =>
    `{"span_id":"${id}"${plain('parent_span_id', parent)},"name":"${name}","started_ns":${nanoseconds(timeOrigin + from)},` +
    `"duration_ns":${Math.max(0, Math.round((to - from) * 1e6))},"ok":${ok},"attributes":{${told.slice(1)}}}`;
  const client = turned(spanId, 5);
  const adapter = turned(spanId, 10);
  const returned = record.returnedBytes || parts.bytes;
  const bytes = returned > 0 ? `,"returned_bytes":${returned}` : '';
  const end = plain('transport', record.transport) + plain('response_format', format) + bytes;
  const outer =
    `${span(client, parentId, 'client', arrived, toldAt || ended, end)},` +
    span(spanId, client, 'gateway', began, ended, `,"tool_slug":${target.slug}`);
  if (sent === 0) return outer;
  const to = answered || ended;
  const asked = `${outer},${span(adapter, spanId, 'adapter', sent, to, target.adapter)}`;
  if (toolMs === undefined) return asked;
  // Clocks of two machines differ: the tool is shown in the middle of what its instance took.
  const start = sent + Math.max(0, to - sent - toolMs) / 2;
  return `${asked},${span(turned(spanId, 3), adapter, 'skill', start, start + toolMs, target.tool)}`;
}
