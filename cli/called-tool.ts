/** A tool of a server as it is called from a command line: found, given its arguments, and followed to its end. */
import { setTimeout as pause } from 'node:timers/promises';
import { cliErrors } from './errors.ts';
import type { Fields, McpClient } from './mcp-client.ts';

export interface Tool {
  name: string;
  inputSchema: Fields;
}

/** How far a call is, as far as its tool says it. */
export interface Progress {
  current: number;
  total?: number;
  message?: string;
}

export interface CallTold {
  /** Told when it changes. */
  onProgress(progress: Progress): void;
  /** What the tool logs. */
  onLog(level: string, text: string): void;
  signal: AbortSignal;
}

export interface CalledTool {
  /** As the server knows it. */
  name: string;
  inputSchema: Fields;
  /** `meta` is for the gateway. */
  call(args: Fields, told: CallTold, meta?: Fields): Promise<Fields>;
}

/** The call of a tool that is about jobs, on the server that has them. */
type JobCalls = (name: 'jobs_get_status' | 'jobs_cancel', args: Fields) => Fields;

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
  call: (args, told) =>
    followed(client, { name, arguments: args }, told, (tool, given) => ({ name: tool, arguments: given })),
});

const isGateway = (tools: readonly Tool[]): boolean => {
  const { properties } = (tools.find(each => each.name === 'call')?.inputSchema ?? {}) as { properties?: object };
  return properties !== undefined && 'tool_slug' in properties;
};

/** A tool of an instance behind the gateway, by its slug, or by its name where only one instance has it. */
export async function behindGateway(client: McpClient, name: string): Promise<CalledTool | undefined> {
  const slug = name.includes('.') ? name : await slugOf(client, name);
  if (slug === undefined) return undefined;
  const described = await asked(client, 'describe', { tool_slug: slug });
  const { input_schema, inputSchema = input_schema ?? {} } = (described.tool ?? described) as Record<string, Fields>;
  // The jobs of an instance are asked for where they run.
  const beside = slug.split('.').slice(0, 2).join('.');
  const jobs: JobCalls = (name, args) => through(`${beside}.${name}`, args);
  const call: CalledTool['call'] = (args, told, meta) => followed(client, through(slug, args, meta), told, jobs);
  return { name: slug, inputSchema, call };
}

/** A job of an instance behind the gateway, followed to its end: its result, or why there is none. An abort leaves it alone. */
export const jobBehindGateway = (client: McpClient, job_id: string, told: Omit<CallTold, 'onLog'>): Promise<Fields> =>
  ended(client, job_id, told, through);

/** A call of a tool through the gateway; the tools about jobs go by their names there, the job says which instance. */
const through = (tool_slug: string, args: Fields, meta?: Fields): Fields => ({
  name: 'call',
  arguments: { tool_slug, arguments: args, ...(meta && { meta }), ...inJson },
});

/** The slug of the only tool of that name; throws when several instances have one. */
async function slugOf(client: McpClient, name: string): Promise<string | undefined> {
  const found = await asked(client, 'search', { query: name, limit: 50 });
  const hits = (Array.isArray(found.hits) ? found.hits : []) as Fields[];
  const slugs = hits.map(each => String(each.tool_slug ?? '')).filter(each => each.endsWith(`.${name}`));
  if (slugs.length > 1) throw cliErrors.TOOL_AMBIGUOUS({ tool: name, choices: slugs.join(', ') });
  return slugs[0];
}

/** A gateway answers agents in fewer words. */
const inJson = { response_format: 'json' };

/** What a tool of the gateway's own answers. */
async function asked(client: McpClient, name: string, args: Fields): Promise<Fields> {
  const result = await client.request('tools/call', { name, arguments: { ...args, ...inJson } });
  return result.isError === true ? {} : recordIn(result);
}

/** What a result says as data, in its text where it has nothing else. */
function recordIn(result: Fields): Fields {
  const [first] = (result.content ?? []) as { text?: string }[];
  try {
    return structured(result) ?? (JSON.parse(first?.text ?? '{}') as Fields);
  } catch {
    return {};
  }
}

export const structured = (result: Fields): Fields | undefined => result.structuredContent as Fields | undefined;

/** Calls, tells what comes meanwhile, and waits for the job when the answer is a receipt. */
async function followed(
  client: McpClient,
  params: Fields,
  { onProgress, onLog, signal }: CallTold,
  jobs: JobCalls,
): Promise<Fields> {
  const onNotification = (method: string, said: Fields): void => {
    if (method === 'notifications/progress') onProgress(progressOf(said));
    else if (method === 'notifications/message') onLog(String(said.level), textOf(said.data));
  };
  const asked = { ...params, _meta: { progressToken: 1 } };
  const answer = await client.request('tools/call', asked, { onNotification, signal });
  const receipt = structured(answer);
  // Only a receipt says how its job is polled.
  if (receipt?.core_poll === undefined || terminal.has(String(receipt.status))) return answer;
  const { job_id } = receipt;
  try {
    return await ended(client, String(job_id), { onProgress, signal }, jobs);
  } finally {
    if (signal.aborted) await client.request('tools/call', jobs('jobs_cancel', { job_id })).catch(() => undefined);
  }
}

/** Follows a job to its end, which is its result or why there is none. */
async function ended(
  client: McpClient,
  job_id: string,
  { onProgress, signal }: Pick<CallTold, 'onProgress' | 'signal'>,
  jobs: JobCalls,
): Promise<Fields> {
  let told = '';
  for (let wait = 50; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
    signal.throwIfAborted();
    const answer = await client.request('tools/call', jobs('jobs_get_status', { job_id, include_result: true }));
    const record = recordIn(answer);
    if (answer.isError === true || record.status === undefined) return answer;
    const { status, progress, result, error } = record;
    if (terminal.has(String(status))) {
      if (status === 'completed') return (result ?? answer) as Fields;
      return { content: [{ type: 'text', text: String(error ?? `the job is ${String(status)}`) }], isError: true };
    }
    const news = JSON.stringify(progress ?? null);
    if (progress && news !== told) onProgress(progressOf(progress as Fields));
    told = news;
    await pause(wait, undefined, { signal }).catch(() => undefined);
  }
}

/** From a notification, or from the record of a job. */
const progressOf = ({ progress, current = progress, total, message }: Fields): Progress => ({
  current: Number(current),
  ...(typeof total === 'number' && { total }),
  ...(typeof message === 'string' && { message }),
});

export function progressText({ current, total, message }: Progress): string {
  const share = total === undefined ? String(current) : `${current}/${total}`;
  return message === undefined ? share : `${share} ${message}`;
}

const textOf = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));
