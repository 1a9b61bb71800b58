/** From what passed to an event, as a line of JSON: filtered, redacted, counted. */
import { parsed } from '../../schemas/loose.ts';
import { createNsText } from '../../schemas/ns-text.ts';
import { redactBody, type Side, staysWhole } from './body-redaction.ts';
import type { Leg } from './events.ts';
import type { FrameText } from './handed.ts';
import type { Said } from './messages.ts';
import type { Passed, Shown } from './passed.ts';
import { type Filters, type Replacement, refusal } from './rules.ts';
import { safeText } from './safe-http.ts';

export interface FramesDeps {
  readonly filters: Filters;
  readonly replacements: readonly Replacement[];
  /** A fresh id of an event. */
  eventId(): string;
  nowNs(): number;
}

export type Frames = ReturnType<typeof createFrames>;

/** Paths that are counted: whoever sends them makes them up. */
const mostPaths = 200;

export function createFrames({ filters, replacements, eventId, nowNs }: FramesDeps) {
  const decisions = { captured: 0, excluded: 0, not_included: 0 };
  const redactedPaths = new Set<string>();
  const filtering = filters.include.length + filters.exclude.length > 0;

  const refused = (passed: Passed): 'excluded' | 'not_included' | undefined => {
    if (!filtering) return undefined;
    // Filters ask of what passed, whatever is shown of it.
    const { body } = passed;
    body.json ??= body.said?.json ?? JSON.stringify(body.said?.data ?? null);
    const { json } = body;
    return refusal(filters, JSON.parse(attributesOf(passed, { json, paths: [] })) as object);
  };

  const shownOf = ({ json, data }: Said, side: Side): Shown => {
    if (json !== undefined && replacements.length === 0 && staysWhole(json, side)) return { json, paths: [] };
    const { data: clean, paths } = redactBody(data ?? (json === undefined ? null : parsed(json)), side, replacements);
    const found = paths.map(each => (each === '' ? 'body.data' : `body.data.${each}`));
    for (const each of found) if (redactedPaths.size < mostPaths) redactedPaths.add(each);
    return { json: JSON.stringify(clean ?? null), paths: found };
  };

  return {
    decisions,
    /** Paths that something was taken out at, each once. */
    redactedPaths,
    /** Undefined for what is not captured. `source` is JSON. */
    frameOf(passed: Passed, source: string): FrameText | undefined {
      const no = refused(passed);
      decisions[no ?? 'captured'] += 1;
      if (no) return undefined;
      const { body } = passed;
      if (body.said) body.shown ??= shownOf(body.said, legs[passed.leg].side);
      const attributes = attributesOf(passed, body.shown ?? nothing);
      const named = `{"schema_version":1,"name":"traffic.frame","id":"${eventId()}","timestamp_ns":${nsText(nowNs())}`;
      return [
        `${named},"source":${source},"correlation":${passed.correlation.json},"attributes":${attributes}}`,
        body.size,
      ];
    },
  };
}

const nothing: Shown = { json: 'null', paths: [] };

const nsText = createNsText();

/** What a leg says of itself: from whom to whom, and whether it asks or answers. */
const legs: Readonly<Record<Leg, { readonly side: Side; readonly json: string }>> = {
  client_to_gateway: { side: 'request', json: '"direction":"inbound","leg":"client_to_gateway"' },
  gateway_to_adapter: { side: 'request', json: '"direction":"outbound","leg":"gateway_to_adapter"' },
  adapter_to_gateway: { side: 'response', json: '"direction":"inbound","leg":"adapter_to_gateway"' },
  gateway_to_client: { side: 'response', json: '"direction":"outbound","leg":"gateway_to_client"' },
};

/** A `TrafficFrame` as JSON. */
function attributesOf(passed: Passed, { json, paths }: Shown): string {
  const { leg, capture_id, correlation, instance, ns, url, headers, status, id, body } = passed;
  const { side, json: told } = legs[leg];
  const answer = status === undefined ? '' : `,"status":${status}`;
  const truncated = body.said === undefined ? ',"truncated":true' : '';
  const out = paths.length === 0 ? '[]' : JSON.stringify(paths);
  const number = typeof id === 'string' ? JSON.stringify(safeText(id)) : id;
  return (
    `{"capture_id":"${capture_id}",${correlation.session}${told},"transport":"http","captured_ns":${nsText(ns)},${instance}` +
    `"http":{"method":"POST","url":${url},"headers":${headers}${answer}},` +
    `"mcp":{"kind":"${side}","method":"tools/call","id":${number}},` +
    `"body":{"data":${json},"size_bytes":${body.size},"redacted_paths":${out}${truncated}}}`
  );
}
