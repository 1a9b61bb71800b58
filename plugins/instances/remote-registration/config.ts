/** Settings of registering at the gateway of another machine. */
import { type Static, Type } from 'typebox';
import { count, optionalPath, optionalSecret, optionalText } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  remote_gateway_url: optionalText('gateway of another machine, at which this server registers: http://studio:9765'),
  remote_gateway_token_file: optionalPath('file with the token that it asks for; read at each attempt'),
  remote_gateway_token: optionalSecret('the token itself'),
  remote_gateway_ttl_secs: count(30, 'how long that gateway keeps this server without a heartbeat', 3, 86400),
  advertised_mcp_url: optionalText(
    'address of the MCP endpoint as other machines reach it, where it is not the one that the gateway is reached from',
  ),
});

export type Settings = Static<typeof settings>;
