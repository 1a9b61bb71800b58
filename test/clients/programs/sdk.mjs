/** What a client of either TypeScript SDK is asked. */
import { plan, tell } from './tell.mjs';

/** `callTool(params, options)` differs between them. */
export async function drive(client, callTool) {
  const call = ({ name, arguments: args }) => callTool({ name, arguments: args });
  await tell('list', async () => (await client.listTools()).tools.map(({ name }) => name));
  await tell('call', () => call(plan.call));
  await tell('read', () => client.readResource({ uri: plan.read }));
  await tell('prompt', () => client.getPrompt(plan.prompt));
  await tell('fails', () => call(plan.fails));
  await tell('invalid', () => call(plan.invalid));
  await tell('unknown', () => call(plan.unknown));
  await tell('progress', async () => {
    const seen = [];
    const { name, arguments: args } = plan.progress;
    const result = await callTool({ name, arguments: args }, { onprogress: each => seen.push(each.progress) });
    return { result, seen };
  });
  await tell('receipt', async () => {
    const errors = [];
    client.onerror = error => errors.push(error.message);
    const { name, arguments: args } = plan.receipt;
    const seen = [];
    const result = await callTool({ name, arguments: args }, { onprogress: each => seen.push(each.progress) });
    const before = seen.length;
    // The job goes on: nobody is told of it under a token whose call has its answer.
    await new Promise(resolve => setTimeout(resolve, 3000));
    return { result, before, after: seen.length, errors };
  });
  await client.close();
}
