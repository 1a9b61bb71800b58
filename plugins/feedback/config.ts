/** Settings of feedback at an instance. */
import { type Static, Type } from 'typebox';
import { flag, optionalPath, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  feedback_tool: flag(false, 'offer agents the tool dcc_feedback__report, which reports to the gateway'),
  log_dir: optionalPath(
    "folder of the log of the host's errors, of which svc-cli feedback bundle tells (default: where programs of this " +
      'user keep their logs)',
  ),
  gateway_host: shared.gateway_host,
  gateway_port: shared.gateway_port,
  remote_gateway_url: shared.remote_gateway_url,
  remote_gateway_token_file: shared.remote_gateway_token_file,
  remote_gateway_token: shared.remote_gateway_token,
  dcc_type: shared.dcc_type,
  dcc_version: shared.dcc_version,
  adapter_version: shared.adapter_version,
});

export type Settings = Static<typeof settings>;
