/** From what passed to an event on the bus: filtered, redacted, counted. */
import type { Bus, EventRecord } from '../../kernel/index.ts';
import { redactBody } from './body-redaction.ts';
import type { TrafficFrame } from './events.ts';
import type { Passed } from './passed.ts';
import { type Filters, type Replacement, refusal } from './rules.ts';

export interface FramesDeps {
  readonly bus: Pick<Bus, 'emit'>;
  /** The `source` of every frame. */
  source(): EventRecord;
  readonly filters: Filters;
  readonly replacements: readonly Replacement[];
}

export type Frames = ReturnType<typeof createFrames>;

/** Paths that are counted: whoever sends them makes them up. */
const mostPaths = 200;

export function createFrames({ bus, source, filters, replacements }: FramesDeps) {
  const decisions = { captured: 0, excluded: 0, not_included: 0 };
  const redactedPaths = new Map<string, number>();

  const counted = (path: string): void => {
    const found = redactedPaths.get(path);
    if (found !== undefined || redactedPaths.size < mostPaths) redactedPaths.set(path, (found ?? 0) + 1);
  };

  return {
    decisions,
    redactedPaths,
    tell(passed: Passed): void {
      const frame = frameOf(passed);
      const { raw, data } = passed.body;
      // Filters ask of what passed, whatever is shown of it.
      frame.body.data = data ?? null;
      const refused = refusal(filters, frame);
      decisions[refused ?? 'captured'] += 1;
      if (refused) return;
      if (raw !== null) {
        const clean = redactBody(data, frame.mcp.kind, replacements);
        frame.body.data = clean.data ?? null;
        frame.body.redacted_paths = clean.paths.map(each => (each === '' ? 'body.data' : `body.data.${each}`));
      }
      frame.body.redacted_paths.forEach(counted);
      bus.emit('traffic.frame', { source: source(), correlation: correlationOf(passed), attributes: frame });
    },
  };
}

function frameOf({ leg, capture_id, session_id, instance_id, dcc_type, ns, http, id, body }: Passed): TrafficFrame {
  const kind = leg === 'client_to_gateway' || leg === 'gateway_to_adapter' ? 'request' : 'response';
  return {
    capture_id,
    ...(session_id !== undefined && { session_id }),
    direction: leg.endsWith('_to_gateway') ? 'inbound' : 'outbound',
    ...{ leg, transport: 'http', captured_ns: ns },
    ...(instance_id !== undefined && { instance_id }),
    ...(dcc_type !== undefined && { dcc_type }),
    http,
    mcp: { kind, method: 'tools/call', id },
    body: {
      data: null,
      size_bytes: body.size,
      redacted_paths: [],
      ...(body.raw === null && { truncated: true as const }),
    },
  };
}

function correlationOf({ request_id, trace_id, session_id }: Passed): EventRecord {
  return {
    ...(request_id !== undefined && { request_id }),
    ...(trace_id !== undefined && { trace_id }),
    ...(session_id !== undefined && { session_id }),
  };
}
