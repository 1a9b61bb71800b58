/** Rows of the error table for the registry's directory. */
import { defineErrors } from '../../../kernel/light.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const registryErrors = defineErrors('SVC_REGISTRY', {
  ...alike([null, 503], {
    UNSAFE: 'The registry directory {directory} is not safe to use: {reason}. Set registry_dir to another one',
    UNWRITABLE: 'The registry directory {directory} cannot be written: {reason}. Set registry_dir to another one',
  }),
});
