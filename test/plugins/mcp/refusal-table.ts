/** Every refusal on the path `/mcp`: what is sent in which revision, and what comes back. `refusals.test.ts` runs it. */
import { gzipSync } from 'node:zlib';
import { envelope } from './sessionless-wire.ts';
import { call, initialize, type Json } from './wire.ts';

export const sessionRevisions = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
export const sessionless = '2026-07-28';
export type Revision = (typeof sessionRevisions)[number] | typeof sessionless;

const batchless: readonly Revision[] = ['2025-06-18', '2025-11-25', sessionless];
const withBatches: readonly Revision[] = ['2025-03-26'];
const without: readonly Revision[] = [sessionless];

export interface Refusal {
  what: string;
  /** Default: all. */
  in?: readonly Revision[];
  method?: 'GET' | 'DELETE' | 'PUT' | 'HEAD';
  /** A message: in the sessionless revision it gets an envelope and the headers that repeat it. Or a body as it is. */
  send?: Json | Json[] | string | Buffer | ((revision: Revision) => Json);
  /** Replaces headers; undefined takes one away. */
  headers?: Readonly<Record<string, string | undefined>>;
  /** What the server is in: default a session that is open, and little to do. */
  when?: 'the session has ended' | 'others listen' | 'it runs already' | 'the server closes';
  status: number;
  code: number;
  name: string;
  /** Part of the message. */
  says: string;
  /** The id that is told; without one it is null, or left out where the revision wants that. */
  id?: string | number;
  /** Headers of the answer. */
  tells?: Readonly<Record<string, string>>;
}

const ping: Json = call(1, 'test/echo');
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const invalid = { status: 400, code: -32600, name: 'SVC_RPC_INVALID_REQUEST' } as const;
const unparsed = { status: 400, code: -32700, name: 'SVC_RPC_PARSE' } as const;
const mismatched = { in: without, status: 400, code: -32020, name: 'SVC_MCP_HEADER_MISMATCH', id: 1 } as const;
const sessions = { in: sessionRevisions } as const;
const raw = (text: string): string => text;
const modern = (own: Json): Json => call(1, 'test/echo', { _meta: envelope(own) });

const versions: Refusal[] = [
  ...['v999.0.0', '2024-11-05', ''].map(
    (version): Refusal => ({
      ...sessions,
      what: `MCP-Protocol-Version "${version}"`,
      send: ping,
      headers: { 'mcp-protocol-version': version },
      ...{ status: 400, code: -32600, name: 'SVC_MCP_PROTOCOL_VERSION', says: 'not supported: send one of', id: 1 },
    }),
  ),
  {
    ...{ ...sessions, what: 'a version of the sessionless kind without an envelope', send: ping },
    headers: { 'mcp-protocol-version': '2026-07-28' },
    ...{ status: 400, code: -32602, name: 'SVC_MCP_ENVELOPE_INVALID', says: 'params._meta lacks', id: 1 },
  },
  {
    ...{ ...sessions, what: 'an envelope inside a session, under another header', send: modern({}) },
    ...{ status: 400, code: -32020, name: 'SVC_MCP_HEADER_MISMATCH', says: 'MCP-Protocol-Version', id: 1 },
  },
  {
    ...{ in: ['2025-06-18', '2025-11-25'], what: 'an envelope of its own revision inside a session' },
    send: revision => modern({ [versionKey]: revision }),
    ...{ status: 400, code: -32022, name: 'SVC_MCP_UNSUPPORTED_REVISION', says: 'use one of 2026-07-28', id: 1 },
  },
  ...['v999.0.0', '2099-01-01', '2025-06-18'].map(
    (version): Refusal => ({
      in: without,
      what: `an envelope of version ${version}`,
      send: modern({ [versionKey]: version }),
      headers: { 'mcp-protocol-version': version },
      ...{ status: 400, code: -32022, name: 'SVC_MCP_UNSUPPORTED_REVISION', says: 'use one of 2026-07-28', id: 1 },
    }),
  ),
  {
    ...{ in: without, what: 'no envelope', send: raw(JSON.stringify(ping)) },
    ...{ status: 400, code: -32602, name: 'SVC_MCP_ENVELOPE_INVALID', says: 'params._meta lacks', id: 1 },
  },
  {
    ...{ in: without, what: 'an envelope without capabilities' },
    send: modern({ 'io.modelcontextprotocol/clientCapabilities': undefined }),
    ...{ status: 400, code: -32602, name: 'SVC_MCP_ENVELOPE_INVALID', says: 'clientCapabilities', id: 1 },
  },
  {
    ...{ ...sessions, what: 'initialize with a version that is no text', send: initialize(5) },
    ...{ status: 400, code: -32602, name: 'SVC_RPC_INVALID_PARAMS', says: '"protocolVersion" must be a string', id: 0 },
  },
  {
    ...{
      ...sessions,
      what: 'initialize with capabilities that are none',
      send: initialize('2025-11-25', { capabilities: [] }),
    },
    ...{ status: 400, code: -32602, name: 'SVC_RPC_INVALID_PARAMS', says: '"capabilities" must be an object', id: 0 },
  },
  {
    ...{ ...sessions, what: 'initialize without an id', ...invalid, says: 'initialize must have an id' },
    send: revision => ({ ...initialize(revision), id: undefined }),
  },
];

const headers: Refusal[] = [
  {
    ...mismatched,
    what: 'no version header',
    send: ping,
    headers: { 'mcp-protocol-version': undefined },
    says: 'is missing',
  },
  {
    ...{ ...mismatched, what: 'another version in the header', send: ping },
    ...{ headers: { 'mcp-protocol-version': '2025-11-25' }, says: 'MCP-Protocol-Version says "2025-11-25"' },
  },
  {
    ...mismatched,
    what: 'no Mcp-Method',
    send: ping,
    headers: { 'mcp-method': undefined },
    says: 'Mcp-Method is missing',
  },
  {
    ...mismatched,
    what: 'another Mcp-Method',
    send: ping,
    headers: { 'mcp-method': 'ping' },
    says: 'Mcp-Method says "ping"',
  },
  {
    ...{ ...mismatched, what: 'another Mcp-Name', send: call(1, 'tools/call', { name: 'one' }) },
    ...{ headers: { 'mcp-name': 'two' }, says: 'Mcp-Name says "two"' },
  },
  {
    ...{ what: 'Content-Type text/plain', send: ping, headers: { 'content-type': 'text/plain' } },
    ...{ status: 415, code: -32600, name: 'SVC_MCP_MEDIA_TYPE', says: 'send Content-Type: application/json' },
  },
  {
    ...{ what: 'no Content-Type', send: ping, headers: { 'content-type': undefined } },
    ...{ status: 415, code: -32600, name: 'SVC_MCP_MEDIA_TYPE', says: 'send Content-Type: application/json' },
  },
  {
    ...{ what: 'an unknown Content-Encoding', send: ping, headers: { 'content-encoding': 'zstd' } },
    ...{ status: 415, code: -32600, name: 'SVC_MCP_CONTENT_ENCODING', says: 'send gzip, deflate, br' },
    tells: { 'accept-encoding': 'gzip, deflate, br' },
  },
  {
    ...{ what: 'GET that takes no event stream', method: 'GET', headers: { accept: 'application/json' } },
    ...{ status: 406, code: -32600, name: 'SVC_MCP_NOT_ACCEPTABLE', says: 'send Accept: text/event-stream' },
  },
  {
    ...{
      in: without,
      what: 'subscriptions/listen that takes no event stream',
      headers: { accept: 'application/json' },
    },
    send: call(1, 'subscriptions/listen', { notifications: {} }),
    ...{ status: 406, code: -32600, name: 'SVC_MCP_STREAM_REQUIRED', says: 'send Accept: text/event-stream', id: 1 },
  },
  {
    ...{ what: 'a foreign Host', send: ping, headers: { host: 'evil.example' } },
    ...{ status: 403, code: -32600, name: 'SVC_GUARD_HOST_FORBIDDEN', says: 'Host "evil.example" is not served here' },
  },
  {
    ...{ what: 'a foreign Origin', send: ping, headers: { origin: 'https://evil.example' } },
    ...{ status: 403, code: -32600, name: 'SVC_GUARD_ORIGIN_FORBIDDEN', says: 'Origin "https://evil.example"' },
  },
  {
    ...{ what: 'a foreign Origin on GET', method: 'GET', headers: { origin: 'null' } },
    ...{ status: 403, code: -32600, name: 'SVC_GUARD_ORIGIN_FORBIDDEN', says: 'Origin "null"' },
  },
  {
    ...{ what: 'PUT', method: 'PUT', status: 405, code: -32600, name: 'SVC_MCP_METHOD_NOT_ALLOWED' },
    ...{ says: 'PUT is not served here: use POST, GET, DELETE', tells: { allow: 'POST, GET, DELETE' } },
  },
];

const batches: Refusal[] = [
  ...batchless.map(
    (revision): Refusal => ({
      ...{ what: 'a batch', in: [revision], send: [ping], ...invalid },
      says:
        revision === sessionless
          ? `revision ${revision} has no batches`
          : `batches do not exist in revision ${revision}`,
    }),
  ),
  { what: 'an empty batch', in: withBatches, send: [], ...invalid, says: 'a batch must not be empty' },
  {
    what: 'too large a batch',
    in: withBatches,
    send: [ping, ping, ping, ping],
    ...invalid,
    says: 'at most 3 messages (max_batch_size)',
  },
  {
    ...{ what: 'initialize in a batch', in: withBatches, ...invalid, says: 'initialize must not be part of a batch' },
    send: [ping, initialize('2025-03-26')],
  },
  {
    ...{ what: 'an envelope in a batch of a session', in: sessionRevisions, ...invalid, says: 'has no batches' },
    send: [ping, modern({})],
  },
];

const bodies: Refusal[] = [
  { what: 'an empty body', send: raw(''), ...unparsed, says: 'the body is empty' },
  { what: 'half a body', send: raw('{"jsonrpc":"2.0","id":1'), ...unparsed, says: 'JSON' },
  { what: 'two byte order marks', send: raw(`\ufeff\ufeff${JSON.stringify(ping)}`), ...unparsed, says: 'JSON' },
  {
    what: 'a body in Latin-1',
    send: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ä"}', 'latin1'),
    ...unparsed,
    says: 'not valid UTF-8',
  },
  {
    what: 'a body in UTF-16',
    send: Buffer.from(`\ufeff${JSON.stringify(ping)}`, 'utf16le'),
    ...unparsed,
    says: 'not valid UTF-8',
  },
  {
    what: 'a body that is not compressed as it says',
    send: raw('{}'),
    headers: { 'content-encoding': 'gzip' },
    ...unparsed,
    says: 'the body is not gzip',
  },
  ...(
    [
      ['a body that is too large', raw(JSON.stringify(call(1, 'test/echo', { text: 'x'.repeat(70_000) }))), {}],
      ['a compressed body that becomes too large', gzipSync('x'.repeat(70_000)), { 'content-encoding': 'gzip' }],
    ] as const
  ).map(
    ([what, send, more]): Refusal => ({
      ...{ what, send, headers: more, status: 413, code: -32600, name: 'SVC_MCP_BODY_TOO_LARGE' },
      says: 'larger than 65536 bytes (max_request_body_bytes;',
    }),
  ),
  {
    ...{ what: 'a key that poisons', ...invalid, says: 'the key "__proto__" is forbidden', id: 1 },
    send: raw('{"jsonrpc":"2.0","id":1,"method":"test/echo","params":{"__proto__":{}}}'),
  },
];

/** Without an envelope, as a header names the revision: `send` goes out as it is. */
const messages: Refusal[] = [
  ...['5', '"text"', 'null', 'true', '{}'].map(
    (text): Refusal => ({ what: `the body ${text}`, send: raw(text), ...invalid, says: 'must be' }),
  ),
  {
    what: 'another version of JSON-RPC',
    send: { ...ping, jsonrpc: '1.0' },
    ...invalid,
    says: '"jsonrpc" must be "2.0"',
    id: 1,
  },
  {
    what: 'no method',
    send: raw('{"jsonrpc":"2.0","id":"a"}'),
    ...invalid,
    says: '"method" must be a non-empty string',
    id: 'a',
  },
  {
    what: 'params in a list',
    send: raw('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'),
    ...invalid,
    says: '"params" must be an object',
    id: 1,
  },
  ...['null', '{}', '[1]', 'true', '1.5', '1e400', '9007199254740993'].map(
    (id): Refusal => ({
      ...{ what: `the id ${id}`, ...invalid, says: '"id" must be a string or a whole number up to 2^53 - 1' },
      send: raw(`{"jsonrpc":"2.0","id":${id},"method":"test/echo"}`),
    }),
  ),
  {
    ...sessions,
    what: 'an id in use',
    when: 'it runs already',
    send: call('busy', 'test/echo'),
    ...invalid,
    says: 'the id "busy" is still in use',
    id: 'busy',
  },
  {
    in: without,
    what: 'a response',
    send: raw('{"jsonrpc":"2.0","id":1,"result":{}}'),
    ...invalid,
    says: 'a sessionless client sends no responses',
    id: 1,
  },
  {
    ...sessions,
    what: 'a response with both',
    send: raw('{"jsonrpc":"2.0","id":1,"result":{},"error":{}}'),
    ...invalid,
    says: '"method" must be',
    id: 1,
  },
  ...['ping', 'initialize', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'].map(
    (method): Refusal => ({
      ...{ in: without, what: `${method}, which is gone`, send: call(1, method), id: 1 },
      ...{ status: 404, code: -32601, name: 'SVC_MCP_METHOD_GONE', says: `has no ${method}: ` },
    }),
  ),
  ...(
    [
      [sessionRevisions, 200],
      [without, 404],
    ] as const
  ).map(
    ([revisions, status]): Refusal => ({
      ...{ in: revisions, what: 'an unknown method', send: call(1, 'no/such'), id: 1 },
      ...{ status, code: -32601, name: 'SVC_RPC_METHOD_NOT_FOUND', says: 'Method not found: no/such' },
    }),
  ),
];

const required = {
  status: 400,
  code: -32600,
  name: 'SVC_MCP_SESSION_REQUIRED',
  says: 'send initialize first',
} as const;
const unknown = { status: 404, code: -32600, name: 'SVC_MCP_SESSION_UNKNOWN', says: 'send initialize again' } as const;

const ofSessions: Refusal[] = [
  { ...sessions, what: 'no session', send: ping, headers: { 'mcp-session-id': undefined }, ...required, id: 1 },
  { what: 'GET without a session', method: 'GET', headers: { 'mcp-session-id': undefined }, ...sessions, ...required },
  {
    what: 'DELETE without a session',
    method: 'DELETE',
    headers: { 'mcp-session-id': undefined },
    ...sessions,
    ...required,
  },
  { ...sessions, what: 'an unknown session', send: ping, headers: { 'mcp-session-id': 'nobody' }, ...unknown, id: 1 },
  {
    ...sessions,
    what: 'GET of an unknown session',
    method: 'GET',
    headers: { 'mcp-session-id': 'nobody' },
    ...unknown,
  },
  { ...sessions, what: 'an ended session', when: 'the session has ended', send: ping, ...unknown, id: 1 },
  { ...sessions, what: 'GET of an ended session', when: 'the session has ended', method: 'GET', ...unknown },
  { ...sessions, what: 'DELETE of an ended session', when: 'the session has ended', method: 'DELETE', ...unknown },
  ...['nonsense', '7-7'].map(
    (event): Refusal => ({
      ...{ ...sessions, what: `Last-Event-ID ${event}`, method: 'GET', headers: { 'last-event-id': event } },
      ...{ status: 400, code: -32600, name: 'SVC_MCP_NOTHING_TO_REPLAY', says: 'send the request again' },
    }),
  ),
  {
    ...{ ...sessions, what: 'a stream beyond max_sessions', when: 'others listen', method: 'GET' },
    ...{
      status: 503,
      code: -32603,
      name: 'SVC_MCP_TOO_MANY_SESSIONS',
      says: '(max_sessions)',
      tells: { 'retry-after': '30' },
    },
  },
  {
    ...{ in: without, what: 'a subscription beyond max_sessions', when: 'others listen', id: 1 },
    send: call(1, 'subscriptions/listen', { notifications: {} }),
    ...{
      status: 503,
      code: -32603,
      name: 'SVC_MCP_TOO_MANY_LISTENERS',
      says: '(max_sessions)',
      tells: { 'retry-after': '30' },
    },
  },
  {
    ...{ what: 'a request that meets the end', when: 'the server closes', send: ping, id: 1 },
    ...{
      status: 503,
      code: -32603,
      name: 'SVC_MCP_SHUTTING_DOWN',
      says: 'connect again later',
      tells: { 'retry-after': '5' },
    },
  },
];

export const refusals: readonly Refusal[] = [
  ...versions,
  ...headers,
  ...batches,
  ...bodies,
  ...messages,
  ...ofSessions,
];
