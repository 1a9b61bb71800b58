/** The initialize exchange: what the client says of itself, what the server answers. */
import {
  createEntries,
  type Disposer,
  encodeResult,
  packageVersion,
  RawJson,
  type Reply,
  type RpcId,
  rpcErrors,
} from '../../../kernel/index.ts';
import type { ServerConfig } from '../../../schemas/server-config.ts';
import { hasTitles, negotiate } from '../eras/revision.ts';
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

  const resultFor = (revision: string): RawJson => {
    const added = Object.fromEntries(contributed.names().map(key => [key, contributed.get(key)]));
    const result = {
      protocolVersion: revision,
      capabilities: { logging: {}, completions: {}, ...added },
      serverInfo: hasTitles(revision) ? { name, title: name, version } : { name, version },
      instructions,
    };
    return new RawJson(JSON.stringify(result));
  };

  const added = (to: typeof contributed, key: string, value: Record<string, unknown>): Disposer => {
    results.clear();
    const remove = to.add(key, value);
    return () => {
      results.clear();
      return remove();
    };
  };

  return {
    capability: (key: string, value: Record<string, unknown>): Disposer => added(contributed, key, value),
    extension: (key: string, value: Record<string, unknown>): Disposer => added(extensions, key, value),
    /** Replaces what clients are told about how to work with this server. */
    instruct(text: string): Disposer {
      results.clear();
      instructions = text;
      return () => {
        results.clear();
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
    answer(id: RpcId, revision: string): Reply {
      const result = results.get(revision) ?? resultFor(revision);
      results.set(revision, result);
      return encodeResult(id, result);
    },
  };
}

function objectOr(value: unknown, field: string, absent: Record<string, unknown>): Record<string, unknown> {
  if (value === undefined) return absent;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw rpcErrors.INVALID_PARAMS({ reason: `"${field}" must be an object`, field });
}
