/** What `/admin/api/*` has of its own: the rest of it stands where its data does. Its reads are debug reads as well. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Read } from '../debug/api.ts';
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

/** For who may look at the page. */
export function readsOf({ backends, delivery, webhooks }: InterfaceDeps, admit: (request: IncomingMessage) => void) {
  const skills = createSkills(backends);
  const jobs = createJobs({ backends, delivery });
  const idOf = (params: unknown): string => (params as { id: string }).id;
  const reads: Read[] = [
    { path: 'tasks', summary: 'Background jobs of the instances', answer: () => jobs.list() },
    {
      ...{ path: 'tasks/:id', summary: 'A background job with the beginning of its result' },
      answer: (_query, { params }) => jobs.detail(idOf(params)),
    },
    { path: 'skills', summary: 'Skills of every instance, and packages that it refused', answer: () => skills.list() },
    {
      ...{ path: 'skill-detail', summary: 'A skill of an instance', parameters: ['name', 'instance_id'] },
      answer: ({ name, instance_id }) => skills.detail(name, instance_id),
    },
  ];
  if (webhooks) {
    const { list } = createIntegrations(webhooks);
    reads.push({ path: 'integrations', summary: 'Webhooks and how they fare', answer: () => list() });
  }
  return reads.map(each => ({
    ...each,
    answer(...[query, request]: Parameters<Read['answer']>) {
      admit(request.raw);
      return each.answer(query, request);
    },
  }));
}

/** The page alone knows it. */
const schema = { hide: true };

/** Changes, which the page alone makes. */
export function addChanges(api: FastifyInstance, webhooks: WebhooksService | undefined): void {
  if (!webhooks) return;
  const integrations = createIntegrations(webhooks);
  api.post('/integrations', { schema }, ({ body }) => integrations.add(body));
  api.put('/integrations', { schema }, ({ body }) => integrations.put(body));
  api.delete<Named>('/integrations/:name', { schema }, ({ params }) => integrations.remove(params.name));
  api.post('/integrations/test', { schema }, ({ body }) => integrations.test(body));
}
