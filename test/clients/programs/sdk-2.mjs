/** The TypeScript SDK 2.x: as it connects by itself, automatic, or pinned to a revision. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { drive } from './sdk.mjs';
import { tell, url } from './tell.mjs';

const modes = { default: undefined, auto: { mode: 'auto' }, pinned: { mode: { pin: '2026-07-28' } } };
const versionNegotiation = modes[process.argv[4] ?? 'default'];
const client = new Client(
  { name: 'clients-sdk-2', version: '1.0.0' },
  versionNegotiation === undefined ? {} : { versionNegotiation },
);
await tell('connect', async () => {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return { protocolVersion: client.getNegotiatedProtocolVersion(), ...client.getServerVersion() };
});
await drive(client, (params, options) => client.callTool(params, options));
