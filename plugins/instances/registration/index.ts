/** Publishes this instance in the registry, so that the gateway and other programs find it. */
import type { AddressInfo } from 'node:net';
import { definePlugin, packageVersion } from '../../../kernel/index.ts';
import { originOf, reachable } from '../../../schemas/address.ts';
import { missingBits } from '../../../schemas/readiness.ts';
import type {} from '../../health/api.ts';
import type {} from '../../tools/api.ts';
import type {} from '../registry/api.ts';
import type {} from './api.ts';
import { settings } from './config.ts';
import { createLoad } from './load.ts';
import { createRegistration } from './registration.ts';
import { addUpdate } from './update.ts';

/** Calls at which an instance counts as busy, as its row tells it. */
const capacity = 1;

export const registrationPlugin = definePlugin(
  { name: 'registration', config: settings, dependencies: ['health', 'registry'], optional: ['tools'] },
  (app, { kernel, config, scope, log, optional }) => {
    const dedicated = kernel.config.spawn_mode === 'dedicated';
    const registration = createRegistration({
      registry: app.registry,
      instanceId: config.instance_id ?? kernel.ids.uuid(),
      heartbeatSecs: config.heartbeat_secs,
      base: {
        dcc_type: config.dcc_type ?? 'python',
        version: config.dcc_version,
        adapter_version: config.adapter_version,
        adapter_dcc: config.adapter_dcc,
        scene: config.scene,
        documents: config.scene === null ? [] : [config.scene],
        capacity,
        extras: { heartbeat_secs: config.heartbeat_secs },
        metadata: {
          gateway_runtime_mode:
            config.gateway_port === 0 ? 'gateway_port_not_configured' : 'failover_disabled_by_adapter',
          gateway_guardian_enabled: 'false',
          gateway_recovery_driver: 'none',
          dcc_mcp_server_version: packageVersion,
          dcc_mcp_instance_type: dedicated ? 'gui' : 'standalone',
        },
      },
      address: () => {
        const { port } = app.server.address() as AddressInfo;
        const host = reachable(kernel.config.host);
        return { host, port, mcp_url: originOf({ host, port }) + kernel.config.endpoint_path };
      },
      late: instance_id => app.host.report({ instance_id }),
      ready: () => missingBits(app.health.readiness()).length === 0,
      log,
    });
    app.decorate('registration', registration);
    app.addHook('onListen', () => void registration.announce());
    // Told while the calls in flight still run: who looks for an instance meanwhile takes another.
    scope.add('leaving', kernel.bus.on('internal.closing', registration.leaving));
    app.addHook('preClose', registration.leaving);
    const announce = app.host.start(async () => ({ instance_id: await registration.announce() }));
    scope.add('start', announce);
    scope.add('registry row', registration.close);
    const { tools } = optional;
    if (tools) {
      const load = createLoad({ inFlight: () => tools.inFlight, bound: capacity, changed: registration.workChanged });
      scope.add('load', load.stop);
      scope.add('work', tools.onWork(load.begun));
    }
    scope.add('operation', addUpdate({ host: app.host, health: app.health, registration, scope }));
  },
);
