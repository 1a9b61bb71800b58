/** Rules of "Per-instance endpoints", "MCP methods", "Authentication" 1 to 3, "Versioning". */
import { decided, deferred, section } from '../requirement.ts';

const endpoints = section('endpoint', 'Per-instance endpoints', {
  post: 'POST takes a JSON-RPC 2.0 request and answers with result or error under the same id.',
  get: 'GET opens an event stream for notifications that the server pushes.',
  delete: 'DELETE terminates the session.',
  health: 'GET /health is a health check.',
  'health-jobs': 'The health payload carries a payload-safe job_persistence state.',
  batch: decided('Part of revision 2025-03-26.', 'POST takes a batch and answers every request in it.'),
  notification: decided('202 without a body, as MCP asks.', 'POST of a notification is accepted without an answer.'),
  resume: decided('SSE ids and Last-Event-ID, as MCP allows.', 'A stream resumes after the last event the client saw.'),
});

const methods = section('mcp', 'MCP methods', {
  initialize: 'initialize is the handshake and returns the capabilities of the server.',
  'initialize-resources': 'The resources capability has subscribe and listChanged true.',
  'tools-list': 'tools/list lists the tools.',
  'tools-list-pages': 'tools/list is paginated: following every nextCursor yields each tool once.',
  'tools-list-cursor': decided('-32602.', 'A cursor that the server did not issue is refused.'),
  'tools-call': 'tools/call takes name, arguments and an optional _meta.',
  'resources-methods': 'resources/list, read, subscribe and unsubscribe serve resources.',
  'prompts-list': 'prompts/list lists prompts.',
  ping: 'ping answers.',
  'roots-list': 'The server asks the client with roots/list, and list_roots returns what the client advertised.',
  rationale: 'A rationale can be read from the call params and built into a _meta fragment.',
  'rationale-sent': '_meta.dcc.rationale on tools/call is accepted as a string beside the arguments.',
  'progress-token': '_meta.progressToken opts a call into job admission.',
  'resources-updated': 'notifications/resources/updated arrives on the event stream.',
  'resources-disabled': 'Every resources/* method is -32601 when resources are disabled.',
  'list-changed-name': decided(
    'MCP spells it notifications/tools/list_changed.',
    'list_changed is sent on the event stream.',
  ),
  progress: 'A handler reports progress under the progress token of the call.',
  cancel: decided('MCP: notifications/cancelled.', 'A cancelled call is aborted.'),
  logging: decided('MCP: logging/setLevel.', 'Log messages below the level of the session are not sent.'),
  completion: decided(
    'MCP: completion/complete.',
    'completion/complete answers for references that something completes.',
  ),
});

const authentication = section('auth', 'Authentication', {
  loopback: 'The server binds 127.0.0.1 by default.',
  'session-header': 'After initialization requests carry the Mcp-Session-Id header.',
  'cors-off': 'Without enable_cors no CORS header is sent.',
  'cors-on': 'With enable_cors CORS headers are sent.',
  origin: decided('MCP demands it: 403.', 'A request with a foreign Origin is refused.'),
  'host-header': decided('Guards a loopback bind against DNS rebinding: 403.', 'A foreign Host header is refused.'),
  scheme: deferred('issue: security', 'The authentication scheme of the endpoint is not shown; none exists yet.'),
});

const versioning = section('version', 'Versioning', {
  '2025-03-26': 'The server speaks MCP revision 2025-03-26.',
  negotiation: decided(
    'An asked-for revision that is supported is echoed; otherwise the newest one is answered.',
    'initialize agrees on a revision: 2025-03-26, 2025-06-18 or 2025-11-25.',
  ),
  upgrade: deferred('issue: sessionless revision', 'A separate upgrade path leads to a later wire revision.'),
  'event-schema': 'The schema_version of the event envelope is 1.',
});

export const protocol = [...endpoints, ...methods, ...authentication, ...versioning];
