/** Which way this server has its gateway, and what became of it. Knows no Fastify. */
import { join } from 'node:path';
import {
  type Bus,
  type Config,
  type Disposer,
  type Environment,
  environmentName,
  type Logger,
  packageVersion,
  type Scope,
} from '../../../kernel/index.ts';
import { daemonFiles, daemonSettings } from '../../../schemas/gateway-daemon.ts';
import { localAuthorization } from '../../../schemas/local-key.ts';
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
import { daemonCommand, daemonEnvironment } from './daemon-command.ts';
import { startElection } from './election.ts';
import { type Ensured, ensureDaemon, isOlder } from './ensure.ts';
import { startGuard } from './guard-loop.ts';
import { createLauncher } from './launcher.ts';
import { type ProbeResult, probeGateway } from './probe.ts';
import { createDifferenceWatch, type Difference, describeDifferences } from './settings-difference.ts';

export interface GuardianParts {
  config: Config<Settings>;
  /** Names of the settings of a gateway. */
  gatewaySettings(): Promise<readonly string[]>;
  /** Its directory holds the launch lock and the daemon's logs. */
  registry: Pick<RegistryService, 'directory' | 'identity' | 'prepare' | 'read'>;
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

export function createGuardian(parts: GuardianParts): Guardian {
  const { config, registry, env, openGateway, bus, log, scope } = parts;
  const address = { host: config.gateway_host, port: config.gateway_port };
  const intervalMs = config.gateway_guardian_interval * 1000;
  const probeMs = config.gateway_guardian_timeout * 1000;
  const failures = config.gateway_guardian_failures;
  const { driver, mode, reason } = wayOf(config);
  let state: GuardianState = { mode, is_gateway: false, reason };
  let running = false;
  let failed = 0;
  let decided = Promise.resolve();
  let different: readonly string[] = [];
  let stays: string | undefined;

  const become = (mode: GatewayMode, is_gateway: boolean, reason: string): void => {
    if (mode === state.mode && is_gateway === state.is_gateway && reason === state.reason) return;
    state = { mode, is_gateway, reason };
    if (mode === 'daemon-unavailable') log.warn({ ...address, mode }, `no gateway: ${reason}`);
    else log.info({ ...address, mode, is_gateway }, reason);
    bus.emit('guardian.changed', { attributes: state });
  };

  const probe = async (timeoutMs: number, signal: AbortSignal): Promise<ProbeResult> => {
    // A directory that is not there yet may be called otherwise once it is.
    await registry.prepare().catch(() => undefined);
    return probeGateway(address, registry.identity(), timeoutMs, signal);
  };
  const challenge = (timeoutMs: number, signal: AbortSignal) =>
    challengeGateway(address, config, localAuthorization(registry.directory, address.port), timeoutMs, signal);

  const guard = (): Disposer => {
    const wanted = async () => daemonSettings(config, await parts.gatewaySettings());
    const launcher = createLauncher({
      address,
      directory: registry.directory,
      command: () => daemonCommand(address, registry.directory),
      settings: wanted,
      env: () => daemonEnvironment(env, Object.keys(config).map(environmentName)),
    });
    const file = join(registry.directory, daemonFiles(address.port).settings);
    const settings = createDifferenceWatch({ file, wanted, onChange: differ });
    const timeoutMs = config.gateway_ensure_timeout_secs * 1000;
    const staleMs = config.gateway_launch_lock_stale_secs * 1000;
    const version = packageVersion;
    return startGuard({
      async probe(signal) {
        const found = await probe(probeMs, signal);
        if (found.state === 'healthy') {
          launcher.answered();
          await settings.look();
        }
        return found;
      },
      // One that would not give way is asked no more.
      isOutdated: found => isOlder(found, version) && found.version !== stays,
      async ensure(signal) {
        const done = await ensureDaemon({
          ...{ address, registry, probe, launcher, challenge, version, staleMs, timeoutMs, signal },
        });
        if (done.state !== 'unavailable') await settings.look();
        return done;
      },
      intervalMs,
      failures,
      onOutcome: outcome => told(outcome),
      onFailure: consecutive => {
        failed = consecutive;
      },
    });
  };
  const differ = (found: readonly Difference[]): void => {
    different = found.map(each => each.name);
    const names = describeDifferences(found);
    if (names === '') log.info('the gateway daemon is set as this server would set it');
    else
      log.warn(`the gateway daemon is set otherwise than this server would set it: ${names}. Who launched it decided`);
    bus.emit('guardian.changed', { attributes: state });
  };
  const told = (outcome: Ensured): void => {
    if (outcome.state === 'launched') log.info({ ...address, gateway_pid: outcome.pid }, 'launched the gateway daemon');
    if (outcome.state === 'replaced') {
      log.info({ ...address, version: packageVersion }, `replaced the gateway daemon of version ${outcome.version}`);
    }
    if (outcome.state === 'running' && outcome.older) {
      const { version, reason } = outcome.older;
      stays = version;
      log.warn(`the gateway daemon is of the older version ${version}, and stays: ${reason}`);
    }
    if (outcome.state === 'unavailable') become('daemon-unavailable', false, outcome.reason);
    else become('daemon-backed', false, 'the gateway daemon answers');
  };

  const elect = (): Disposer => {
    const election = startElection({
      probe: async signal => {
        const found = await probe(probeMs, signal);
        failed = found.state === 'healthy' ? 0 : failed + 1;
        return found;
      },
      open: openGateway,
      challenge: async signal => (await challenge(probeMs, signal)).handoff,
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
      settings_differ: different,
      timestamp_ms: Date.now(),
    }),
    get settings_differ() {
      return different;
    },
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
