/** Sends a captured call again, by the door that it came by. */
import { decode } from '@toon-format/toon';
import { isObject, type Json, objectOf, objects, parsed, text } from '../../../schemas/loose.ts';
import { parseSlug, slugHost } from '../../../schemas/slug.ts';
import { describeFailure } from '../../exit-codes.ts';
import type { McpClient } from '../../mcp-client.ts';
import type { Gateway } from '../gateway.ts';
import type { CapturedCall } from './captured.ts';

export interface Answered {
  readonly data: unknown;
  /** What stood in the call for an instance that has gone, and what stands there now. */
  readonly renamed: ReadonlyMap<string, string>;
}

export type Sender = Awaited<ReturnType<typeof createSender>>;

interface Instance {
  id: string;
  short: string;
  host: string;
}

/** `wanted` is the beginning of the id of the instance that serves for those that have gone. */
export async function createSender(gateway: Gateway, wanted: string | undefined) {
  const clients = new Map<string, McpClient>();
  const live = await instancesOf(gateway);

  /** The instance in the place of `id`; throws when there is not exactly one. */
  const standIn = (id: string, host: string | undefined): Instance | undefined => {
    const short = id.replaceAll('-', '').slice(0, 8);
    if (live.length === 0 || live.some(each => each.short.startsWith(short) || each.id === id)) return undefined;
    const named =
      wanted === undefined ? live : live.filter(each => each.id.startsWith(wanted) || each.short === wanted);
    const found = named.filter(each => host === undefined || each.host === host);
    const [only, ...more] = found;
    if (only && more.length === 0) return only;
    const which = found.length === 0 ? 'none' : `${found.length}`;
    const of = host === undefined ? 'instances run' : `instances of ${host} run`;
    throw new Error(
      `instance ${short} has gone, and ${which === 'none' ? 'no' : which} ${of}: choose one with --instance`,
    );
  };

  /** The call for instances that are there now. */
  const renamedIn = ({ url, request }: CapturedCall) => {
    const renamed = new Map<string, string>();
    const slugIn = (given: string): string => {
      const slug = parseSlug(given);
      const other = slug && standIn(slug.id, slug.host);
      if (!slug || !other) return given;
      renamed.set(slug.id, other.short);
      return `${slug.host}.${other.short}.${slug.tool}`;
    };
    const walk = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(walk);
      if (!isObject(value)) return value;
      const entries = Object.entries(value).map(([name, each]) => [
        name,
        name === 'tool_slug' && typeof each === 'string' ? slugIn(each) : walk(each),
      ]);
      return Object.fromEntries(entries);
    };
    const path = url.replace(/^(\/mcp\/|\/v1\/dcc\/[^/]+\/instances\/)([0-9a-f-]{4,36})(?=\/|$)/i, (all, head, id) => {
      const other = standIn(id, undefined);
      if (!other) return all;
      renamed.set(id, other.id);
      return `${head}${other.id}`;
    });
    return { path, body: walk(request.data) as Json, renamed };
  };

  const byMcp = async (path: string, body: Json, signal: AbortSignal): Promise<unknown> => {
    const client = clients.get(path) ?? (await gateway.connect(path));
    clients.set(path, client);
    try {
      return { result: await client.request('tools/call', objectOf(body.params), { signal }) };
    } catch (error) {
      const { details = {}, message } = describeFailure(error);
      // An error of the protocol is an answer; that there is none is not.
      if (details.rpc_code === undefined) throw error;
      return { error: { message } };
    }
  };

  const byRest = async (
    path: string,
    body: Json,
    accept: string | undefined,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const answer = await gateway.send('POST', path, { body, signal, headers: { accept: accept ?? '*/*' } });
    const said = await answer.text();
    if (answer.headers.get('content-type')?.startsWith('application/toon')) return decode(said);
    return parsed(said) ?? said;
  };

  return {
    async send(call: CapturedCall, signal: AbortSignal): Promise<Answered> {
      const { path, body, renamed } = renamedIn(call);
      const rpc = 'jsonrpc' in body;
      const data = await (rpc ? byMcp(path, body, signal) : byRest(path, body, call.accept, signal));
      return { data, renamed };
    },
    close: async (): Promise<void> => void (await Promise.all([...clients.values()].map(each => each.close()))),
  };
}

/** Those that are there; none where nobody says, as at an instance. */
async function instancesOf(gateway: Gateway): Promise<Instance[]> {
  const answer = await gateway.send('GET', '/v1/instances');
  const listed = objects(objectOf(parsed(await answer.text())).instances);
  return listed.map(each => ({
    id: text(each.instance_id) ?? '',
    short: text(each.instance_short) ?? '',
    host: slugHost(text(each.dcc_type) ?? ''),
  }));
}
