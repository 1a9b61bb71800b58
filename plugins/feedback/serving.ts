/** Feedback at the gateway: what takes reports, what reads stored ones, and the routes to both. */
import type { FastifyInstance } from 'fastify';
import type { Bus, Ids, Schemas, Scope } from '../../kernel/index.ts';
import type { InstancesService } from '../instances/api.ts';
import type { RegistryService } from '../instances/registry/api.ts';
import type { Settings } from './gateway-config.ts';
import { createFeedbackListing } from './listing.ts';
import { findingReader } from './reading.ts';
import { createFeedbackRecords } from './records.ts';
import { addFeedbackRoutes } from './routes.ts';
import { createSubmissions } from './submissions.ts';

export interface ServingDeps {
  registry: Pick<RegistryService, 'directory' | 'prepare'>;
  instances: Pick<InstancesService, 'get'> | undefined;
  schemas: Pick<Schemas, 'compile'>;
  bus: Pick<Bus, 'emit'>;
  ids: Pick<Ids, 'now'>;
  config: Settings;
  scope: Scope;
}

export function serveFeedback(app: FastifyInstance, deps: ServingDeps): void {
  const { registry, instances, schemas, bus, ids, config, scope } = deps;
  const records = createFeedbackRecords(registry.directory, 'gateway');
  scope.add('records', records.close);
  const reader = findingReader(schemas);
  const submissions = createSubmissions({
    ...{ reader, bus, now: ids.now, instance: id => instances?.get(id.toLowerCase()) },
    async append(entry) {
      await registry.prepare();
      await records.append(entry);
    },
  });
  const listing = createFeedbackListing(registry.directory, ids.now);
  const admin = config.admin_enabled ? [`${config.admin_path.replace(/\/+$/, '')}/api/feedback`] : [];
  addFeedbackRoutes(app, { reader, submissions, listing, readAt: [...admin, '/v1/debug/feedback'] });
}
