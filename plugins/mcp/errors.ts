/** Rows of the error table that the MCP endpoint adds. */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const mcpErrors = defineErrors('SVC_MCP', {
  ...alike([-32600, 400], {
    SESSION_REQUIRED: 'The Mcp-Session-Id header is missing: send initialize first, then repeat the id of its answer',
    PROTOCOL_VERSION: 'MCP-Protocol-Version "{requested}" is not supported: send one of {supported}, or no such header',
    NOTHING_TO_REPLAY:
      'Nothing is kept after Last-Event-ID "{event_id}" and its stream has ended: send the request again',
  }),
  SESSION_UNKNOWN: { rpc: -32600, http: 404, template: 'The session is unknown or has ended: send initialize again' },
  NO_CHANNEL: {
    ...{ rpc: -32600, http: 403 },
    template: 'CONNECT opens nothing here but the channel of an open session of a gateway, for who opened the session',
  },
  ...alike([-32603, 503], {
    TOO_MANY_SESSIONS:
      '{max_sessions} sessions have an event stream open (max_sessions): close one, or retry in {retry_after_secs} s',
    TOO_MANY_LISTENERS: 'All {limit} subscriptions are taken (max_sessions): end one, or retry in {retry_after_secs} s',
    SHUTTING_DOWN: 'The server is shutting down: connect again later',
  }),
  ...alike([-32022, 400], {
    UNSUPPORTED_REVISION: 'Protocol version "{requested}" is not supported: use one of {supported}',
  }),
  ...alike([-32601, 404], {
    METHOD_GONE: 'Revision {revision} has no {method}: {instead}',
  }),
  ...alike([-32020, 400], {
    HEADER_MISMATCH: 'The header {header} {state} where the body says "{value}": send both alike',
  }),
  ...alike([-32602, 400], {
    FILTER_INVALID: 'subscriptions/listen needs params.notifications: an object that names what to hear of',
    ENVELOPE_INVALID: 'A request of revision {revision} says in params._meta what it speaks and who sends it: {reason}',
  }),
  ...alike([-32602, 400], {
    STATE_UNKNOWN:
      'The requestState is unknown, used, expired or of another request: send the request again without it',
    RESPONSES_INVALID: '"inputResponses" must be an object with an answer for each key of inputRequests',
  }),
  ...alike([-32603, 409], {
    UNASKABLE: 'The client cannot be asked for {method} while it waits for {asked_by}: {reason}',
  }),
  ...alike([-32600, 406], {
    STREAM_REQUIRED: 'subscriptions/listen is answered with an event stream: send Accept: text/event-stream',
  }),
  ...alike([-32600, 413], {
    BODY_TOO_LARGE:
      'The body is larger than {max_request_body_bytes} bytes (max_request_body_bytes; of a gateway gateway_http_body_limit_bytes): send less',
  }),
  MEDIA_TYPE: { rpc: -32600, http: 415, template: 'The body must be JSON: send Content-Type: application/json' },
  ...alike([-32600, 415], {
    CONTENT_ENCODING: 'The body has Content-Encoding "{encoding}": send {supported}, or no such header',
  }),
  NOT_ACCEPTABLE: { rpc: -32600, http: 406, template: 'GET opens an event stream: send Accept: text/event-stream' },
  METHOD_NOT_ALLOWED: { rpc: -32600, http: 405, template: '{method} is not served here: use {allowed}' },
  ...alike([-32603, 409], {
    NO_STREAM: 'The client cannot be asked for {method}: it has no open event stream',
  }),
  CAPABILITY_MISSING: {
    ...{ rpc: -32603, sessionless: -32021, http: 400 },
    template: 'The client cannot be asked for {method}: it has not declared the capability {capability}',
  },
  BAD_QUESTION: { rpc: -32603, http: 500, template: 'The client cannot be asked for {method}: {reason}' },
  BAD_ANSWER: { rpc: -32603, http: 502, template: 'The client did not answer {method} with what was asked: {reason}' },
  CLIENT_ERROR: { rpc: -32603, http: 502, template: 'The client answered {method} with an error: {reason}' },
});
