/** Liveness and readiness over HTTP; other plugins contribute probes. */
import { definePlugin } from '../../kernel/index.ts';
import { createHealth, isReady } from './health.ts';

export const healthPlugin = definePlugin({ name: 'health' }, (app, { log }) => {
  const health = createHealth('svc', (probe, err) => log.warn({ probe, err }, 'a health probe failed'));
  app.decorate('health', health);
  app.get('/health', async () => health.report());
  app.get('/v1/health', async () => health.report());
  app.get('/v1/healthz', async () => ({ ok: true }));
  app.get('/v1/readyz', async (_request, reply) => {
    const bits = health.readiness();
    return reply.code(isReady(bits) ? 200 : 503).send(bits);
  });
});

/** As the gateway has it: its readiness is about the instances behind it, so that `/v1/readyz` is not told here. */
export const gatewayHealthPlugin = definePlugin({ name: 'health' }, (app, { log }) => {
  const health = createHealth('svc-gateway', (probe, err) => log.warn({ probe, err }, 'a health probe failed'));
  app.decorate('health', health);
  app.get('/health', async () => health.report());
  app.get('/v1/health', async () => health.report());
  app.get('/v1/healthz', async () => ({ ok: true }));
});
