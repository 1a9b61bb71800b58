/** The TypeScript SDK 1.x. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { drive } from './sdk.mjs';
import { tell, url } from './tell.mjs';

const client = new Client({ name: 'clients-sdk-1', version: '1.0.0' });
await tell('connect', async () => {
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client.getServerVersion();
});
await drive(client, (params, options) => client.callTool(params, undefined, options));
