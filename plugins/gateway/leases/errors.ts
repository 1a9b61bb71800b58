/** Rows of the error table for taking, renewing and giving back leases (shape:envelope). */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const leaseErrors = defineErrors('SVC_LEASES', {
  ...alike([-32002, 409, 'instance-leased'], {
    HELD: 'Instance {instance} is leased to "{holder}" for {left_secs} s more: take another one, or wait',
  }),
  ...alike([-32002, 409, 'lease-owner-mismatch'], {
    MISMATCH: 'Instance {instance} is leased to "{holder}", not to "{given}": only its holder gives a lease back',
  }),
  STORE_FAILED: { rpc: -32603, http: 503, template: 'The lease could not be kept: {reason}' },
});
