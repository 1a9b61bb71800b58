/** Settings of a tunnel. */
import { type Static, Type } from 'typebox';
import { optionalPath, optionalSecret, optionalText, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  tunnel_relay: optionalText('address of the relay: https://relay.example'),
  tunnel_target: Type.String({
    default: 'http://127.0.0.1:8765',
    minLength: 1,
    description: 'the server that the tunnel leads to',
  }),
  tunnel_token_file: optionalPath(
    'file with the token that the relay asks for (or the token itself in SVC_TUNNEL_TOKEN); read at each connection',
  ),
  tunnel_token: optionalSecret('the token itself'),
  dcc_type: shared.dcc_type,
  adapter_version: shared.adapter_version,
  heartbeat_secs: shared.heartbeat_secs,
});

export type Settings = Static<typeof settings>;
