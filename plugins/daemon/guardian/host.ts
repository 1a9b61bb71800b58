/** What the service object tells of the gateway. */
import type { HostHalf } from '../../../kernel/light.ts';

export interface GuardianFields {
  /** True while this process serves the gateway: it won the port, at the start or later. */
  readonly is_gateway: boolean;
}

export const guardianHalf = {
  plugin: 'guardian',
  service: (facts): GuardianFields => ({
    get is_gateway() {
      return facts.is_gateway === true;
    },
  }),
} satisfies HostHalf<object, GuardianFields>;
