/** Rules of "Gateway endpoints" about reaching one instance, and of "Gateway topology" about what is behind them. */
import { section } from '../requirement.ts';

export const proxyRules = section('proxy', 'Gateway endpoints', {
  instance: 'POST /mcp/{instance_id} is a transparent proxy to one instance.',
  dcc: 'POST /mcp/dcc/{dcc_type} is a proxy to the best instance of a host type.',
  readyz: 'The gateway probes /v1/readyz of a backend and falls back to /health for older backends.',
});
