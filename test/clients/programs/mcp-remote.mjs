/** mcp-remote as a client for standard input and output starts it: its program stands between this SDK and the server. */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { drive } from './sdk.mjs';
import { tell, url } from './tell.mjs';

const program = join(dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')), 'dist', 'proxy.js');
const client = new Client({ name: 'clients-mcp-remote', version: '1.0.0' });
await tell('connect', async () => {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  const args = [program, url];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return client.getServerVersion();
});
await drive(client, (params, options) => client.callTool(params, undefined, options));
