/** Rows of the error table that the MCP endpoint adds. */
import { defineErrors } from '../../kernel/index.ts';

export const mcpErrors = defineErrors('SVC_MCP', {
  SESSION_REQUIRED: {
    rpc: -32600,
    http: 400,
    template: 'The Mcp-Session-Id header is missing: send initialize first, then repeat the id of its answer',
  },
  SESSION_UNKNOWN: { rpc: -32600, http: 404, template: 'The session is unknown or has ended: send initialize again' },
  TOO_MANY_SESSIONS: {
    rpc: -32603,
    http: 503,
    template:
      'All {max_sessions} sessions are taken (max_sessions): end one with DELETE, or retry in {retry_after_secs} s',
  },
  SHUTTING_DOWN: { rpc: -32603, http: 503, template: 'The server is shutting down: connect again later' },
  PROTOCOL_VERSION: {
    rpc: -32600,
    http: 400,
    template: 'MCP-Protocol-Version "{requested}" is not supported: send one of {supported}, or no such header',
  },
  UNSUPPORTED_REVISION: {
    rpc: -32022,
    http: 400,
    template: 'Protocol version "{requested}" is not supported: use one of {supported}',
  },
  HOST_FORBIDDEN: {
    rpc: -32600,
    http: 403,
    template: 'Host "{host}" is not served here: use a loopback name, or add it to allowed_hosts',
  },
  ORIGIN_FORBIDDEN: {
    rpc: -32600,
    http: 403,
    template: 'Origin "{origin}" may not use this server: add it to allowed_origins',
  },
  BODY_TOO_LARGE: {
    rpc: -32600,
    http: 413,
    template: 'The body is larger than {max_request_body_bytes} bytes (max_request_body_bytes): send less',
  },
  MEDIA_TYPE: { rpc: -32600, http: 415, template: 'The body must be JSON: send Content-Type: application/json' },
  NOT_ACCEPTABLE: {
    rpc: -32600,
    http: 406,
    template: 'GET opens an event stream: send Accept: text/event-stream',
  },
  METHOD_NOT_ALLOWED: { rpc: -32600, http: 405, template: '{method} is not served here: use {allowed}' },
  NOTHING_TO_REPLAY: {
    rpc: -32600,
    http: 400,
    template: 'Nothing is kept after Last-Event-ID "{event_id}" and its stream has ended: send the request again',
  },
  NO_STREAM: {
    rpc: -32603,
    http: 409,
    template: 'The client cannot be asked for {method}: it has no open event stream',
  },
  CLIENT_ERROR: { rpc: -32603, http: 502, template: 'The client answered {method} with an error: {reason}' },
});
