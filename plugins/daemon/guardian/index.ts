/** Sees to it that this server has a gateway: the machine-wide daemon, or by election this very process. */
import { type Config, definePlugin, type Environment } from '../../../kernel/index.ts';
import type {} from '../../instances/registration/api.ts';
import type {} from '../../instances/registry/api.ts';
import type { EmbeddedGateway } from './api.ts';
import { createGuardian } from './guardian.ts';

export interface GuardianSurroundings {
  /** Environment of the daemon. */
  env: Environment;
  /** Serves the gateway in this process, set as the server is: the composition root knows how. */
  openGateway(config: Config): Promise<EmbeddedGateway>;
}

export const createGuardianPlugin = ({ env, openGateway }: GuardianSurroundings) =>
  definePlugin(
    { name: 'guardian', dependencies: ['registry', 'registration'] },
    (app, { kernel, config, scope, log }) => {
      const guardian = createGuardian({
        config,
        registry: app.registry,
        env,
        openGateway: () => openGateway(kernel.config as Config),
        log,
        scope,
      });
      app.decorate('guardian', guardian);
      const register = (): void => {
        // The row is taken back by then.
        if (scope.disposed) return;
        const { mode, recovery_driver } = guardian;
        app.registration.setGateway(mode, recovery_driver === 'daemon_guardian', recovery_driver);
      };
      scope.add('registration', guardian.onChange(register));
      register();
      // Once the server listens, and without holding it up.
      app.addHook('onListen', done => {
        guardian.start();
        done();
      });
    },
  );
