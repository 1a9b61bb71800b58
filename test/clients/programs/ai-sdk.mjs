/** `@ai-sdk/mcp`. */
import { createMCPClient } from '@ai-sdk/mcp';
import { plan, tell, url } from './tell.mjs';

let client;
let tools = {};
await tell('connect', async () => {
  client = await createMCPClient({ transport: { type: 'http', url } });
  return client.serverInfo ?? {};
});
await tell('list', async () => {
  tools = await client.tools();
  return Object.keys(tools);
});
/** As `generateText` executes a tool that the model chose. */
const call = ({ name, arguments: args }) => tools[name].execute(args, { toolCallId: 'call-1', messages: [] });
await tell('call', () => call(plan.call));
await tell('read', () => client.readResource({ uri: plan.read }));
await tell('prompt', () => client.getPrompt(plan.prompt));
await tell('fails', () => call(plan.fails));
await tell('invalid', () => call(plan.invalid));
await tell('progress', async () => ({ result: await call(plan.progress) }));
await client?.close();
