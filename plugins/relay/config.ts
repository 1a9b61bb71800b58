/** Settings of a relay. */
import { type Static, Type } from 'typebox';
import { count, optionalPath, optionalText, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  relay_key_file: optionalPath(
    'what the tokens of tunnels are checked with: a secret of 32 characters or more, a public key (PEM) or a JWK set; svc-server makes one of its own by default, relay.key beside its logs',
  ),
  relay_issuer: optionalText('who must have issued the tokens of tunnels (`iss`)'),
  relay_public_url: optionalText('where the relay is reached from outside, as it tells tunnels'),
  relay_max_tunnels: count(1000, 'tunnels at a time', 1, 100_000),
  heartbeat_secs: shared.heartbeat_secs,
});

export type Settings = Static<typeof settings>;
