/** The own row in the registry, as the host sees it and changes it. */
import type { HostHalf } from '../../../kernel/light.ts';
import type { RegistrationChanges } from './api.ts';

export interface RegistrationFields {
  /** UUID in the file registry; null when not registered. Keeps its value after shutdown. */
  readonly instance_id: string | null;
}

/** What the host says of itself; what is left out stays. */
export interface InstanceUpdate
  extends Pick<RegistrationChanges, 'scene' | 'documents' | 'status' | 'display_name' | 'host_pid'> {
  /** Whether the host can serve calls: false shows in the readiness, and as `booting` unless a status was given. */
  ready?: boolean;
}

export interface HostRegistration {
  /** Changes how this instance shows in the registry and to gateways; the same again writes nothing. */
  update(changes: InstanceUpdate): Promise<void>;
}

export const registrationHalf = {
  plugin: 'registration',
  operations: ['update'],
  open: (link): HostRegistration => ({ update: changes => link.call('update', changes) }),
  service: (facts): RegistrationFields => ({
    get instance_id() {
      return (facts.instance_id ?? null) as string | null;
    },
  }),
} satisfies HostHalf<HostRegistration, RegistrationFields>;
