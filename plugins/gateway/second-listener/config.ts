/** Settings of the second listener. */
import { Type } from 'typebox';
import { shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_remote_host: shared.gateway_remote_host,
  gateway_remote_port: shared.gateway_remote_port,
});
