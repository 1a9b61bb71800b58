/**
 * Validators of our own schemas by kind and `$id`, compiled ahead: the build puts them in the place of this module. From
 * source there are none, and ajv compiles at run time.
 */
import type { ValidateFunction } from 'ajv';

export const ownValidators: Readonly<Record<string, ValidateFunction>> = {};
