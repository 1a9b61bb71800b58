/** Registers this server at the gateway of another machine; off unless that is named. */
import type { AddressInfo } from 'node:net';
import { definePlugin } from '../../../kernel/index.ts';
import { ownToken } from '../../../schemas/own-token.ts';
import type {} from '../registration/api.ts';
import { settings } from './config.ts';
import { remoteErrors } from './errors.ts';

const isHttp = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
};

export const remoteRegistrationPlugin = definePlugin(
  { name: 'remote-registration', config: settings, errors: remoteErrors, optional: ['registration'] },
  async (app, { kernel, config, scope, log, optional }) => {
    const { remote_gateway_url: gatewayUrl, advertised_mcp_url: advertised } = config;
    for (const option of ['remote_gateway_url', 'advertised_mcp_url'] as const) {
      const given = config[option];
      if (given !== null && !isHttp(given)) throw remoteErrors.URL_INVALID({ option, url: given });
    }
    if (gatewayUrl === null) return;
    const { registration } = optional;
    if (!registration) throw remoteErrors.NO_REGISTRATION();
    const { createRemoteGateway } = await import('./remote-gateway.ts');
    const { addressTowards, createRemoteRegistration } = await import('./remote-registration.ts');
    const url = new URL(gatewayUrl);
    const remote = createRemoteRegistration({
      gateway: createRemoteGateway({
        url,
        token: () => ownToken(config.remote_gateway_token_file, config.remote_gateway_token),
        onLost: () => remote.lost(),
      }),
      said: registration.said,
      async address() {
        if (advertised !== null) return advertised;
        const { port } = app.server.address() as AddressInfo;
        return `http://${await addressTowards(url, kernel.config.host)}:${port}${kernel.config.endpoint_path}`;
      },
      ttlSecs: config.remote_gateway_ttl_secs,
      log,
    });
    app.addHook('onListen', async () => remote.start());
    // Told while the calls in flight still run: who looks for an instance meanwhile takes another.
    app.addHook('preClose', remote.close);
    scope.add('remote registration', remote.close);
  },
);
