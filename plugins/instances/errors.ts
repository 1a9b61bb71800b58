/** Rows of the error table for choosing an instance (CONTRACT 3.3). */
import { defineErrors } from '../../kernel/index.ts';

export const instanceErrors = defineErrors('SVC_INSTANCES', {
  PREFIX_TOO_SHORT: {
    rpc: -32602,
    http: 400,
    kind: 'bad-request',
    template: 'Instance "{instance_id}" is too short: give the UUID, the short id or at least 4 characters of it',
  },
  UNKNOWN: {
    rpc: -32602,
    http: 404,
    kind: 'instance-offline',
    template: 'No instance "{instance_id}" was ever registered here: gateway://instances shows those that are',
  },
  GONE: {
    rpc: -32602,
    http: 410,
    kind: 'instance-offline',
    template: 'Instance {previous_instance_id} ({dcc_type}) is gone: {previous_status}. Search again for another one',
  },
  OFFLINE: {
    rpc: -32002,
    http: 503,
    kind: 'instance-offline',
    template: 'Instance {previous_instance_id} ({dcc_type}) cannot be called now: it is {previous_status}. Try again',
  },
  NONE: {
    rpc: -32002,
    http: 503,
    kind: 'instance-offline',
    template: 'No instance{of} can be called now: start the host application with svc, then try again',
  },
  AMBIGUOUS: {
    rpc: -32602,
    http: 409,
    kind: 'ambiguous',
    template: '"{instance_id}" fits {count} instances: give more characters of the one you mean ({shown})',
  },
  SEVERAL: {
    rpc: -32602,
    http: 400,
    kind: 'ambiguous-instance',
    template: '{count} instances{of} are running: name one with instance_id ({shown})',
  },
  WRONG_TYPE: {
    rpc: -32602,
    http: 400,
    kind: 'bad-request',
    template: 'Instance {instance_id} is of type {dcc_type}, not {wanted}: leave one of the two out',
  },
  NOT_FOUND: {
    rpc: -32602,
    http: 404,
    kind: 'instance-not-found',
    template: 'No instance "{instance_id}": gateway://instances shows those that are known',
  },
});
