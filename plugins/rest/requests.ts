/** Reads what clients send: what is wrong with it is a 400 that names the field (shape:family). */
import { requestFields } from '../../schemas/request-fields.ts';
import { restErrors } from './errors.ts';

export const { requiredText, callArguments, callMeta } = requestFields((reason, field) =>
  restErrors.BAD_REQUEST({ reason, field }),
);
