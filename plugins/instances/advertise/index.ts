/** Advertises the server on the local network, for gateways of other machines; off unless it is asked for. */
import type { AddressInfo } from 'node:net';
import { definePlugin, packageVersion } from '../../../kernel/index.ts';
import type {} from '../../guard/api.ts';
import type {} from '../registration/api.ts';
import { settings } from './config.ts';

export const advertisePlugin = definePlugin(
  { name: 'advertise', config: settings, dependencies: ['registration'], optional: ['guard'] },
  (app, { kernel, config, scope, log, optional: { guard } }) => {
    if (!config.advertise_mdns) return;
    const { host } = kernel.config;
    if (/^(localhost$|127\.|::1$)/.test(host)) {
      log.warn({ host }, 'not advertised by mDNS: nobody on another machine reaches this address, set host');
      return;
    }
    app.addHook('onListen', async () => {
      const { Bonjour } = (await import('bonjour-service')).default;
      const bonjour = new Bonjour({}, (error: Error) => log.warn({ reason: error.message }, 'mDNS does not work here'));
      scope.add(
        'advertisement',
        () => new Promise<void>(resolve => bonjour.unpublishAll(() => bonjour.destroy(resolve))),
      );
      const { instance_id } = app.registration;
      bonjour.publish({
        name: `svc ${String(instance_id).slice(0, 8)}`,
        type: 'dcc-mcp',
        port: (app.server.address() as AddressInfo).port,
        txt: {
          dcc: config.dcc_type ?? 'python',
          instance_id,
          version: config.dcc_version ?? '',
          mcp_path: kernel.config.endpoint_path,
          adapter: config.adapter_version ?? packageVersion,
          ...(guard?.on && { auth: 'bearer' }),
        },
      });
    });
  },
);
