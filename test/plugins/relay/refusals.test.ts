/** Who is not let into a relay, and what its tunnels may not do: refused by name, logged without the secret. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { issueTunnelToken, type OpenRelay } from '../../../plugins/index.ts';
import { waitFor } from '../../helper.ts';
import { serving, startRelay, startTunnel } from './support.ts';

const secret = 'a-secret-that-only-the-relay-and-its-owner-know';
const now = Math.floor(Date.now() / 1000);
const instance_id = '12345678-0000-4000-8000-000000000000';
let folder: string;
let relay: OpenRelay;
let logFile: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-relay-'));
  const keyFile = join(folder, 'relay.key');
  await writeFile(keyFile, secret, { mode: 0o600 });
  logFile = join(folder, 'relay.log');
  relay = await startRelay({
    ...{ relay_key_file: keyFile, relay_issuer: 'us', log_level: 'warn', log_file: logFile, relay_max_tunnels: 3 },
  });
});
afterAll(async () => {
  await relay.close();
  await rm(folder, { recursive: true });
});

const signed = (claims: object, alg = 'HS256', key: string = secret): Promise<string> =>
  new SignJWT({ sub: 'studio', iss: 'us', iat: now, exp: now + 600, ...claims })
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(key));
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

interface Outcome {
  status?: number | undefined;
  ack?: Record<string, unknown>;
  code?: number;
}

const register = { protocol_version: 2, dcc: 'maya', agent_version: '1', capabilities: [] };

/** Dials as a tunnel does; resolves when it is accepted, refused or cut off. */
function dial(token: string | undefined, said: unknown = {}, headers: Record<string, string> = {}) {
  const message = typeof said === 'object' ? JSON.stringify({ ...register, ...said }) : String(said);
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`${relay.origin.replace('http', 'ws')}/connect`, {
    headers: { ...authorization, ...headers },
  });
  const outcome: Outcome = {};
  return new Promise<Outcome & { socket: WebSocket }>(resolve => {
    const settle = (): void => resolve(Object.assign(outcome, { socket }));
    socket.on('unexpected-response', (_request, response) => {
      outcome.status = response.statusCode;
      response.destroy();
      settle();
    });
    socket.on('error', settle);
    socket.on('open', () => socket.send(message));
    socket.on('message', (data, binary) => {
      if (binary) return;
      outcome.ack = JSON.parse(data.toString());
      if (outcome.ack?.ok) settle();
    });
    socket.on('close', code => {
      outcome.code = code;
      settle();
    });
  });
}

const closing = (socket: WebSocket): Promise<number> => new Promise(resolve => socket.once('close', resolve));

test('a token that is not valid is 401, before there is a connection', async () => {
  const head = part({ alg: 'none', typ: 'JWT' });
  const body = part({ sub: 'studio', iss: 'us', iat: now, exp: now + 600 });
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const confused = `${part({ alg: 'HS256' })}.${body}`;
  const tokens: Record<string, string | undefined> = {
    none: undefined,
    'not a token': 'nonsense',
    'alg none': `${head}.${body}.`,
    'another secret': await signed({}, 'HS256', `${secret}x`),
    'a public key as the secret': `${confused}.${createHmac('sha256', pem).update(confused).digest('base64url')}`,
    expired: await signed({ exp: now - 60 }),
    'not yet': await signed({ nbf: now + 60 }),
    'issued in the future': await signed({ iat: now + 60 }),
    'no end': await signed({ exp: undefined }),
    nobody: await signed({ sub: undefined }),
    'another issuer': await signed({ iss: 'them' }),
    'types that are no list': await signed({ allowed_dcc: 'maya' }),
  };
  for (const [name, token] of Object.entries(tokens)) expect((await dial(token)).status, name).toBe(401);
  const good = await signed({});
  expect((await dial(good, {}, { origin: 'https://evil.example' })).status).toBe(403);
  // In the address it would stand in logs.
  const inQuery = new WebSocket(`${relay.origin.replace('http', 'ws')}/connect?token=${good}`);
  await new Promise(resolve => inQuery.on('error', resolve));
  expect((await fetch(`${relay.origin}/connect`)).status).toBe(426);
  const log = await waitFor(async () => {
    const text = await readFile(logFile, 'utf8');
    return text.split('refused: AuthFailed').length > 12 ? text : undefined;
  }, 'the log');
  for (const token of [...Object.values(tokens), good, secret])
    if (token !== undefined) expect(log).not.toContain(token);
});

test('a token opens tunnels for its host types alone; what is no registration is refused by name', async () => {
  const token = await signed({ allowed_dcc: ['Houdini'] });
  const cases: [unknown, string, number][] = [
    [{ dcc: 'maya' }, 'DccNotAllowed', 4403],
    [{ dcc: 'houdini', protocol_version: 1 }, 'ProtocolMismatch', 4426],
    [{ dcc: 'a/b' }, 'BadRegistration', 4400],
    [{ dcc: 'houdini', instance_id: 'x' }, 'BadRegistration', 4400],
    [{ dcc: 'houdini', scene: 'x'.repeat(5000) }, 'BadRegistration', 4400],
    ['{"half', 'BadRegistration', 4400],
    ['', 'BadRegistration', 4400],
  ];
  for (const [said, error_code, code] of cases) {
    const outcome = await dial(token, said);
    expect(outcome, JSON.stringify(said).slice(0, 60)).toMatchObject({ ack: { ok: false, error_code }, code });
  }
  const { ack, socket } = await dial(token, { dcc: 'houdini' });
  expect(ack).toMatchObject({ ok: true });
  socket.terminate();
});

test('an instance has the tunnel of one owner: nobody else takes its id, the owner takes its place', async () => {
  const first = await dial(await signed({}), { instance_id });
  const stolen = await dial(await signed({ sub: 'thief' }), { instance_id: instance_id.toUpperCase() });
  expect(stolen).toMatchObject({ ack: { ok: false, error_code: 'InstanceIdTaken' }, code: 4409 });
  expect(first.socket.readyState).toBe(WebSocket.OPEN);
  const replaced = closing(first.socket);
  const second = await dial(await signed({}), { instance_id });
  expect(second.ack).toEqual(first.ack);
  expect(await replaced).toBe(4410);
  second.socket.terminate();
  const { tunnels } = await waitFor(async () => {
    const listed = (await (await fetch(`${relay.origin}/tunnels`)).json()) as { tunnels: unknown[] };
    return listed.tunnels.length === 0 ? listed : undefined;
  }, 'the end of the tunnel');
  expect(tunnels).toEqual([]);
  const third = await dial(await signed({ sub: 'heir' }), { instance_id });
  expect(third.ack).toMatchObject({ ok: true });
  third.socket.terminate();
});

test('a frame over the size, or one that breaks the rules, ends the tunnel and nothing else', async () => {
  const other = await dial(await signed({ sub: 'other' }));
  const frames: [string | Buffer, number][] = [
    [Buffer.alloc(8 * 1024 * 1024 + 1), 1009],
    [Buffer.from([1, 0, 0, 0, 1]), 1002],
    [Buffer.from([3, 0, 0, 0, 9, 1]), 1002],
    [Buffer.from([3]), 1002],
    ['text', 1002],
    // What it says of itself anew: neither another host type, nor the instance of somebody else, nor nothing.
    [JSON.stringify({ ...register, dcc: 'houdini' }), 1002],
    [JSON.stringify({ ...register, instance_id: '12345678-0000-4000-8000-000000000000' }), 1002],
    ['{}', 1002],
  ];
  for (const [bytes, code] of frames) {
    const { socket } = await dial(await signed({}));
    const ended = closing(socket);
    socket.send(bytes);
    expect(await ended).toBe(code);
  }
  expect(other.socket.readyState).toBe(WebSocket.OPEN);
  const listed = async () => ((await (await fetch(`${relay.origin}/tunnels`)).json()) as { tunnels: object[] }).tunnels;
  const [before] = await listed();
  other.socket.send(JSON.stringify({ ...register, scene: 's', tunnel_id: 'another', public_url: 'http://elsewhere' }));
  await waitFor(async () => JSON.stringify(await listed()).includes('"scene":"s"'), 'the scene');
  expect(await listed()).toEqual([{ ...before, scene: 's' }]);
  other.socket.terminate();
});

test('more tunnels than the relay takes are refused; a token that expires ends its tunnel', async () => {
  const brief = await dial(await signed({ sub: 'brief', exp: Math.ceil(Date.now() / 1000) + 1 }));
  expect(brief.ack).toMatchObject({ ok: true });
  const ended = closing(brief.socket);
  const more = [await dial(await signed({ sub: 'a' })), await dial(await signed({ sub: 'b' }))];
  expect(await dial(await signed({ sub: 'c' }))).toMatchObject({ ack: { error_code: 'TooManyTunnels' }, code: 4429 });
  expect(await ended).toBe(4401);
  for (const { socket } of more) socket.terminate();
});

test('a tunnel that is refused ends with a sentence; a changed key counts at once', async () => {
  const target = await serving((_request, response) => response.end('ok'));
  const keyFile = join(folder, 'own.key');
  const token = await issueTunnelToken({ keyFile, subject: 's', allowed: ['maya'], days: 1, issuer: null });
  const own = await startRelay({ relay_key_file: keyFile });
  const options = { tunnel_relay: own.origin, tunnel_target: target.origin, tunnel_token: token };
  await expect(startTunnel({ ...options, dcc_type: 'nuke' })).rejects.toMatchObject({
    code: 'SVC_RELAY_REFUSED',
    message: expect.stringContaining('DccNotAllowed'),
  });
  await expect(startTunnel(options)).rejects.toMatchObject({ code: 'SVC_RELAY_NO_TYPE' });
  await expect(startTunnel({ ...options, tunnel_token: null })).rejects.toMatchObject({ code: 'SVC_RELAY_NO_TOKEN' });
  for (const tunnel_relay of [null, 'nonsense', 'ftp://a', 'http://me:secret@a']) {
    const failing = startTunnel({ ...options, tunnel_relay, dcc_type: 'maya' });
    await expect(failing).rejects.toMatchObject({ code: 'SVC_RELAY_TARGET_INVALID' });
  }
  const tunnel = await startTunnel({ ...options, dcc_type: 'maya' });
  await tunnel.close();
  await writeFile(keyFile, secret);
  await expect(startTunnel({ ...options, dcc_type: 'maya' })).rejects.toThrow('AuthFailed');
  await own.close();
  target.close();
});

test.skipIf(process.platform === 'win32')(
  'a key that is none, or that others may read, is refused at the start',
  async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const pem = (key: typeof publicKey): string =>
      key.export({ type: key.type === 'public' ? 'spki' : 'pkcs8', format: 'pem' }).toString();
    const file = join(folder, 'other.key');
    const cases: [string, RegExp][] = [
      ['short', /32 characters/],
      [pem(privateKey), /private key/],
      ['-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----', /cannot be used/],
    ];
    for (const [text, reason] of cases) {
      await writeFile(file, text, { mode: 0o600 });
      await expect(startRelay({ relay_key_file: file })).rejects.toThrow(reason);
    }
    await expect(startRelay({ relay_key_file: join(folder, 'nowhere') })).rejects.toThrow(/ENOENT/);
    await expect(startRelay({})).rejects.toMatchObject({ code: 'SVC_RELAY_NO_KEY' });
    const open = join(folder, 'open.key');
    await writeFile(open, secret, { mode: 0o644 });
    await expect(startRelay({ relay_key_file: open })).rejects.toThrow(/chmod 600/);
    // A public key is no secret, and takes the tokens that its other half signed.
    await writeFile(file, pem(publicKey), { mode: 0o644 });
    const own = await startRelay({ relay_key_file: file });
    const target = await serving((_request, response) => response.end('ok'));
    const token = await new SignJWT({ sub: 's', exp: now + 600 }).setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey);
    const options = { tunnel_relay: own.origin, tunnel_target: target.origin, dcc_type: 'maya' };
    const tunnel = await startTunnel({ ...options, tunnel_token: token });
    expect(await (await fetch(`${tunnel.public_url}/`)).text()).toBe('ok');
    await expect(startTunnel({ ...options, tunnel_token: await signed({}) })).rejects.toThrow('AuthFailed');
    await tunnel.close();
    await own.close();
    target.close();
  },
);
