/** Traffic capture: the tool calls that pass the gateway, leg by leg, for who looks for a fault. Off, little of this is loaded. */
import type { Server } from 'node:http';
import { definePlugin, isSvcError, messageOf, packageVersion } from '../../kernel/index.ts';
import type {} from '../gateway/api.ts';
import type {} from '../rest/api.ts';
import type {} from '../storage/api.ts';
import { settings } from './config.ts';
import { trafficErrors } from './errors.ts';
import { trafficEvents } from './events.ts';
import { addTrafficRoutes, debugPath } from './routes.ts';
import { createTrafficService } from './service.ts';

export const trafficPlugin = definePlugin(
  {
    ...{ name: 'traffic', optional: ['storage', 'rest', 'gateway'], config: settings },
    ...{ errors: trafficErrors, events: trafficEvents },
  },
  async (app, { kernel, config, scope, log, optional }) => {
    const { server_name, server_version: given, host, port } = kernel.config;
    const server_version = given ?? packageVersion;
    const open = async () => {
      const { planOf } = await import('./plan.ts');
      const plan = await planOf(config, kernel.schemas);
      if ('nothing' in plan) {
        // Who names a file looks for what is captured.
        const nothing = `no traffic is captured: ${plan.nothing}`;
        log.info(nothing);
        return nothing;
      }
      const what = config.traffic_config === null ? 'SVC_TRAFFIC_CAPTURE' : 'SVC_TRAFFIC_CONFIG';
      if (config.prod_profile && !config.force_traffic_capture) throw trafficErrors.REFUSED({ what });
      const { openCapture } = await import('./open.ts');
      const opening = openCapture({
        ...{
          kernel,
          plan,
          server: app.server,
          storage: optional.storage,
          scope,
          log,
          flushMs: config.traffic_flush_ms,
        },
        source: () => ({ service: 'svc-gateway', server_name, server_version, host, port: portOf(app.server, port) }),
      });
      return opening.catch((error: unknown) => {
        throw isSvcError(error)
          ? error
          : trafficErrors.CONFIG_INVALID({ source: what, reason: messageOf(error) }, error);
      });
    };
    const opened = config.traffic_capture === null && config.traffic_config === null ? undefined : await open();
    const service = createTrafficService(opened);
    app.decorate('traffic', service);
    const admin = config.admin_enabled ? [`${config.admin_path.replace(/\/+$/, '')}/api/traffic`] : [];
    addTrafficRoutes(app, {
      ...{ traffic: service, paths: [debugPath, ...admin] },
      ...{ codec: optional.rest?.codec, failure: optional.gateway?.failure },
    });
  },
);

/** What it listens on, which a port of 0 does not say. */
function portOf(server: Server, configured: number): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : configured;
}
