/** Settings of remote instances that register over HTTP. */
import { type Static, Type } from 'typebox';

export const settings = Type.Object({
  gateway_register_tokens: Type.Array(
    Type.Object(
      {
        token: Type.String({ minLength: 16, pattern: '^\\S+$', description: 'the bearer token' }),
        label: Type.String({ minLength: 1, description: 'whose it is' }),
        allowed_dcc: Type.Optional(
          Type.Array(Type.String({ minLength: 1 }), { description: 'host types it may register; none means all' }),
        ),
      },
      { additionalProperties: false },
    ),
    { default: [], description: 'bearer tokens for the registration of remote instances; none leaves it open' },
  ),
});

export type Settings = Static<typeof settings>;
