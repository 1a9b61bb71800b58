/** Every running instance, from every source: the gateway's directory, and its routes. */
import type { AddressInfo } from 'node:net';
import { definePlugin } from '../../kernel/index.ts';
import { sameListener } from './address.ts';
import type { InstancesService } from './api.ts';
import { settings } from './config.ts';
import { instanceErrors } from './errors.ts';
import { instancesEvents } from './events.ts';
import { createFileSource } from './file-source.ts';
import { createInstances } from './instances.ts';
import type {} from './registry/api.ts';

export const instancesPlugin = definePlugin(
  { name: 'instances', errors: instanceErrors, config: settings, dependencies: ['registry'], events: instancesEvents },
  async (app, { kernel, config, scope, log }) => {
    // A clock that is set makes nobody older: ages are told by one that nobody sets.
    const now = (): number => Math.round(kernel.ids.nowNs() / 1e6);
    const staleMs = config.stale_timeout_secs * 1000;
    const own = () => {
      const address = app.server.address() as AddressInfo | null;
      return address ? { host: kernel.config.host, port: address.port } : undefined;
    };
    const second = { host: config.gateway_remote_host, port: config.gateway_remote_port };
    const instances = createInstances({
      now,
      staleMs,
      isAlive: app.registry.isAlive,
      removeFile: id => void app.registry.remove(id).catch(err => log.warn({ err, id }, 'a dead row stays')),
      bus: kernel.bus,
      isOwn: address => [own(), second].some(each => each && each.port > 0 && sameListener(address, each)),
      onDispute: (about, reason) => log.warn({ about, reason }, 'a remote row is not used'),
    });
    // Heartbeats are seen when rows are read: often enough that none of them turns stale in between.
    const refreshMs = Math.min((config.heartbeat_secs || 5) * 1000, staleMs / 3);
    const files = createFileSource({
      registry: app.registry,
      instances,
      own,
      refreshMs,
      forgetMs: staleMs * 10,
      now,
      log,
    });
    scope.add('registry files', files.close);
    const service: InstancesService = Object.assign(instances.service, { refresh: files.refresh, refreshMs });
    app.decorate('instances', service);
    await files.refresh();
    // Only now is it known which row would be the gateway itself.
    app.addHook('onListen', () => files.refresh());

    const listing = async () => {
      const live = service.live();
      return { total: live.length, by_source: service.counts().by_source, instances: live.map(service.toRow) };
    };
    const schema = (operationId: string, summary: string) => ({ schema: { operationId, summary } });
    app.get('/instances', schema('instances', 'Live instances'), listing);
    app.get('/v1/instances', schema('instances_v1', 'Live instances'), listing);
    const context = schema('instance_context', 'One instance in full');
    app.get<{ Params: { id: string } }>('/v1/instances/:id/context', context, async (request, reply) => {
      const { id } = request.params;
      try {
        return service.toRow(service.find(id));
      } catch (error) {
        const { row, message } = error as { row?: { http: number; kind?: string }; message: string };
        if (row?.http !== 404 && row?.http !== 410) throw error;
        // The contract's body, which says no more than that.
        const told = row.http === 410 ? message : instanceErrors.NOT_FOUND({ instance_id: id }).message;
        return reply.code(404).send({ kind: 'instance-not-found', message: told });
      }
    });
  },
);
