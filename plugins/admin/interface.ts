/** What `/admin/api/*` has of its own: the rest of it stands where its data does. */
import type { FastifyInstance } from 'fastify';
import { objectOf } from '../../schemas/loose.ts';
import type { BackendsService } from '../gateway/backends/api.ts';
import type { DeliveryService } from '../gateway/delivery/api.ts';
import type { WebhooksService } from '../webhooks/api.ts';
import { createIntegrations } from './integrations.ts';
import { createJobs } from './jobs.ts';
import { createSkills } from './skills.ts';

export interface InterfaceDeps {
  backends: Pick<BackendsService, 'list' | 'get'>;
  delivery: Pick<DeliveryService, 'jobs' | 'ownerOf'>;
  webhooks: WebhooksService | undefined;
}

interface Named {
  Params: { name: string };
}

/** The page alone knows it. */
const schema = { hide: true };

export function addInterface(api: FastifyInstance, deps: InterfaceDeps): void {
  const { backends, delivery, webhooks } = deps;
  const skills = createSkills(backends);
  const jobs = createJobs({ backends, delivery });

  api.get('/tasks', { schema }, () => jobs.list());
  api.get<{ Params: { id: string } }>('/tasks/:id', { schema }, ({ params }) => jobs.detail(params.id));
  api.get('/skills', { schema }, () => skills.list());
  api.get('/skill-detail', { schema }, ({ query }) => {
    const { name, instance_id } = objectOf(query);
    return skills.detail(name, instance_id);
  });

  if (!webhooks) return;
  const integrations = createIntegrations(webhooks);
  api.get('/integrations', { schema }, () => integrations.list());
  api.post('/integrations', { schema }, ({ body }) => integrations.add(body));
  api.put('/integrations', { schema }, ({ body }) => integrations.put(body));
  api.delete<Named>('/integrations/:name', { schema }, ({ params }) => integrations.remove(params.name));
  api.post('/integrations/test', { schema }, ({ body }) => integrations.test(body));
}
