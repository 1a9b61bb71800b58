/** The short flags of `svc-server gateway`: what its options are called on its own command line. */
import { isSvcError } from '../kernel/index.ts';
import { cliErrors } from './errors.ts';

/** Names a refused value's flag as this command spells it. */
export function shortened(error: unknown): unknown {
  if (!isSvcError(error) || error.code !== 'SVC_CLI_FLAG_INVALID') return error;
  const flag = String(error.details.flag).replace(/^--gateway-((?:remote-)?(?:host|port)|name)$/, '--$1');
  return cliErrors.FLAG_INVALID({ ...error.details, flag }, error);
}

/** The command's short flags by the names of their options. */
export function renamed({ host, port, name, ...flags }: Record<string, unknown>): Record<string, unknown> {
  const admin = flags['no-admin'] === true ? { 'admin-enabled': false } : {};
  const remote = {
    'gateway-remote-host': flags['remote-host'],
    'gateway-remote-port': flags['remote-port'],
    'gateway-discover-mdns': flags['discover-mdns'],
    'gateway-relay-sources': flags['relay-source'],
  };
  return { ...flags, 'gateway-host': host, 'gateway-port': port, 'gateway-name': name, ...remote, ...admin };
}
