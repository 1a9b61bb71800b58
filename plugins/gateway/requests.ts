/** Reads what clients send: bodies, arguments, meta. What is wrong is a bad-request that names the field (shape:call). */
import { type Json, objectOf } from '../../schemas/loose.ts';
import { requestFields } from '../../schemas/request-fields.ts';
import { gatewayErrors } from './errors.ts';

export const { requiredText, callArguments, callMeta } = requestFields((reason, field) =>
  gatewayErrors.BAD_REQUEST({ reason, field }),
);

/** `dcc` of a meta. */
export const dccOf = (meta: Json): Json => objectOf(meta.dcc);
