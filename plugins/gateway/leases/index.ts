/** Leases of instances. They stand in the registry's directory, so that a gateway that is restarted knows them. */
import { join } from 'node:path';
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../instances/registry/api.ts';
import type {} from '../events/api.ts';
import type {} from './api.ts';
import { leaseErrors } from './errors.ts';
import { leasesEvents } from './events.ts';
import { createFolderStore } from './folder-store.ts';
import { createLeases } from './leases.ts';

/** After these it does not come back under its id; one that is not heard of for a while may. */
const ends: ReadonlySet<string> = new Set(['exited', 'deregistered']);

export const leasesPlugin = definePlugin(
  {
    name: 'leases',
    errors: leaseErrors,
    events: leasesEvents,
    dependencies: ['registry', 'instances', 'gateway-events'],
  },
  async (app, { kernel, scope, log }) => {
    const { instances, registry } = app;
    const store = createFolderStore(join(registry.directory, 'leases'));
    const leases = createLeases({ store, instances, bus: kernel.bus, now: kernel.ids.now });
    const lost = (err: unknown): void => log.warn({ err }, 'the leases cannot be read or written');
    await leases.refresh().catch(lost);
    // Those of a gateway that went on until this one could listen.
    app.addHook('onListen', () => leases.refresh().catch(lost));
    const timer = setInterval(() => void leases.refresh().catch(lost), instances.refreshMs).unref();
    scope.add('expiry', () => clearInterval(timer));
    const left = kernel.bus.on('instance.left', ({ attributes: { instance_id, reason } }) => {
      if (ends.has(reason)) void leases.forget(instance_id).catch(lost);
    });
    scope.add('instances that leave', left);
    app.decorate('leases', leases.service);
  },
);
