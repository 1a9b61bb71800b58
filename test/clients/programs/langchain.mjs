/** LangChain's MCP adapters, with their defaults or with `onProgress`. */
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { plan, tell, url } from './tell.mjs';

const listens = process.argv[4] === 'progress';
const seen = [];
const onProgress = ({ progress }) => seen.push(progress);
const client = new MultiServerMCPClient({
  mcpServers: { svc: { url } },
  ...(listens && { onProgress }),
});
let tools = [];
await tell('connect', async () => {
  tools = await client.getTools();
  return {};
});
await tell('list', () => tools.map(({ name }) => name));
const call = ({ name, arguments: args }) => tools.find(each => each.name === name).invoke(args);
await tell('call', () => call(plan.call));
await tell('read', () => client.readResource('svc', plan.read));
await tell('prompt', async () => (await client.getClient('svc')).getPrompt(plan.prompt));
await tell('fails', () => call(plan.fails));
await tell('progress', async () => ({ result: await call(plan.progress), ...(listens && { seen }) }));
if (listens) await tell('receipt', async () => ({ result: await call(plan.receipt) }));
await client.close();
