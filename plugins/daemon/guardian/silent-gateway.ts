/**
 * A gateway that holds its port and answers nobody: stopped by a signal, or hung. It cannot be asked to go, so it is
 * ended; that it is ours its row in the registry says, and that its process is the very one that wrote the row.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayType } from '../../../schemas/gateway-daemon.ts';
import type { RegistryService } from '../../instances/registry/api.ts';
import { type GatewayAddress, isTaken } from './probe.ts';

/** How long a process that was ended may take to free its port. */
const patienceMs = 2000;
const stepMs = 20;

/** True when the port is free afterwards; false when nothing is known of who holds it. */
export async function endSilentGateway(
  registry: Pick<RegistryService, 'read'>,
  address: GatewayAddress,
): Promise<boolean> {
  const { rows } = await registry.read();
  const holder = rows.find(
    ({ row, alive }) => alive === true && row.dcc_type === gatewayType && row.port === address.port,
  );
  const pid = holder?.row.pid;
  if (typeof pid !== 'number' || pid === process.pid) return false;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    if (!(await isTaken(address))) return true;
    await sleep(stepMs);
  }
  return false;
}
