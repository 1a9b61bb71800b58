/** Which server a call is for: the one that is named, or the one of this user's that has the tool. */
import { authorizationFor, ownAddress } from './authorization.ts';
import { type CalledTool, findTool, unlisted } from './called-tool.ts';
import { cliErrors } from './errors.ts';
import { connectMcp, type McpClient } from './mcp-client.ts';
import { findRunning, type Running } from './running.ts';
import { selected } from './selection.ts';

export interface Wanted {
  url?: string | undefined;
  /** As `status` takes it. */
  which?: string | undefined;
  headers: Record<string, string>;
}

export interface Target {
  tool: CalledTool;
  client: McpClient;
  /** For people. */
  label: string;
}

/** Connects to it; rejects when there is none, or more than one. */
export async function callTarget(tool: string, { url, which, headers }: Wanted): Promise<Target> {
  if (url !== undefined) {
    const endpoint = await endpointOf(url);
    const client = await connectMcp(endpoint, { ...(await authorizationFor(endpoint)), ...headers });
    return { client, tool: (await findTool(client, tool)) ?? unlisted(client, tool), label: endpoint };
  }
  const speaking = (await findRunning()).filter(each => each.kind === 'server' || each.kind === 'gateway');
  const running = selected(speaking, which === undefined ? [] : [which]).filter(each => each.health !== null);
  if (running.length === 0) throw cliErrors.NOTHING_RUNS({});
  // A gateway knows more than the servers of this machine: it is asked last.
  const looked = await Promise.all(running.map(each => look(each, tool, headers)));
  const servers = looked.filter(each => each.running.kind === 'server' && each.found);
  const [chosen, ...more] = servers.length > 0 ? servers : looked.filter(each => each.found);
  const known = looked.filter(each => each.client !== undefined);
  if (more.length > 0) {
    await closeAll(known.map(each => each.client));
    const choices = [chosen, ...more].map(each => (each ? labelOf(each.running) : '')).join('; ');
    throw cliErrors.TOOL_AMBIGUOUS({ tool, choices });
  }
  const target = chosen ?? (known.length === 1 ? known[0] : undefined);
  await closeAll(known.filter(each => each !== target).map(each => each.client));
  if (!target?.client) {
    const where = running.map(labelOf).join('; ');
    throw looked.find(each => each.error)?.error ?? cliErrors.TOOL_UNKNOWN({ tool, where });
  }
  // The only server there is says best itself why it has no such tool.
  const { client } = target;
  return { client, tool: target.found ?? unlisted(client, tool), label: labelOf(target.running) };
}

interface Look {
  running: Running;
  client?: McpClient;
  found?: CalledTool | undefined;
  error?: unknown;
}

async function look(running: Running, tool: string, headers: Record<string, string>): Promise<Look> {
  let client: McpClient | undefined;
  try {
    client = await connectMcp(running.url, {
      ...(await authorizationFor(running.url, [running.registry_dir])),
      ...headers,
    });
    return { running, client, found: await findTool(client, tool) };
  } catch (error) {
    await client?.close();
    return { running, error };
  }
}

const closeAll = (clients: readonly (McpClient | undefined)[]): Promise<unknown> =>
  Promise.all(clients.map(each => each?.close()));

const labelOf = ({ kind, name, url, pid }: Running): string =>
  `${kind === name ? '' : `${name}, `}${kind} ${url} (pid ${pid})`;

/** `127.0.0.1:8765` and an address without a path mean its endpoint. */
async function endpointOf(text: string): Promise<string> {
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (!URL.canParse(whole)) throw cliErrors.FLAG_INVALID({ flag: '--url', reason: `"${text}" is no address` });
  const { pathname, search, origin } = new URL(whole);
  return `${await ownAddress(origin)}${pathname === '/' ? '/mcp' : pathname}${search}`;
}
