/** A bounded buffer of host events for one session (specification: Session event payload; shape:session-events). */

export const eventLevels = ['trace', 'debug', 'info', 'warning', 'error'] as const;
export type EventLevel = (typeof eventLevels)[number];

export interface SessionEventInput {
  source: string;
  stream: string;
  /** `warn` is accepted for `warning`. */
  level: EventLevel | 'warn';
  message: string;
  tool_call_id?: string;
  job_id?: string;
  correlation_id?: string;
  metadata?: unknown;
}

export interface SessionEvent extends Omit<SessionEventInput, 'level'> {
  /** 1, 2, 3, ... in the order of arrival. */
  id: number;
  timestamp_ns: number;
  session_id: string;
  level: EventLevel;
  truncation?: { original_size: number; truncated_size: number; max_size: number };
}

export interface EventPage {
  cursor: number;
  /** Id of the last event returned, or the given cursor when none is. */
  next_cursor: number;
  oldest_cursor?: number;
  newest_cursor?: number;
  retained_count: number;
  /** Events lost to overflow or taken by drains. */
  dropped_count: number;
  events: SessionEvent[];
}

export interface BufferOptions {
  session_id: string;
  maxlen?: number;
  /** Longest message in UTF-8 bytes; longer ones are cut and say so. */
  max_message_bytes?: number;
}

const defaults = { maxlen: 1000, max_message_bytes: 4096, limit: 100, mostLimit: 1000 };

export type SessionEventBuffer = ReturnType<typeof createSessionEventBuffer>;

export function createSessionEventBuffer(
  { session_id, maxlen = defaults.maxlen, max_message_bytes = defaults.max_message_bytes }: BufferOptions,
  nowNs: () => number = clock,
) {
  if (typeof session_id !== 'string' || session_id === '') throw new RangeError('"session_id" must be a text');
  if (!Number.isInteger(maxlen) || maxlen < 1) throw new RangeError('"maxlen" must be a whole number of at least 1');
  if (!Number.isInteger(max_message_bytes) || max_message_bytes < 1) {
    throw new RangeError('"max_message_bytes" must be a whole number of at least 1');
  }
  let events: SessionEvent[] = [];
  let lastId = 0;
  let dropped = 0;

  return {
    session_id,
    append(input: SessionEventInput): SessionEvent {
      const level = input.level === 'warn' ? 'warning' : input.level;
      if (!eventLevels.includes(level)) throw new RangeError(`"level" must be one of ${eventLevels.join(', ')}`);
      const metadata = plainMetadata(input.metadata, max_message_bytes);
      lastId += 1;
      const event: SessionEvent = {
        id: lastId,
        timestamp_ns: nowNs(),
        session_id,
        source: String(input.source),
        stream: String(input.stream),
        level,
        ...cut(String(input.message), max_message_bytes),
        ...(input.tool_call_id !== undefined && { tool_call_id: String(input.tool_call_id) }),
        ...(input.job_id !== undefined && { job_id: String(input.job_id) }),
        ...(input.correlation_id !== undefined && { correlation_id: String(input.correlation_id) }),
        ...(metadata !== undefined && { metadata }),
      };
      events.push(event);
      if (events.length > maxlen) {
        events.shift();
        dropped += 1;
      }
      return event;
    },
    /** Events with id > cursor, oldest first; `drain` removes those returned and all older ones. */
    page({
      cursor = 0,
      limit = defaults.limit,
      drain = false,
    }: {
      cursor?: number;
      limit?: number;
      drain?: boolean;
    } = {}): EventPage {
      const start = events.findIndex(event => event.id > cursor);
      const found = start < 0 ? [] : events.slice(start, start + Math.min(limit, defaults.mostLimit));
      const next = found.at(-1)?.id ?? cursor;
      if (drain) {
        const kept = events.filter(event => event.id > next);
        dropped += events.length - kept.length;
        events = kept;
      }
      const oldest = events[0]?.id;
      const newest = events.at(-1)?.id;
      return {
        cursor,
        next_cursor: next,
        ...(oldest !== undefined && { oldest_cursor: oldest }),
        ...(newest !== undefined && { newest_cursor: newest }),
        retained_count: events.length,
        dropped_count: dropped,
        events: found,
      };
    },
  };
}

const clock = (): number => Math.round((performance.timeOrigin + performance.now()) * 1e6);

/** A copy, so that a later change of the original is not seen; throws a TypeError for what is not JSON. */
function plainMetadata(value: unknown, most: number): unknown {
  const text = value === undefined ? undefined : (JSON.stringify(value) as string | undefined);
  if (text === undefined) return undefined;
  const size = Buffer.byteLength(text);
  return size > most ? { truncation: { original_size: size, max_size: most } } : JSON.parse(text);
}

function cut(message: string, most: number): Pick<SessionEvent, 'message' | 'truncation'> {
  const bytes = Buffer.from(message);
  if (bytes.length <= most) return { message };
  // A cut inside a character leaves replacement characters at the end: drop them.
  const text = bytes
    .subarray(0, most)
    .toString('utf8')
    .replace(/\ufffd+$/, '');
  const truncation = { original_size: bytes.length, truncated_size: Buffer.byteLength(text), max_size: most };
  return { message: text, truncation };
}
