/** What only the process that serves a gateway has: its own registry row, its end when idle, and giving way. */
import type { AddressInfo } from 'node:net';
import { definePlugin, packageVersion } from '../../../kernel/index.ts';
import type {} from '../../instances/api.ts';
import type {} from '../../instances/registry/api.ts';
import type { GatewayEnd, SentinelService } from './api.ts';
import { settings } from './config.ts';
import { answerChallenge } from './handover.ts';
import { watchIdle } from './idle-watch.ts';
import { gatewayType, publishSentinel, sentinelRow } from './sentinel-row.ts';

const dependencies = ['registry', 'instances'];

export const sentinelPlugin = definePlugin(
  { name: 'sentinel', config: settings, dependencies },
  (app, { kernel, config, scope, log }) => {
    let end: (why: GatewayEnd) => void = () => undefined;
    const ended = new Promise<GatewayEnd>(resolve => {
      end = resolve;
    });
    const sentinel: SentinelService = { ended, standalone: false };
    app.decorate('sentinel', sentinel);

    const instance_id = kernel.ids.uuid();
    const tell = (event: 'gateway.elected' | 'gateway.yielded', reason: string): void => {
      kernel.bus.emit(event, { attributes: { dcc_type: gatewayType, instance_id, reason } });
    };

    let shuttingDown = async (): Promise<void> => undefined;
    const publish = async (): Promise<void> => {
      const { address: host, port } = app.server.address() as AddressInfo;
      const own = { instance_id, host, port, version: packageVersion };
      const row = sentinelRow(own, kernel.config.endpoint_path, config);
      const sentinel = await publishSentinel(app.registry, row, config.heartbeat_secs);
      if (scope.disposed) await sentinel.remove();
      else scope.add('registry row', sentinel.remove);
      shuttingDown = sentinel.shuttingDown;
    };

    app.addHook('onListen', done => {
      const { address, port } = app.server.address() as AddressInfo;
      const role = sentinel.standalone ? 'a daemon' : 'a server that won the election';
      tell('gateway.elected', `process ${process.pid}, ${role}, serves the gateway on ${address}:${port}`);
      publish().catch(err => log.warn({ err }, 'the row of the gateway cannot be written to the registry'));
      const timeoutMs = config.gateway_idle_timeout_secs * 1000;
      if (sentinel.standalone && !config.gateway_persist && timeoutMs > 0) {
        const onIdle = (): void => {
          log.info({ timeout_secs: config.gateway_idle_timeout_secs }, 'no server is left: the gateway ends');
          end('idle');
        };
        const live = () => app.instances.live().length;
        scope.add('idle watch', watchIdle({ live, timeoutMs, onIdle }));
      }
      done();
    });

    app.post('/gateway/yield', async (request, reply) => {
      const { adapter_version, dcc_type } = config;
      const server = sentinel.standalone ? undefined : { adapter_version, dcc_type };
      const { status, body } = answerChallenge(request.body, { version: packageVersion, ...(server && { server }) });
      if (status === 200) {
        log.info(body, 'the gateway gives way');
        tell('gateway.yielded', String(body.message));
        await shuttingDown().catch(() => undefined);
        // Once the answer is on its way: who opened this gateway closes it then.
        reply.raw.once('close', () => end('yielded'));
      }
      return reply.code(status).send(body);
    });
  },
);
