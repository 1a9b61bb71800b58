/** Rows of the error table for the registry's directory. */
import { defineErrors } from '../../../kernel/index.ts';

export const registryErrors = defineErrors('SVC_REGISTRY', {
  UNSAFE: {
    rpc: null,
    http: 503,
    template: 'The registry directory {directory} is not safe to use: {reason}. Set registry_dir to another one',
  },
  UNWRITABLE: {
    rpc: null,
    http: 503,
    template: 'The registry directory {directory} cannot be written: {reason}. Set registry_dir to another one',
  },
});
