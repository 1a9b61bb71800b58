/** Liveness and readiness over HTTP; other plugins contribute probes. */
import type { FastifyInstance } from 'fastify';
import { definePlugin, type PluginTools } from '../../kernel/index.ts';
import { createHealth, type Health, isReady } from './health.ts';
import { probe } from './self-probe.ts';

const define = (service: string, wire: (app: FastifyInstance, health: Health, tools: PluginTools) => void) =>
  definePlugin({ name: 'health' }, (app, tools) => {
    const { log } = tools;
    const health = createHealth(service, (probe, err) => log.warn({ probe, err }, 'a health probe failed'));
    app.decorate('health', health);
    app.get('/health', { schema: { operationId: 'health', summary: 'Health' } }, async () => health.report());
    app.get('/v1/health', { schema: { operationId: 'health_v1', summary: 'Health' } }, async () => health.report());
    app.get('/v1/healthz', { schema: { operationId: 'healthz', summary: 'Liveness' } }, async () => ({ ok: true }));
    wire(app, health, tools);
  });

/** Of a per-host server. */
export const healthPlugin = define('svc', (app, health, { kernel, scope, log }) => {
  const schema = { operationId: 'readyz', summary: 'Whether calls can be served; 503 when not' };
  app.get('/v1/readyz', { schema }, async (_request, reply) => {
    const bits = health.readiness();
    return reply.code(isReady(bits) ? 200 : 503).send(bits);
  });
  const timeoutMs = kernel.config.self_probe_timeout_ms;
  if (timeoutMs === 0) return;
  const selfProbe = app.host.start(async ({ origin }) => {
    const problem = await probe(`${origin}/v1/healthz`, timeoutMs);
    if (problem) log.warn({ origin, problem }, 'the fresh listener did not answer its own probe');
    return undefined;
  });
  scope.add('self probe', selfProbe);
});

/** Of the gateway, whose readiness is told with that of its backends, elsewhere. */
export const gatewayHealthPlugin = define('dcc-mcp-gateway', () => undefined);
