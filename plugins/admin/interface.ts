/** What `/admin/api/*` has of its own: the rest of it stands where its data does. */
import type { FastifyInstance } from 'fastify';
import { objectOf } from '../../schemas/loose.ts';
import type { AuditRow, CallRecordsService, TraceRow } from '../audit/records/api.ts';
import type { BackendsService } from '../gateway/backends/api.ts';
import type { DeliveryService } from '../gateway/delivery/api.ts';
import type { WebhooksService } from '../webhooks/api.ts';
import { createIntegrations } from './integrations.ts';
import { createSkills } from './skills.ts';
import { bucketsOf, type SeriesQuery, seriesWindow } from './timeseries.ts';

export interface InterfaceDeps {
  now(): number;
  callRecords: Pick<CallRecordsService, 'calls'>;
  backends: Pick<BackendsService, 'list' | 'get'>;
  delivery: Pick<DeliveryService, 'jobs'>;
  webhooks: WebhooksService | undefined;
}

interface Named {
  Params: { name: string };
}

const allRows = 1_000_000;
const taskRows = 200;
/** The page alone knows it. */
const schema = { hide: true };

export function addInterface(api: FastifyInstance, deps: InterfaceDeps): void {
  const { now, callRecords, backends, delivery, webhooks } = deps;
  const skills = createSkills(backends);

  api.get<{ Querystring: SeriesQuery }>('/analytics/timeseries', { schema }, async ({ query }) => {
    const window = seriesWindow(query, now());
    const wanted = (row: AuditRow | TraceRow): boolean =>
      'timestamp' in row && Date.parse(row.timestamp) >= window.from;
    const { rows } = await callRecords.calls({ limit: allRows, wanted });
    return { from: window.from, step_ms: window.stepMs, points: bucketsOf(rows, window) };
  });
  api.get('/tasks', { schema }, async () => {
    const { jobs, ...rest } = await delivery.jobs(taskRows);
    return { total: jobs.length, tasks: jobs, ...rest };
  });
  api.get('/skills', { schema }, () => skills.list());
  api.get('/skill-detail', { schema }, ({ query }) => {
    const { name, instance_id } = objectOf(query);
    return skills.detail(name, instance_id);
  });

  if (!webhooks) return;
  const integrations = createIntegrations(webhooks);
  api.get('/integrations', { schema }, () => integrations.list());
  api.put('/integrations', { schema }, ({ body }) => integrations.put(body));
  api.delete<Named>('/integrations/:name', { schema }, ({ params }) => integrations.remove(params.name));
  api.post('/integrations/test', { schema }, ({ body }) => integrations.test(body));
}
