/** The OpenAI Agents SDK: what its model would be shown, without a model. */
import { getAllMcpTools, MCPServerStreamableHttp, RunContext } from '@openai/agents';
import { plan, tell, url } from './tell.mjs';

const server = new MCPServerStreamableHttp({ url, name: 'svc' });
let tools = [];
await tell('connect', () => server.connect());
await tell('list', async () => {
  tools = await getAllMcpTools({ mcpServers: [server] });
  return tools.map(({ name }) => name);
});
/** As the agent's loop calls a tool that the model chose. */
const call = async ({ name, arguments: args }) => {
  const tool = tools.find(each => each.name === name);
  return tool ? await tool.invoke(new RunContext(), JSON.stringify(args)) : await server.callTool(name, args);
};
await tell('call', () => call(plan.call));
await tell('read', () => server.readResource(plan.read));
await tell('fails', () => call(plan.fails));
await tell('invalid', () => call(plan.invalid));
await tell('unknown', () => call(plan.unknown));
await tell('progress', async () => ({ result: await call(plan.progress) }));
await server.close();
