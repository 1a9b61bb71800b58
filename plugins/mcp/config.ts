/** Settings of clients over MCP: sessions and streams. */
import { type Static, Type } from 'typebox';
import { count, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  max_sessions: count(100, 'maximum concurrent SSE sessions: those with an event stream open', 1),
  sessions_max_bytes: count(
    67108864,
    'memory of the sessions without an open event stream; beyond it the idlest end',
    1024,
  ),
  session_ttl_secs: count(3600, 'idle session lifetime; 0 disables eviction'),
  enable_cors: shared.enable_cors,
  max_waiting_requests: count(256, 'most sessionless requests that wait at once for what they asked their client', 1),
  input_wait_secs: count(600, 'how long such a request is kept for the client to come back with its answer', 1),
  max_batch_size: count(100, 'most messages in one JSON-RPC batch', 1),
  sse_heartbeat_secs: shared.sse_heartbeat_secs,
  sse_replay_events: count(256, 'events kept per session for Last-Event-ID replay'),
  sse_client_max_bytes: count(1048576, 'unread bytes after which a slow event-stream client is cut off', 1024),
});

export type Settings = Static<typeof settings>;
