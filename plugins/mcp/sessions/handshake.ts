/** What the server says of itself: to initialize, after what the client said, and to server/discover. */
import {
  createEntries,
  type Disposer,
  encodeResult,
  packageVersion,
  RawBytes,
  RawJson,
  type Reply,
  type RpcId,
  rpcErrors,
} from '../../../kernel/index.ts';
import type { ServerConfig } from '../../../schemas/server-config.ts';
import { hasTitles, negotiate, revisions } from '../eras/revision.ts';
import type { ClientHello } from './sessions.ts';

const usual =
  'Search tools and skills, inspect a skill with get_skill_info, load it with load_skill, then call its tools; ' +
  'tools/list is paginated, so follow nextCursor.';

export type Handshake = ReturnType<typeof createHandshake>;

export function createHandshake(config: Pick<ServerConfig, 'server_name' | 'server_version'>) {
  const contributed = createEntries<Record<string, unknown>>('capability');
  const extensions = createEntries<Record<string, unknown>>('extension');
  const { server_name: name } = config;
  const version = config.server_version ?? packageVersion;
  let instructions = usual;
  /** Results by revision, until something that they say changes. */
  const results = new Map<string, RawJson>();

  let discovered: RawBytes | undefined;

  const capabilities = () => ({ logging: {}, completions: {}, ...all(contributed) });

  const changed = (): void => {
    results.clear();
    discovered = undefined;
  };

  const resultFor = (revision: string): RawJson => {
    const result = {
      protocolVersion: revision,
      capabilities: capabilities(),
      serverInfo: hasTitles(revision) ? { name, title: name, version } : { name, version },
      instructions,
    };
    return new RawJson(JSON.stringify(result));
  };

  const added = (to: typeof contributed, key: string, value: Record<string, unknown>): Disposer => {
    changed();
    const remove = to.add(key, value);
    return () => {
      changed();
      return remove();
    };
  };

  return {
    capability: (key: string, value: Record<string, unknown>): Disposer => added(contributed, key, value),
    extension: (key: string, value: Record<string, unknown>): Disposer => added(extensions, key, value),
    /** Replaces what clients are told about how to work with this server. */
    instruct(text: string): Disposer {
      changed();
      instructions = text;
      return () => {
        changed();
        if (instructions === text) instructions = usual;
      };
    },
    /** Reads the params of initialize; throws SVC_RPC_INVALID_PARAMS for a member of the wrong type. */
    read({ protocolVersion, clientInfo, capabilities }: Record<string, unknown>): ClientHello {
      if (protocolVersion !== undefined && typeof protocolVersion !== 'string') {
        throw rpcErrors.INVALID_PARAMS({ reason: '"protocolVersion" must be a string', field: 'protocolVersion' });
      }
      return {
        protocolVersion: negotiate(protocolVersion),
        clientInfo: objectOr(clientInfo, 'clientInfo', { name: 'unknown', version: '0' }),
        clientCapabilities: objectOr(capabilities, 'capabilities', {}),
      };
    },
    /** What the server says of itself on every sessionless result. */
    serverInfo: { name, title: name, version },
    /** Whether clients may hear of changes of a list, or follow what is in it. */
    tells: (list: string, what: 'listChanged' | 'subscribe'): boolean => contributed.get(list)?.[what] === true,
    /** The result of server/discover: the same bytes until something that they say changes. */
    discover(): RawBytes {
      discovered ??= new RawBytes(
        JSON.stringify({
          supportedVersions: revisions,
          capabilities: { ...capabilities(), extensions: all(extensions) },
          instructions,
        }),
      );
      return discovered;
    },
    answer(id: RpcId, revision: string): Reply {
      const result = results.get(revision) ?? resultFor(revision);
      results.set(revision, result);
      return encodeResult(id, result);
    },
  };
}

const all = (entries: { names(): string[]; get(name: string): unknown }): Record<string, unknown> =>
  Object.fromEntries(entries.names().map(key => [key, entries.get(key)]));

function objectOr(value: unknown, field: string, absent: Record<string, unknown>): Record<string, unknown> {
  if (value === undefined) return absent;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw rpcErrors.INVALID_PARAMS({ reason: `"${field}" must be an object`, field });
}
