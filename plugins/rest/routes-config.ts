/** Settings of the routes, whoever serves behind them. */
import { Type } from 'typebox';
import { shared } from '../../schemas/settings.ts';

export const settings = Type.Object({ sse_heartbeat_secs: shared.sse_heartbeat_secs });
