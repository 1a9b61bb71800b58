/** A collector that takes spans over OTLP: a real HTTP server, read with a protobuf library and the published schema. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import protobuf from 'protobufjs';
import { onTestFinished } from 'vitest';

/** The part of opentelemetry/proto/collector/trace/v1 that spans are sent as; the numbers are the standard's. */
const schema = `
syntax = "proto3";
message Request { repeated ResourceSpans resource_spans = 1; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Resource { repeated KeyValue attributes = 1; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message Scope { string name = 1; string version = 2; }
message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { string message = 2; int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9;
  repeated Link links = 13; Status status = 15;
}`;
const request = protobuf.parse(schema, { keepCase: false }).root.lookupType('Request');

type Attributes = Record<string, unknown>;

export interface CollectedSpan {
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string;
  /** 2: failed. */
  status: number;
  statusMessage: string;
  durationMs: number;
  attributes: Attributes;
  resource: Attributes;
  links: string[];
}

export interface Collector {
  /** Its address as an endpoint is given. */
  url: string;
  spans: CollectedSpan[];
  /** All that came, as text, for who looks for what must not be there. */
  raw(): string;
  requests: { path: string; headers: IncomingMessage['headers'] }[];
}

interface Wire {
  key: string;
  value: Record<string, unknown>;
}

const plainOf = (attributes: readonly Wire[] = []): Attributes =>
  Object.fromEntries(
    attributes.map(({ key, value }) => {
      const { intValue, ...rest } = value;
      return [key, intValue === undefined ? Object.values(rest)[0] : Number(intValue)];
    }),
  );

/** Ids are bytes in protobuf, hexadecimal in JSON. */
const hex = (id: unknown): string =>
  typeof id === 'string' ? id : Buffer.from((id as Uint8Array) ?? []).toString('hex');

/** What the standard's messages hold, as far as it is looked at. */
interface WireSpan {
  name: string;
  kind: number;
  traceId: unknown;
  spanId: unknown;
  parentSpanId?: unknown;
  status?: { code?: number; message?: string };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: readonly Wire[];
  links?: readonly { spanId: unknown }[];
}

interface WireTraces {
  resourceSpans: readonly {
    resource: { attributes?: readonly Wire[] };
    scopeSpans: readonly { spans: WireSpan[] }[];
  }[];
}

function spansIn(body: unknown): CollectedSpan[] {
  return (body as WireTraces).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(span => ({
        ...{ name: span.name, kind: span.kind, traceId: hex(span.traceId), spanId: hex(span.spanId) },
        parentSpanId: hex(span.parentSpanId ?? ''),
        status: span.status?.code ?? 0,
        statusMessage: span.status?.message ?? '',
        durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        attributes: plainOf(span.attributes),
        resource: plainOf(resource.attributes),
        links: (span.links ?? []).map(link => hex(link.spanId)),
      })),
    ),
  );
}

export function decoded(type: string, body: Buffer): CollectedSpan[] {
  if (type === 'application/json') return spansIn(JSON.parse(body.toString('utf8')));
  return spansIn(request.toObject(request.decode(body), { longs: String, bytes: Buffer }));
}

/** A collector that answers with `answer`, or as it should. */
export async function collector(answer?: (response: ServerResponse) => void): Promise<Collector> {
  const bodies: Buffer[] = [];
  const found: Collector = { url: '', spans: [], requests: [], raw: () => Buffer.concat(bodies).toString('latin1') };
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    bodies.push(body);
    const { url = '', headers } = incoming;
    found.requests.push({ path: url, headers });
    found.spans.push(...decoded(String(headers['content-type']), body));
    if (answer) answer(response);
    else response.writeHead(200, { 'content-type': String(headers['content-type']) }).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  found.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return found;
}
