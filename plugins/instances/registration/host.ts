/** The own row in the registry, as the host sees it. */
import type { HostHalf } from '../../../kernel/light.ts';

export interface RegistrationFields {
  /** UUID in the file registry; null when not registered. Keeps its value after shutdown. */
  readonly instance_id: string | null;
}

export const registrationHalf = {
  plugin: 'registration',
  service: ({ instance_id }): RegistrationFields => ({ instance_id: (instance_id ?? null) as string | null }),
} satisfies HostHalf<object, RegistrationFields>;
