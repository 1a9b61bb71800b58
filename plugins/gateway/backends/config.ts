/** Settings of the connections to instances. */
import { type Static, Type } from 'typebox';
import { optionalPath } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_backend_tokens_file: optionalPath(
    'file with the tokens that the gateway sends to instances of other machines: a list of url, the beginning of their ' +
      'addresses, and token',
  ),
});

export type Settings = Static<typeof settings>;
