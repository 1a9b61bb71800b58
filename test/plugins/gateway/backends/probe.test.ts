/** Probing: what an instance says of its readiness, and what is said of one that cannot be asked. */
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { verifies } from '../../../spec/verifies.ts';
import { startGateway, startStranger } from './support.ts';

const bits = { process: true, dcc: true, skill_catalog: true, dispatcher: true };

/** Serves `bodies` by path, anything else with 404. */
const serving =
  (bodies: Record<string, { status: number; body: unknown }>): RequestListener =>
  (request, response) => {
    const { status, body } = bodies[request.url ?? ''] ?? { status: 404, body: {} };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

async function probed(bodies: Record<string, { status: number; body: unknown }>) {
  const gateway = await startGateway();
  const asked: string[] = [];
  const serve = serving(bodies);
  const { instance_id } = await startStranger(
    gateway,
    (request, response) => {
      asked.push(request.url ?? '');
      serve(request, response);
    },
    { ownReadiness: true },
  );
  const instance = await waitFor(() => {
    const known = gateway.app.instances.get(instance_id);
    return known?.probe.probed_at === null ? undefined : known;
  }, 'the probe');
  const backend = gateway.app.backends.list().find(each => each.instance_id === instance_id);
  return { gateway, instance, backend, asked };
}

verifies(
  ['proxy:readyz'],
  'readiness is asked at /v1/readyz, and at /health where there is no such thing',
  async () => {
    const newer = await probed({ '/v1/readyz': { status: 200, body: bits } });
    expect(newer.asked).toEqual(['/v1/readyz']);
    expect(newer.backend?.ready).toBe(true);
    expect(newer.instance.probe.readiness).toMatchObject(bits);
    const older = await probed({ '/health': { status: 200, body: { ok: true, service: 'other' } } });
    expect(older.asked).toEqual(['/v1/readyz', '/health']);
    expect(older.backend?.ready).toBeNull();
    expect(older.instance).toMatchObject({ routable: true, probe: { readiness: null } });
  },
);

test('an instance that is not ready is known, and is not the first choice', async () => {
  const { gateway, backend } = await probed({ '/v1/readyz': { status: 503, body: { ...bits, dcc: false } } });
  expect(backend?.ready).toBe(false);
  expect(gateway.app.backends.ofType('odd')).toEqual([backend]);
});

test('a port that somebody else took is not called', async () => {
  const { instance, backend } = await probed({ '/health': { status: 200, body: 'hello' } });
  expect(backend).toBeUndefined();
  expect(instance).toMatchObject({
    status: 'unreachable',
    routable: false,
    probe: { last_error: { message: expect.stringContaining('something else answers') } },
  });
});
