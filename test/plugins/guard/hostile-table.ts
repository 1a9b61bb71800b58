/** What attackers send, and what they get: each row is one request. */
import { createHmac } from 'node:crypto';
import { exportSPKI, generateKeyPair } from 'jose';
import { digestOf } from '../../../schemas/tokens.ts';
import type { startIssuer } from './issuer.ts';

export const audience = 'https://studio.example/mcp';
export const tokens = {
  reader: 'a-token-that-may-only-look',
  caller: 'a-token-that-may-call-too',
  farm: 'a-token-of-the-houdini-farm',
  rival: 'a-token-of-another-houdini-farm',
};

/** Of the farm's own instance. */
export const farmId = 'aaaa1111-0000-4000-8000-000000000004';

export interface Hostile {
  what: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  status: number;
  kind: string;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: {} } };
const doors = ['/mcp', '/v1/call', '/mcp/dcc/maya', '/v1/instances/register', '/gateway/yield', '/nothing'];

const names = (): Hostile[] => [
  ...doors.map(path => ({
    what: `a rebound Host at ${path}`,
    path,
    headers: { host: 'evil.example' },
    status: 403,
    kind: 'guard-host-forbidden',
  })),
  ...[
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '169.254.169.254',
    '192.168.1.5:80',
    'localhost:80@evil.example',
    ' ',
  ].map(host => ({
    ...{ what: `Host "${host}"`, path: '/mcp', headers: { host }, status: 403, kind: 'guard-host-forbidden' },
  })),
  {
    what: 'a rebound Host with a good token',
    path: '/v1/call',
    headers: { host: 'evil.example', ...bearer(tokens.caller) },
    status: 403,
    kind: 'guard-host-forbidden',
  },
  {
    what: 'a rebound Host at what is public',
    method: 'GET',
    path: '/health',
    headers: { host: 'evil.example' },
    status: 403,
    kind: 'guard-host-forbidden',
  },
  ...doors.map(path => ({
    what: `a foreign Origin at ${path}`,
    path,
    headers: { origin: 'https://evil.example' },
    status: 403,
    kind: 'guard-origin-forbidden',
  })),
  ...['null', 'file://localhost', 'http://localhost.evil.example', 'http://evil@localhost', 'localhost'].map(
    origin => ({
      ...{ what: `Origin "${origin}"`, path: '/mcp', headers: { origin }, status: 403, kind: 'guard-origin-forbidden' },
    }),
  ),
];

const strangers = (): Hostile[] => {
  const refused = { status: 401, kind: 'unauthorized' };
  return [
    ...doors.map(path => ({ what: `no token at ${path}`, path, ...refused })),
    ...[
      '/v1/debug/calls',
      '/v1/instances',
      '/admin/api/calls',
      '/v1/%68ealthz/../call',
      '//health',
      '/health/../v1/skills',
    ].map(path => ({
      ...{ what: `no token for GET ${path}`, method: 'GET', path, ...refused },
    })),
    { what: 'the token in the query', path: `/v1/call?access_token=${tokens.caller}`, ...refused },
    { what: 'the token in a cookie', path: '/v1/call', headers: { cookie: `token=${tokens.caller}` }, ...refused },
    { what: 'the token as a key', path: '/v1/call', headers: { 'x-api-key': tokens.caller }, ...refused },
    {
      what: 'the token as a password',
      path: '/v1/call',
      headers: { authorization: `Basic ${btoa(`:${tokens.caller}`)}` },
      ...refused,
    },
    { what: 'no scheme', path: '/v1/call', headers: { authorization: tokens.caller }, ...refused },
    { what: 'two tokens', path: '/v1/call', headers: bearer(`${tokens.caller} ${tokens.reader}`), ...refused },
    { what: 'a longer token', path: '/v1/call', headers: bearer(`${tokens.caller}x`), ...refused },
    { what: 'the beginning of a token', path: '/v1/call', headers: bearer(tokens.caller.slice(0, -1)), ...refused },
    { what: 'the digest of a token', path: '/v1/call', headers: bearer(digestOf(tokens.caller)), ...refused },
    { what: 'an empty token', path: '/v1/call', headers: { authorization: 'Bearer ' }, ...refused },
    ...(['x-forwarded-for', 'x-real-ip', 'forwarded'] as const).map(name => ({
      ...{
        what: `${name} of this machine`,
        path: '/v1/call',
        headers: { [name]: name === 'forwarded' ? 'for=127.0.0.1' : '127.0.0.1' },
        ...refused,
      },
    })),
    {
      what: 'another path in a header',
      path: '/v1/call',
      headers: { 'x-original-url': '/health', 'x-rewrite-url': '/health' },
      ...refused,
    },
    {
      what: 'a path longer than any',
      method: 'GET',
      path: `/v1/tools/${'x'.repeat(3000)}`,
      headers: bearer(tokens.reader),
      status: 414,
      kind: 'guard-url-too-long',
    },
  ];
};

const scoped = (): Hostile[] => {
  const refused = { headers: bearer(tokens.reader), status: 403, kind: 'insufficient-scope' };
  return [
    ...[
      '/v1/call',
      '/v1/call_batch',
      '/v1/load_skill',
      '/v1/lease',
      '/mcp/dcc/maya',
      '/v1/instances/register',
      '/gateway/yield',
      '/v1/feedback',
    ].map(path => ({ what: `who may only look at ${path}`, path, ...refused })),
    { what: 'who may only look calls a tool', path: '/mcp', body: call, ...refused, kind: '' },
    {
      what: 'a call among what may be read',
      path: '/mcp',
      body: [{ jsonrpc: '2.0', id: 2, method: 'ping' }, call],
      ...refused,
      kind: '',
    },
    { what: 'a method in capitals', path: '/mcp', body: { ...call, method: 'TOOLS/CALL' }, ...refused, kind: '' },
    { what: 'a method that is no text', path: '/mcp', body: { ...call, method: ['tools/list'] }, ...refused, kind: '' },
    ...['/v1/debug/calls', '/v1/debug/traffic', '/admin/api/stream', '/admin/api/calls'].map(path => ({
      ...{ what: `who may call at ${path}`, method: 'GET', path, ...refused, headers: bearer(tokens.caller) },
    })),
    {
      what: 'who may call ends the gateway',
      path: '/gateway/yield',
      body: { challenger_version: '99.0.0' },
      ...refused,
      headers: bearer(tokens.caller),
    },
    { what: 'who may register looks', method: 'GET', path: '/v1/instances', ...refused, headers: bearer(tokens.farm) },
  ];
};

const registrations = (port: number): Hostile[] => {
  const row = {
    instance_id: 'aaaa1111-0000-4000-8000-000000000001',
    dcc_type: 'houdini',
    mcp_url: 'http://10.0.0.5:1/mcp',
  };
  const send = (what: string, change: object, status: number, kind: string, operation = 'register'): Hostile => ({
    ...{
      what,
      path: `/v1/instances/${operation}`,
      headers: bearer(tokens.farm),
      body: { ...row, ...change },
      status,
      kind,
    },
  });
  const ofFarm = { instance_id: farmId };
  const steal = (what: string, operation: string): Hostile => ({
    ...send(what, ofFarm, 403, 'claimed', operation),
    headers: bearer(tokens.rival),
  });
  const claimed = { instance_id: 'aaaa1111-0000-4000-8000-000000000002' };
  return [
    send('a type of somebody else', { dcc_type: 'maya' }, 403, 'dcc_scope_mismatch'),
    send("another's id", claimed, 403, 'dcc_scope_mismatch'),
    send("a heartbeat for another's id", claimed, 403, 'dcc_scope_mismatch', 'heartbeat'),
    send("the end of another's id", claimed, 403, 'dcc_scope_mismatch', 'deregister'),
    steal("another's id of a type that is one's own", 'register'),
    steal("a heartbeat for another's id of a type that is one's own", 'heartbeat'),
    steal("the end of another's id of a type that is one's own", 'deregister'),
    ...['127.0.0.1', 'localhost.', '[::ffff:127.0.0.1]', '0.0.0.0'].map(host =>
      send(`the gateway itself as ${host}`, { mcp_url: `http://${host}:${port}/mcp` }, 400, 'bad-request'),
    ),
    ...['169.254.169.254', '[fe80::1]', '[::ffff:a9fe:a9fe]'].map(host =>
      send(`the metadata service as ${host}`, { mcp_url: `http://${host}/mcp` }, 400, 'bad-request'),
    ),
    send('an id that is no text', { instance_id: { toString: 1 } }, 400, 'bad-request'),
    send('an address with a password', { mcp_url: 'http://me:secret@10.0.0.5/mcp' }, 400, 'bad-request'),
    send('an address that is a file', { mcp_url: 'file:///etc/passwd' }, 400, 'bad-request'),
  ];
};

async function signed(issuer: Awaited<ReturnType<typeof startIssuer>>): Promise<Hostile[]> {
  const now = Date.now() / 1000;
  const other = await generateKeyPair('ES256');
  const text = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: issuer.issuer, aud: audience, sub: 'x', scope: 'admin', exp: Math.floor(now) + 600 };
  const good = await issuer.sign(audience, { scope: 'read' });
  const [head, , signature] = good.split('.');
  const symmetric = `${text({ alg: 'HS256', kid: 'first' })}.${text(claims)}`;
  const secret = await exportSPKI(issuer.publicKey());
  const made: Record<string, string> = {
    'alg: none': `${text({ alg: 'none' })}.${text(claims)}.`,
    'alg: None with a signature': `${text({ alg: 'None', kid: 'first' })}.${text(claims)}.${signature}`,
    'a signature by the public key': `${symmetric}.${createHmac('sha256', secret).update(symmetric).digest('base64url')}`,
    'other claims under a good signature': `${head}.${text(claims)}.${signature}`,
    'no signature': `${head}.${text(claims)}.`,
    'the key of somebody else': await issuer.sign(audience, {}, {}, other.privateKey),
    'a key that nobody knows': await issuer.sign(audience, {}, { kid: 'nobody' }, other.privateKey),
    'keys of its own': await issuer.sign(
      audience,
      {},
      { jku: 'http://evil.example/keys', kid: 'evil' },
      other.privateKey,
    ),
    expired: await issuer.sign(audience, { exp: now - 60 }),
    'of the future': await issuer.sign(audience, { nbf: Math.floor(now) + 600 }),
    'for another audience': await issuer.sign('https://other.example/mcp'),
    'of another issuer': await issuer.sign(audience, { iss: 'https://evil.example' }),
    'without an end': await issuer.sign(audience, { exp: undefined }),
    'of nobody': await issuer.sign(audience, { sub: undefined }),
    'no token at all': 'a.b.c',
  };
  return Object.entries(made).map(([what, token]) => ({
    ...{ what: `a signed token: ${what}`, path: '/v1/call', headers: bearer(token), status: 401, kind: 'unauthorized' },
  }));
}

export const hostileRequests = async (
  port: number,
  issuer: Awaited<ReturnType<typeof startIssuer>>,
): Promise<Hostile[]> => [
  ...[...names(), ...strangers(), ...scoped(), ...registrations(port)],
  ...(await signed(issuer)),
];
