/** Sees to it that this server has a gateway: the machine-wide daemon, or by election this very process. */
import { type Config, definePlugin, type Environment } from '../../../kernel/index.ts';
import type {} from '../../health/api.ts';
import type {} from '../../instances/registration/api.ts';
import type {} from '../../instances/registry/api.ts';
import type { EmbeddedGateway } from './api.ts';
import { settings } from './config.ts';
import { guardianEvents } from './events.ts';
import { createGuardian } from './guardian.ts';

/** Serves the gateway in this process: the composition root knows how. */
export type OpenEmbedded = (input: { config: Config; env: Environment; standalone: false }) => Promise<EmbeddedGateway>;

/** `gatewaySettings` names the settings of a gateway. */
export const createGuardianPlugin = (open: OpenEmbedded, gatewaySettings: () => Promise<readonly string[]>) =>
  definePlugin(
    {
      name: 'guardian',
      config: settings,
      dependencies: ['health', 'registry', 'registration'],
      events: guardianEvents,
    },
    (app, { kernel, config, scope, log }) => {
      const { env } = kernel;
      const openGateway = () => open({ config: kernel.config as Config, env, standalone: false });
      const { registry } = app;
      const guardian = createGuardian({
        // Complete: what the daemon is set to is not this plugin's to know.
        config: kernel.config as Config<typeof config>,
        ...{ gatewaySettings, registry, env, openGateway, bus: kernel.bus, log, scope },
      });
      app.decorate('guardian', guardian);
      // Names alone: what the settings are, and why there is no gateway, may be nobody else's business.
      const told = () => {
        const { mode, settings_differ } = guardian;
        return { state: mode === 'daemon-unavailable' ? 'unavailable' : 'ok', mode, settings_differ };
      };
      scope.add('health', app.health.add('gateway', told));
      const register = (): void => {
        // The row is taken back by then.
        if (scope.disposed) return;
        const { mode, recovery_driver } = guardian;
        app.registration.setGateway(mode, recovery_driver === 'daemon_guardian', recovery_driver);
        void app.registration.update({ metadata: { gateway_settings_differ: guardian.settings_differ.join(',') } });
      };
      const changed = (): void => {
        register();
        app.host.report({ is_gateway: guardian.is_gateway });
      };
      scope.add('guardian.changed', kernel.bus.on('guardian.changed', changed));
      // Known at once, except where servers compete for the gateway's port.
      scope.add(
        'start',
        app.host.start(async () => {
          await guardian.decided();
          return { is_gateway: guardian.is_gateway };
        }),
      );
      register();
      // Once the server listens, and without holding it up.
      app.addHook('onListen', done => {
        guardian.start();
        done();
      });
    },
  );
