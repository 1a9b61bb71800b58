/** Settings of registering at the gateway of another machine. */
import { type Static, Type } from 'typebox';
import { count, optionalText, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  remote_gateway_url: shared.remote_gateway_url,
  remote_gateway_token_file: shared.remote_gateway_token_file,
  remote_gateway_token: shared.remote_gateway_token,
  remote_gateway_ttl_secs: count(30, 'how long that gateway keeps this server without a heartbeat', 3, 86400),
  advertised_mcp_url: optionalText(
    'address of the MCP endpoint as other machines reach it, where it is not the one that the gateway is reached from',
  ),
});

export type Settings = Static<typeof settings>;
