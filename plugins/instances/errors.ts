/** Rows of the error table for choosing an instance (shape:envelope). */
import { defineErrors } from '../../kernel/index.ts';
import { alike } from '../../schemas/error-rows.ts';

export const instanceErrors = defineErrors('SVC_INSTANCES', {
  ...alike([-32602, 400, 'bad-request'], {
    PREFIX_TOO_SHORT:
      'Instance "{instance_id}" is too short: give the UUID, the short id or at least 4 characters of it',
    WRONG_TYPE: 'Instance {instance_id} is of type {dcc_type}, not {wanted}: leave one of the two out',
  }),
  ...alike([-32602, 404, 'instance-offline'], {
    UNKNOWN: 'No instance "{instance_id}" was ever registered here: gateway://instances shows those that are',
  }),
  ...alike([-32602, 410, 'instance-offline'], {
    GONE: 'Instance {previous_instance_id} ({dcc_type}) is gone ({previous_status}): {why}. Search again for another one',
  }),
  ...alike([-32002, 503, 'instance-offline'], {
    OFFLINE: 'Instance {previous_instance_id} ({dcc_type}) cannot be called now: it is {previous_status}. Try again',
    NONE: 'No instance{of} can be called now: start the host application with svc, then try again',
  }),
  ...alike([-32602, 409, 'ambiguous'], {
    AMBIGUOUS: '"{instance_id}" fits {count} instances: give more characters of the one you mean ({shown})',
  }),
  ...alike([-32602, 400, 'ambiguous-instance'], {
    SEVERAL: '{count} instances{of} are running: name one with instance_id ({shown})',
  }),
  ...alike([-32602, 404, 'instance-not-found'], {
    NOT_FOUND: 'No instance "{instance_id}": gateway://instances shows those that are known',
  }),
});
