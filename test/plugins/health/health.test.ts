import { expect, test } from 'vitest';
import { packageVersion } from '../../../kernel/index.ts';
import { healthPlugin } from '../../../plugins/health/index.ts';
import { testApp } from '../../helper.ts';

const all = {
  process: true,
  dcc: true,
  skill_catalog: true,
  dispatcher: true,
  host_execution_bridge: true,
  main_thread_executor: true,
};

test('/health and /v1/health answer ok, who serves, in which version, and the contributions (shape:health)', async () => {
  const app = await testApp([healthPlugin]);
  const remove = app.health.add('job_persistence', () => ({ state: 'healthy', consecutive_failures: 0 }));
  for (const path of ['/health', '/v1/health']) {
    const answer = await app.inject(path);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      ok: true,
      ...{ service: 'svc', product: 'svc', version: packageVersion },
      job_persistence: { state: 'healthy', consecutive_failures: 0 },
    });
  }
  void remove();
  expect((await app.inject('/health')).json()).toEqual({
    ...{ ok: true, service: 'svc', product: 'svc', version: packageVersion },
  });
  expect((await app.inject('/v1/healthz')).json()).toEqual({ ok: true });
});

test('a contribution cannot take a name twice, and one that throws tells nothing of its error', async () => {
  const app = await testApp([healthPlugin]);
  expect(() => app.health.add('ok', () => false)).toThrow(/registered already/);
  app.health.add('broken', () => {
    throw new Error('/secret/path');
  });
  expect((await app.inject('/health')).json()).toMatchObject({ broken: { state: 'unavailable' } });
});

test('/v1/readyz reports the six bits and is 503 until process, dcc, skill_catalog and dispatcher are true', async () => {
  const app = await testApp([healthPlugin]);
  const first = await app.inject('/v1/readyz');
  expect([first.statusCode, first.json()]).toEqual([200, all]);
  expect(Object.keys(first.json())).toEqual(Object.keys(all));
  for (const bit of ['process', 'dcc', 'skill_catalog', 'dispatcher'] as const) {
    const good = app.health.ready(bit, () => true);
    const bad = app.health.ready(bit, () => false);
    const answer = await app.inject('/v1/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([503, { ...all, [bit]: false }]);
    void bad();
    void good();
  }
  const failing = app.health.ready('dcc', () => {
    throw new Error('gone');
  });
  expect((await app.inject('/v1/readyz')).statusCode).toBe(503);
  void failing();
  for (const bit of ['host_execution_bridge', 'main_thread_executor'] as const) app.health.ready(bit, () => false);
  const informative = await app.inject('/v1/readyz');
  expect(informative.statusCode).toBe(200);
  expect(informative.json()).toMatchObject({ host_execution_bridge: false, main_thread_executor: false });
  expect(() => app.health.ready('nothing' as 'dcc', () => true)).toThrow(/not a readiness bit/);
});
