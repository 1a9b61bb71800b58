/** Which way this server has its gateway, and what became of it. Knows no Fastify. */
import type { Bus, Disposer, Environment, Logger, Scope } from '../../../kernel/index.ts';
import type { RegistryService } from '../../instances/registry/api.ts';
import type {
  EmbeddedGateway,
  FailoverReport,
  GatewayMode,
  GuardianService,
  GuardianState,
  RecoveryDriver,
} from './api.ts';
import { challengeGateway } from './challenge.ts';
import type { Settings } from './config.ts';
import { daemonCommand } from './daemon-command.ts';
import { startElection } from './election.ts';
import { type Ensured, ensureDaemon } from './ensure.ts';
import { startGuard } from './guard-loop.ts';
import { probeGateway } from './probe.ts';

export interface GuardianParts {
  config: Settings;
  /** Its directory holds the launch lock and the daemon's logs. */
  registry: Pick<RegistryService, 'directory' | 'prepare'>;
  env: Environment;
  /** Serves the gateway in this process. */
  openGateway(): Promise<EmbeddedGateway>;
  bus: Pick<Bus, 'emit'>;
  log: Logger;
  scope: Scope;
}

export interface Guardian extends GuardianService {
  /** Begins; called when the server listens. Returns at once. */
  start(): void;
}

export function createGuardian({ config, registry, env, openGateway, bus, log, scope }: GuardianParts): Guardian {
  const address = { host: config.gateway_host, port: config.gateway_port };
  const intervalMs = config.gateway_guardian_interval * 1000;
  const probeMs = config.gateway_guardian_timeout * 1000;
  const failures = config.gateway_guardian_failures;
  const { driver, mode, reason } = wayOf(config);
  let state: GuardianState = { mode, is_gateway: false, reason };
  let running = false;
  let failed = 0;
  let decided = Promise.resolve();

  const become = (mode: GatewayMode, is_gateway: boolean, reason: string): void => {
    if (mode === state.mode && is_gateway === state.is_gateway && reason === state.reason) return;
    state = { mode, is_gateway, reason };
    if (mode === 'daemon-unavailable') log.warn({ ...address, mode }, `no gateway: ${reason}`);
    else log.info({ ...address, mode, is_gateway }, reason);
    bus.emit('guardian.changed', { attributes: state });
  };

  const guard = (): Disposer =>
    startGuard({
      probe: signal => probeGateway(address, probeMs, signal),
      ensure: signal =>
        ensureDaemon({
          address,
          registry,
          command: () => daemonCommand(config, registry.directory, env),
          staleMs: config.gateway_launch_lock_stale_secs * 1000,
          timeoutMs: config.gateway_ensure_timeout_secs * 1000,
          signal,
        }),
      intervalMs,
      failures,
      onOutcome: outcome => told(outcome),
      onFailure: consecutive => {
        failed = consecutive;
      },
    });
  const told = (outcome: Ensured): void => {
    if (outcome.state === 'launched') log.info({ ...address, pid: outcome.pid }, 'launched the gateway daemon');
    if (outcome.state === 'unavailable') become('daemon-unavailable', false, outcome.reason);
    else become('daemon-backed', false, 'the gateway daemon answers');
  };

  const elect = (): Disposer => {
    const election = startElection({
      probe: async signal => {
        const found = await probeGateway(address, probeMs, signal);
        failed = found.state === 'healthy' ? 0 : failed + 1;
        return found;
      },
      open: openGateway,
      challenge: signal => challengeGateway(address, config, probeMs, signal),
      intervalMs,
      failures,
      onChange: change => {
        if (change.role === 'gateway') become('embedded-fallback', true, 'active_gateway');
        else if (change.role === 'plain') become('embedded-fallback', false, 'election_active');
        else become('daemon-unavailable', false, change.reason);
      },
    });
    decided = election.decided;
    return () => election.close();
  };

  return {
    get mode() {
      return state.mode;
    },
    recovery_driver: driver,
    get is_gateway() {
      return state.is_gateway;
    },
    report: (): FailoverReport => ({
      enabled: driver !== 'none',
      running,
      consecutive_failures: failed,
      gateway_host: address.host,
      gateway_port: address.port,
      is_gateway: state.is_gateway,
      runtime_mode: state.mode,
      recovery_driver: driver,
      reason: state.reason,
      timestamp_ms: Date.now(),
    }),
    decided: () => decided,
    start() {
      if (driver === 'none' || running || scope.disposed) return;
      running = true;
      const stop = driver === 'daemon_guardian' ? guard() : elect();
      scope.add('gateway watch', async () => {
        await stop();
        running = false;
        if (state.is_gateway) {
          state = { ...state, is_gateway: false };
          bus.emit('guardian.changed', { attributes: state });
        }
      });
    },
  };
}

/** Which way is taken, and what is said of it before anything was tried. */
function wayOf({ gateway_port, legacy_gateway_election, ensure_gateway }: Settings): {
  mode: GatewayMode;
  driver: RecoveryDriver;
  reason: string;
} {
  const none = gateway_port === 0 ? 'gateway_port_not_configured' : 'failover_disabled_by_adapter';
  if (gateway_port === 0 || !(legacy_gateway_election || ensure_gateway)) {
    return { mode: none, driver: 'none', reason: none };
  }
  return legacy_gateway_election
    ? { mode: 'embedded-fallback', driver: 'embedded_election', reason: 'election_thread_not_started' }
    : { mode: 'daemon-backed', driver: 'daemon_guardian', reason: 'the gateway daemon was not asked for yet' };
}
