/** What `svc-server relay` and `svc-server relay token` have in common: the key, and who signs with it. */
import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { stateDirectory } from './state.ts';

export const relayFlags = {
  'key-file': Flags.string({
    description: 'secret, public key or JWK set for the tokens: relay_key_file (default: relay.key beside the logs)',
    helpValue: '<file>',
  }),
  issuer: Flags.string({ description: 'who issues the tokens: relay_issuer', helpValue: '<text>' }),
};

/** The short flags by the names of their options. */
export const relayOptions = (flags: Record<string, unknown>): Record<string, unknown> => ({
  ...flags,
  'relay-key-file': flags['key-file'],
  'relay-issuer': flags.issuer,
  'relay-public-url': flags['public-url'],
});

/** The file that was named, or the relay's own, which is made at the first need. */
export async function relayKey(named: string | null, make: (path: string) => Promise<void>): Promise<string> {
  if (named !== null) return named;
  const own = join(stateDirectory(), 'relay.key');
  await make(own);
  return own;
}
