/** Settings of who may use the server, and how much of it one caller may have. */
import { type Static, Type } from 'typebox';
import { count, flag, optionalPath, optionalText, shared } from '../../schemas/settings.ts';
import { TokenEntrySchema } from '../../schemas/tokens.ts';

export const settings = Type.Object({
  auth_tokens: Type.Array(TokenEntrySchema, {
    default: [],
    isSecret: true,
    description:
      'bearer tokens of callers: label, token or its sha256, scopes (read, call, register, admin), allowed_dcc; with ' +
      'none and no other way to authenticate, who reaches the address may do all',
  }),
  auth_tokens_file: optionalPath('file with more of them, read again when it changes: a list as in auth_tokens'),
  insecure_bind: flag(false, 'listen beyond this machine although nobody has to authenticate'),
  oauth_issuer: optionalText('address of the authorization server (OAuth 2.1) whose access tokens are taken'),
  oauth_audience: optionalText(
    'audience of those tokens: the address of this server, such as https://studio.example/mcp',
  ),
  oauth_jwks_uri: optionalText("address of the authorization server's keys (default: as its metadata says)"),
  allowed_hosts: Type.Array(Type.String(), {
    default: [],
    description: 'Host names accepted beside the loopback names and, beyond this machine, its own; `*` accepts any',
  }),
  allowed_origins: Type.Array(Type.String(), {
    default: [],
    description: 'Origins accepted beside loopback ones, such as `https://studio.example`; `*` accepts any',
  }),
  enable_cors: shared.enable_cors,
  admin_path: shared.admin_path,
  metrics_path: shared.metrics_path,
  rate_limit_per_minute: count(0, 'most requests of one caller in a minute, beyond it 429; 0 is no limit'),
  xff_trusted_depth: count(
    0,
    'proxies in front that are trusted to say in X-Forwarded-For who asks; 0 trusts none',
    0,
    16,
  ),
  max_requests_per_caller: count(256, 'most requests of one caller at once, where callers authenticate; 0 is no limit'),
  max_streams_per_caller: count(
    32,
    'most event streams of one caller at once, where callers authenticate; 0 is no limit',
  ),
  request_receive_timeout_ms: count(
    30000,
    'how long a request may take to arrive whole, beyond it 408',
    100,
    3_600_000,
  ),
  max_unfinished_body_bytes: count(
    268435456,
    'most bytes of all bodies that have not arrived whole; beyond it who waits longest is cut off with 503',
    65536,
  ),
  max_header_bytes: count(16384, 'most bytes of the head of a request, beyond it 431', 1024, 1048576),
  max_url_length: count(16384, 'longest path with query, beyond it 414', 64, 1048576),
});

export type Settings = Static<typeof settings>;
