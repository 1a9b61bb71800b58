/** One contract for every driver, proved on the one that we have and on another that the seam must carry. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBackend, type OwnedBackend } from '../../../../plugins/gateway/backends/backend.ts';
import { createBackends } from '../../../../plugins/gateway/backends/backends.ts';
import type { Driver } from '../../../../plugins/gateway/backends/driver.ts';
import { createHttpDriver } from '../../../../plugins/gateway/backends/http/driver.ts';
import { createInstance } from '../../../../plugins/instances/instance.ts';
import { freePort, waitFor } from '../../../helper.ts';
import { emptyRow } from '../../instances/registry/support.ts';
import { addressOfCommand, stdioDriver } from './stdio-driver.ts';
import { startGateway } from './support.ts';

const program = fileURLToPath(new URL('./small-instance.ts', import.meta.url));
const viaTsx = ['--import', 'tsx'];

interface Place {
  mcp_url: string;
  /** Brings up another one at the same place; for a driver that does so itself, nothing. */
  restart(): Promise<void>;
}

interface World {
  driver: Driver;
  /** Where an instance is. */
  start(): Promise<Place>;
  /** Where none is. */
  nowhere(): Promise<string>;
}

async function overHttp(port: number): Promise<number> {
  const child = fork(program, ['http', String(port)], { execArgv: viaTsx });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [bound] = (await once(child, 'message')) as [number];
  return bound;
}

const worlds: Record<string, World> = {
  http: {
    driver: createHttpDriver(() => undefined),
    async start() {
      const port = await overHttp(0);
      return { mcp_url: `http://127.0.0.1:${port}/mcp`, restart: async () => void (await overHttp(port)) };
    },
    nowhere: async () => `http://127.0.0.1:${await freePort()}/mcp`,
  },
  stdio: {
    driver: stdioDriver,
    start: async () => ({
      mcp_url: addressOfCommand([process.execPath, ...viaTsx, program, 'stdio']),
      restart: async () => undefined,
    }),
    nowhere: async () => addressOfCommand(['/no/such/program']),
  },
};

const instanceAt = (mcp_url: string) =>
  createInstance(
    { row: emptyRow({ metadata: { mcp_url } }), source: 'http', meta: {}, at: 0 } as unknown as Parameters<
      typeof createInstance
    >[0],
    {} as Parameters<typeof createInstance>[1],
    { stale: false, dead: false },
  );

interface Heard {
  initialized: number;
  cancelled: number;
  pongs: number;
  pid: number;
}

describe.each(Object.entries(worlds))('%s', (_, world) => {
  /** A backend of this driver; what it is told is kept. */
  const backendAt = (mcp_url: string) => {
    const instance = instanceAt(mcp_url);
    const states: string[] = [];
    const told: string[] = [];
    const backend = createBackend({
      instance: () => instance,
      driver: world.driver,
      timeoutMs: 10_000,
      clientVersion: '1',
      now: Date.now,
      onState: (_from, state) => void states.push(state),
      onNotification: (_from, method) => void told.push(method),
      onQuestion: () => Promise.reject(new Error('this gateway has no clients')),
      onFailure: () => undefined,
      onDeath: () => undefined,
      onBroken: () => undefined,
    });
    onTestFinished(() => backend.close('the test is over', 'cut'));
    return { backend, states, told };
  };
  const started = async () => {
    const place = await world.start();
    return { ...place, ...backendAt(place.mcp_url) };
  };
  const call = async (backend: OwnedBackend, name: string, args: object = {}, options = {}): Promise<unknown> =>
    JSON.parse(await backend.callRaw(name, JSON.stringify(args), undefined, options));
  const heardBy = async (backend: OwnedBackend) => (await call(backend, 'heard')) as Heard;

  test('one handshake for all that ask at once; text passes as it is', async () => {
    const { backend, states } = await started();
    const args = { text: 'a é " } \n \u2028', n: [1, { deep: null }] };
    expect(await Promise.all([1, 2, 3].map(() => call(backend, 'echo', args)))).toEqual([args, args, args]);
    expect(await backend.request('ping', {}, { idempotent: true })).toEqual({});
    expect(await heardBy(backend)).toMatchObject({ initialized: 1, cancelled: 0 });
    expect(states).toEqual(['connected']);
    expect(backend).toMatchObject({ in_flight: 0, circuit: 'closed', closed: false });
  });

  test('an error of the instance keeps its number, its message and its data', async () => {
    const { backend } = await started();
    await expect(call(backend, 'nothing')).rejects.toMatchObject({
      code: 'SVC_BACKENDS_RPC_ERROR',
      row: { rpc: -32050 },
      details: { backend_error: { code: -32050, message: 'no nothing here', data: { why: 1 } } },
    });
  });

  test('a call that its caller gives up, or that is late, ends at once and is called off over there', async () => {
    const { backend } = await started();
    await heardBy(backend);
    const leaving = new AbortController();
    const given = call(backend, 'wait', { ms: 60_000 }, { signal: leaving.signal });
    await waitFor(() => backend.in_flight === 1, 'the call');
    leaving.abort();
    await expect(given).rejects.toMatchObject({ code: 'SVC_RPC_CANCELLED' });
    const late = call(backend, 'wait', { ms: 60_000 }, { timeoutMs: 100 });
    await expect(late).rejects.toMatchObject({ code: 'SVC_BACKENDS_TIMEOUT' });
    await waitFor(async () => (await heardBy(backend)).cancelled === 2, 'both cancellations');
    expect(backend.in_flight).toBe(0);
  });

  test('what an instance tells by itself arrives while it is listened to, and its ping is answered', async () => {
    const { backend, told } = await started();
    backend.listen(true);
    await waitFor(async () => {
      await call(backend, 'tell', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      return told.includes('notifications/tools/list_changed');
    }, 'the notification');
    await call(backend, 'tell', { jsonrpc: '2.0', id: 'p', method: 'ping' });
    await waitFor(async () => (await heardBy(backend)).pongs === 1, 'the pong');
    backend.listen(false);
  });

  test('a death ends what is in flight; what comes after a restart is served in a new session, notifications too', async () => {
    const { backend, states, told, restart } = await started();
    backend.listen(true);
    const { pid } = await heardBy(backend);
    const lost = [1, 2, 3].map(() => call(backend, 'wait', { ms: 60_000 }).catch((error: unknown) => error));
    await waitFor(() => backend.in_flight === 3, 'the calls');
    // An answer to what was sent after them: they have left this side, and are not merely waiting for a connection.
    await heardBy(backend);
    process.kill(pid, 'SIGKILL');
    for (const error of await Promise.all(lost)) expect(error).toMatchObject({ code: 'SVC_BACKENDS_BROKEN' });
    await restart();
    expect((await heardBy(backend)).pid).not.toBe(pid);
    expect(states).toEqual(['connected', 'reconnected']);
    await waitFor(
      async () => {
        await call(backend, 'tell', { jsonrpc: '2.0', method: 'notifications/again' });
        return told.includes('notifications/again');
      },
      'the notification',
      10_000,
    );
  });

  test('back-pressure: calls in flight are bounded, and none of them outlasts its deadline', async () => {
    const { backend } = await started();
    await heardBy(backend);
    const codes: string[] = [];
    const waits = Array.from({ length: 300 }, () =>
      call(backend, 'wait', { ms: 60_000, filling: 'x'.repeat(10_000) }, { timeoutMs: 1000 }).catch(
        ({ code }: { code: string }) => void codes.push(code),
      ),
    );
    expect(backend.in_flight).toBe(256);
    await Promise.all(waits);
    const counted = (name: string) => codes.filter(code => code === `SVC_BACKENDS_${name}`).length;
    expect([counted('BUSY'), counted('TIMEOUT')]).toEqual([44, 256]);
    expect(backend.in_flight).toBe(0);
  });

  test('an answer beyond the bound is a failure of its own, not of memory', async () => {
    const { mcp_url } = await world.start();
    const link = world.driver.connect(instanceAt(mcp_url), { maxBytes: 100_000, onMessage: () => undefined });
    onTestFinished(() => link.close(new Error('over')));
    const body = (id: number, method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const opening = await link.open({ id: 1, body: body(1, 'initialize', {}), timeoutMs: 10_000 });
    if (!('session' in opening)) throw new Error('no session');
    const ask = (id: number, bytes: number) =>
      opening.session.post({
        id,
        body: body(id, 'tools/call', { name: 'large', arguments: { bytes } }),
        timeoutMs: 5000,
      });
    expect((await ask(2, 1000)).result).toBe('x'.repeat(1000));
    expect((await ask(3, 1_000_000)).failure?.kind).toBe('too-large');
  });

  test('who leaves in good order lets calls end; who is cut off tells why', async () => {
    const { backend, states } = await started();
    await heardBy(backend);
    const ending = call(backend, 'wait', { ms: 300 });
    await waitFor(() => backend.in_flight === 1, 'the call');
    await backend.close('deregistered', 'drain');
    expect(await ending).toEqual({ waited: 300 });
    await expect(call(backend, 'echo')).rejects.toMatchObject({ code: 'SVC_BACKENDS_GONE' });
    const other = await started();
    await heardBy(other.backend);
    const cut = call(other.backend, 'wait', { ms: 60_000 }).catch((error: unknown) => error);
    await waitFor(() => other.backend.in_flight === 1, 'the call');
    await other.backend.close('exited', 'cut');
    expect(await cut).toMatchObject({ code: 'SVC_BACKENDS_GONE', details: { reason: 'exited' } });
    expect([...states, ...other.states]).toEqual(['connected', 'lost', 'connected', 'lost']);
  });

  test('a probe finds who is there, and nobody where there is nobody', async () => {
    const { backend } = await started();
    expect(await backend.probe(5000)).toMatchObject({ kind: 'reachable' });
    const { backend: nobody } = backendAt(await world.nowhere());
    expect(await nobody.probe(5000)).toMatchObject({ kind: 'unreachable', certain: true });
    await expect(call(nobody, 'echo')).rejects.toMatchObject({ code: 'SVC_BACKENDS_UNREACHABLE' });
  });
});

test('the row says which driver takes an instance; what that has no way for is refused in terms of the table', async () => {
  const { app } = await startGateway();
  const backends = createBackends({
    instances: app.instances,
    bus: app.kernel.bus,
    drivers: [createHttpDriver(() => undefined), stdioDriver],
    timeoutMs: 10_000,
    clientVersion: '1',
    now: Date.now,
    onError: () => undefined,
  });
  backends.start();
  onTestFinished(backends.close);
  const added = async (place: Pick<Place, 'mcp_url'>) => {
    const row = emptyRow({ metadata: { mcp_url: place.mcp_url } });
    app.instances.source('http').assert(row);
    return row.instance_id;
  };
  const web = backends.get(await added(await (worlds.http as World).start()));
  const child = backends.get(await added(await (worlds.stdio as World).start()));
  for (const backend of [web, child]) expect(await backend.request('ping', {})).toEqual({});
  expect(web.hop).toBeDefined();
  expect(child.hop).toBeUndefined();
  const missing = { code: 'SVC_BACKENDS_BAD_ANSWER', row: { http: 502 } };
  await expect(child.cancelJob('j')).rejects.toMatchObject(missing);
  await expect(child.jobEvents('j', new AbortController().signal)).rejects.toMatchObject(missing);
  const unknown = await added({ mcp_url: 'gopher://127.0.0.1/mcp' });
  expect(() => backends.get(unknown)).toThrow(/cannot be reached.*no driver for gopher/);
});
