/**
 * Validators of our own schemas by kind and `$id`, compiled ahead, and settings composed ahead: the build puts them in the
 * place of this module. From source there are none: ajv compiles, and the slices are merged, at run time.
 */
import type { ValidateFunction } from 'ajv';

export const ownValidators: Readonly<Record<string, ValidateFunction>> = {};

/** Merged settings by `$id`. */
export const ownSchemas: Readonly<Record<string, object>> = {};
