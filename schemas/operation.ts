/** What the inputs of operations are made of: one cloneable object each, checked when it arrives. */
import { type TProperties, Type } from 'typebox';

/** The input of an operation. */
export const inputOf = <const P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

export const text = Type.String({ minLength: 1 });
/** Names what stays on the host's thread. */
export const key = Type.Integer({ minimum: 1 });
/** Checked further by who takes it. */
export const anyOf = <T>(schema: object = {}) => Type.Unsafe<T>(schema);
export const optional = Type.Optional;
export const listOf = Type.Array;
export const oneOf = <const T extends string>(...values: T[]) => Type.Unsafe<T>(Type.Enum(values));
