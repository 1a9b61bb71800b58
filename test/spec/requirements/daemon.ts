/** Rules of "Gateway run modes", "Gateway topology and daemon" and the daemon's environment variables. */
import { section } from '../requirement.ts';

const modes = section('run-mode', 'Gateway run modes (reported in gateway metadata)', {
  'daemon-backed': 'The default: the per-host process ensures the daemon and registers as a backend.',
  failover_disabled_by_adapter: 'Reported when the server was started with the no-ensure-gateway option.',
  gateway_port_not_configured: 'Reported with the no-auto-gateway option or gateway_port 0.',
});

const topology = section('daemon', 'Gateway topology and daemon (operational contract)', {
  ensured: 'Each host process ensures one machine-wide gateway daemon.',
  'legacy-election': 'With --legacy-gateway-election the first process to bind gateway_port becomes the gateway.',
  'no-ensure': 'With --no-ensure-gateway no daemon and no guardian is launched; only a registry row is published.',
  'no-auto': 'With --no-auto-gateway gateway_port is 0; a registry row is still written.',
  command: 'svc-server gateway --host --port --registry-dir is the daemon.',
});

const environment = section('daemon-env', 'Limits', {
  SVC_GATEWAY_GUARDIAN_INTERVAL: 'Seconds between the probes of the daemon: 5.',
  SVC_GATEWAY_GUARDIAN_TIMEOUT: 'Timeout of one probe in seconds: 0.5.',
  SVC_GATEWAY_GUARDIAN_FAILURES: 'Consecutive failed probes before the daemon is ensured again: 2.',
  SVC_GATEWAY_LAUNCH_LOCK_STALE_SECS: 'Age after which a launch lock is reclaimed: 30.',
  SVC_GATEWAY_PERSIST: 'Keeps the daemon alive with no backends: false.',
  SVC_GATEWAY_IDLE_TIMEOUT_SECS: 'Grace period after the last backend: 30; 0 means never.',
});

export const daemon = [...modes, ...topology, ...environment];
