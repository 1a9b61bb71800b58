/** What the operations of the gateway work with. */
import type { Kernel } from '../../kernel/index.ts';
import type { GuardService } from '../guard/api.ts';
import type { InstancesService } from '../instances/api.ts';
import type { BackendsService } from './backends/api.ts';
import type { Settings } from './config.ts';
import type { DeliveryService } from './delivery/api.ts';
import type { CapabilitiesService } from './index/api.ts';
import type { LeasesService } from './leases/api.ts';
import type { Policy } from './policy.ts';

export interface Parts {
  kernel: Pick<Kernel, 'bus' | 'hooks' | 'ids' | 'config'>;
  settings: Settings;
  instances: InstancesService;
  backends: BackendsService;
  capabilities: CapabilitiesService;
  delivery: DeliveryService;
  leases: LeasesService;
  policy: Policy;
  /** Where callers authenticate. */
  guard?: Pick<GuardService, 'callerOf'> | undefined;
}
