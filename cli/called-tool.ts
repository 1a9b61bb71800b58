/** A tool of a server as it is called from a command line: found, given its arguments, and followed to its end. */
import { setTimeout as pause } from 'node:timers/promises';
import { cliErrors } from './errors.ts';
import type { Fields, McpClient } from './mcp-client.ts';

export interface Tool {
  name: string;
  inputSchema: Fields;
}

export interface CallTold {
  /** Progress, in words. */
  onProgress(text: string): void;
  /** What the tool logs. */
  onLog(level: string, text: string): void;
  signal: AbortSignal;
}

export interface CalledTool {
  /** As the server knows it. */
  name: string;
  inputSchema: Fields;
  call(args: Fields, told: CallTold): Promise<Fields>;
}

const mostPages = 100;
const terminal = new Set(['completed', 'failed', 'cancelled', 'interrupted']);
const longestPauseMs = 1000;

/** Every tool that the server lists. */
export async function toolsOf(client: McpClient): Promise<Tool[]> {
  const tools: Tool[] = [];
  let cursor: unknown;
  for (let page = 0; page < mostPages; page += 1) {
    const listed = await client.request('tools/list', cursor === undefined ? {} : { cursor });
    tools.push(...((listed.tools ?? []) as Tool[]));
    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

/** The tool of that name; of a gateway, the one of its instances that has that name or slug. Undefined when there is none. */
export async function findTool(client: McpClient, name: string): Promise<CalledTool | undefined> {
  const tools = await toolsOf(client);
  const own = tools.find(each => each.name === name) ?? tools.find(each => each.name === name.replaceAll('-', '_'));
  if (own) {
    return { ...unlisted(client, own.name), inputSchema: own.inputSchema };
  }
  return isGateway(tools) ? behindGateway(client, name) : undefined;
}

/** A tool that the server does not list, but may have: with collapsed lists, or for no reason that it tells. */
export const unlisted = (client: McpClient, name: string): CalledTool => ({
  name,
  inputSchema: {},
  call: (args, told) => followed(client, { name, arguments: args }, told),
});

const isGateway = (tools: readonly Tool[]): boolean => {
  const { properties } = (tools.find(each => each.name === 'call')?.inputSchema ?? {}) as { properties?: object };
  return properties !== undefined && 'tool_slug' in properties;
};

async function behindGateway(client: McpClient, name: string): Promise<CalledTool | undefined> {
  const slug = name.includes('.') ? name : await slugOf(client, name);
  if (slug === undefined) return undefined;
  const described = structured(
    await client.request('tools/call', { name: 'describe', arguments: { tool_slug: slug } }),
  );
  const inputSchema = (described?.input_schema ?? described?.inputSchema ?? {}) as Fields;
  const call = (args: Fields, told: CallTold) =>
    followed(client, { name: 'call', arguments: { tool_slug: slug, arguments: args } }, told);
  return { name: slug, inputSchema, call };
}

/** The slug of the only tool of that name; throws when several instances have one. */
async function slugOf(client: McpClient, name: string): Promise<string | undefined> {
  const query = { query: name, limit: 50 };
  const found = structured(await client.request('tools/call', { name: 'search', arguments: query }));
  const hits = (Array.isArray(found?.hits) ? found.hits : []) as Fields[];
  const slugs = hits.map(each => String(each.tool_slug ?? '')).filter(each => each.endsWith(`.${name}`));
  if (slugs.length > 1) throw cliErrors.TOOL_AMBIGUOUS({ tool: name, choices: slugs.join(', ') });
  return slugs[0];
}

export const structured = (result: Fields): Fields | undefined => result.structuredContent as Fields | undefined;

/** Calls, tells what comes meanwhile, and waits for the job when the answer is a receipt. */
async function followed(client: McpClient, params: Fields, { onProgress, onLog, signal }: CallTold): Promise<Fields> {
  const onNotification = (method: string, said: Fields): void => {
    if (method === 'notifications/progress') onProgress(progressText(said));
    else if (method === 'notifications/message') onLog(String(said.level), textOf(said.data));
  };
  const asked = { ...params, _meta: { progressToken: 1 } };
  const answer = await client.request('tools/call', asked, { onNotification, signal });
  const receipt = structured(answer);
  const poll = receipt?.core_poll as { tool?: string; arguments?: Fields } | undefined;
  if (!receipt || typeof poll?.tool !== 'string' || terminal.has(String(receipt.status))) return answer;
  return ended(client, { tool: poll.tool, arguments: poll.arguments ?? {} }, { onProgress, signal });
}

async function ended(
  client: McpClient,
  poll: { tool: string; arguments: Fields },
  { onProgress, signal }: Pick<CallTold, 'onProgress' | 'signal'>,
): Promise<Fields> {
  let told = '';
  for (let wait = 50; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
    if (signal.aborted) {
      await client.request('tools/call', { name: 'jobs_cancel', arguments: poll.arguments }).catch(() => undefined);
      throw signal.reason;
    }
    const answer = await client.request('tools/call', { name: poll.tool, arguments: poll.arguments });
    const record = structured(answer);
    if (answer.isError === true || !record) return answer;
    const { status, progress, result, error } = record;
    if (terminal.has(String(status))) {
      if (status === 'completed') return (result ?? answer) as Fields;
      return { content: [{ type: 'text', text: String(error ?? `the job is ${String(status)}`) }], isError: true };
    }
    const text = progress ? progressText(progress as Fields) : '';
    if (text !== '' && text !== told) onProgress(text);
    told = text;
    await pause(wait, undefined, { signal }).catch(() => undefined);
  }
}

function progressText({ progress, current = progress, total, message }: Fields): string {
  const share = total === undefined || total === null ? String(current) : `${String(current)}/${String(total)}`;
  return message === undefined || message === null ? share : `${share} ${String(message)}`;
}

const textOf = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));
