/** What only the process that serves a gateway has: its own registry row, its end when idle, and giving way. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { definePlugin, packageVersion, writeWhole } from '../../../kernel/index.ts';
import { daemonFiles, daemonSettings, gatewayType } from '../../../schemas/gateway-daemon.ts';
import type {} from '../../gateway/backends/api.ts';
import type {} from '../../guard/api.ts';
import type {} from '../../health/api.ts';
import type {} from '../../instances/api.ts';
import type {} from '../../instances/registry/api.ts';
import type {} from '../../listener/api.ts';
import type {} from '../../mcp/api.ts';
import type { GatewayEnd, SentinelService } from './api.ts';
import { settings } from './config.ts';
import { answerChallenge, refusal } from './handover.ts';
import { watchIdle } from './idle-watch.ts';
import { publishSentinel, sentinelRow } from './sentinel-row.ts';
import { offeredSuccessor, recordSuccessor, type Successor } from './successor.ts';
import { createTransfer } from './transfer.ts';

/** Without a heartbeat: how often what could not be written is tried again. */
const retrySecs = 5;
const dependencies = ['guard', 'listener', 'health', 'mcp', 'registry', 'instances', 'backends'];

export const sentinelPlugin = definePlugin(
  { name: 'sentinel', config: settings, dependencies },
  (app, { kernel, config, scope, log }) => {
    let end: (why: GatewayEnd) => void = () => undefined;
    const ended = new Promise<GatewayEnd>(resolve => {
      end = resolve;
    });
    let handOn: () => void = () => undefined;
    const handedOn = new Promise<void>(resolve => {
      handOn = resolve;
    });
    const sentinel: SentinelService = { ended, standalone: false, handsOver: false, goOn, handedOn };
    app.decorate('sentinel', sentinel);

    scope.add('identity', app.health.add('registry', app.registry.identity));
    const { directory } = app.registry;
    // Kept: what is handed on has no address here any more.
    let listensOn = 0;
    const file = (kind: 'settings' | 'successor' | 'launched'): string => join(directory, daemonFiles(listensOn)[kind]);
    /** What servers compare with what they would have launched. */
    const writeSettings = (): Promise<void> => {
      const settings = daemonSettings(kernel.config, Object.keys(kernel.config));
      return writeWhole(file('settings'), `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
    };
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

    let warned = false;
    /** A full disk has space again some time: until then it is tried. */
    const writeDown = (): void => {
      const written = publish().then(() => (sentinel.standalone && !scope.disposed ? writeSettings() : undefined));
      written.catch(err => {
        if (scope.disposed) return;
        if (!warned) log.warn({ err }, 'the row of the gateway cannot be written to the registry');
        warned = true;
        const again = setTimeout(writeDown, (config.heartbeat_secs || retrySecs) * 1000).unref();
        scope.add('another try', () => clearTimeout(again));
      });
    };
    app.addHook('onListen', done => {
      const { address, port } = app.server.address() as AddressInfo;
      listensOn = port;
      const role = sentinel.standalone ? 'a daemon' : 'a server that won the election';
      tell('gateway.elected', `process ${process.pid}, ${role}, serves the gateway on ${address}:${port}`);
      writeDown();
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

    const transfer = createTransfer({
      ...{ env: kernel.env, listener: app.listener, sessions: app.mcp.sessions.handOn },
      inFlight: () => app.backends.list().reduce((sum, each) => sum + each.in_flight, 0),
      boundMs: kernel.config.request_timeout_ms,
    });
    /** Gives the gateway away; the returned function ends it, once the last answers are given. */
    const giveWay = async (about: string): Promise<() => void> => {
      log.info(about);
      tell('gateway.yielded', about);
      handOn();
      await shuttingDown().catch(() => undefined);
      return () => void transfer.done().then(() => end('yielded'));
    };
    async function goOn(successor: Successor): Promise<number> {
      const { pid, reason } = await transfer.start(successor);
      if (pid === undefined) throw new Error(reason);
      const release = await giveWay(`this gateway goes on as process ${pid}`);
      await recordSuccessor(file('launched'), pid);
      release();
      return pid;
    }
    app.post('/gateway/yield', async (request, reply) => {
      // It ends this gateway: only for who may read the registry directory, or administers it.
      app.guard.demand(request.raw, 'admin');
      const { adapter_version, dcc_type } = config;
      const server = sentinel.standalone ? undefined : { adapter_version, dcc_type };
      const own = { version: packageVersion, ...(server && { server }) };
      let { status, body } = answerChallenge(request.body, own);
      if (status === 200) {
        const command = sentinel.handsOver ? await offeredSuccessor(file('successor')) : undefined;
        const { pid, reason } = command ? await transfer.start({ command, directory }) : {};
        if (reason !== undefined) {
          log.warn({ reason }, 'this gateway stays');
          ({ status, body } = refusal(reason));
        } else {
          const release = await giveWay(String(body.message));
          if (pid !== undefined) body.successor_pid = pid;
          // Once the answer is on its way: who opened this gateway closes it then.
          reply.raw.once('close', release);
        }
      }
      return reply.code(status).send(body);
    });
  },
);
