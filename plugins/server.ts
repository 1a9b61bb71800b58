/**
 * The server object: a thin handle on the host's main thread. It boots a server on first need, in its own thread or in
 * place, and forwards every operation. Nothing imported here loads Fastify.
 */
import { dirname } from 'node:path';
import { type Environment, readConfigFile } from '../kernel/light.ts';
import { type Backend, type Call, openAmbient, openDedicated } from './backend.ts';
import type { CoreSurroundings } from './core.ts';
import type { HostHandler } from './host/api.ts';
import { createHostSide } from './host-side.ts';
import type { AsyncDisposer, Server, ServerExtra, Service } from './server-api.ts';
import { createServerBus } from './server-bus.ts';
import { serverErrors } from './server-errors.ts';
import { createServerResources } from './server-resources.ts';

type Mode = { spawn_mode?: unknown };

/** Makes `createServer` for a list of built-in plugins with its settings, and a default environment. */
export function serverFactory<Options extends object>(
  composition: Pick<CoreSurroundings, 'sources' | 'settings'>,
  defaultEnv: Environment,
) {
  /**
   * Creates a server; cheap and synchronous. The configuration is read and checked when the server boots, on the first
   * operation: that is what rejects for a wrong option or plugin.
   */
  return function createServer(options: Options = {} as Options, extra: ServerExtra = {}): Server {
    const side = createHostSide();
    let opening: Promise<Backend> | undefined;
    let backend: Backend | undefined;
    let starting: Promise<Service> | undefined;
    let closing: Promise<void> | undefined;

    const boot = async (): Promise<Backend> => {
      const env = { ...(extra.env ?? defaultEnv) };
      const file: Mode = extra.configFile === undefined ? {} : await readConfigFile(extra.configFile);
      const mode = (options as Mode).spawn_mode ?? env.SVC_SPAWN_MODE ?? file.spawn_mode ?? 'dedicated';
      const resolveFrom = [...(process.argv[1] ? [dirname(process.argv[1])] : []), process.cwd()];
      const input = { options: { ...options, plugins: extra.plugins }, env, file, resolveFrom };
      const added = extra.add ?? [];
      if (mode === 'ambient') backend = await openAmbient(input, side, composition, added);
      else if (added.length > 0) throw serverErrors.PLUGIN_OBJECT();
      else backend = await openDedicated(input, side);
      return backend;
    };
    const open = (): Promise<Backend> => {
      opening ??= boot();
      return opening;
    };

    const call: Call = (name, params) => {
      if (closing) return Promise.reject(serverErrors.STOPPED());
      return backend ? backend.call(name, params) : open().then(opened => opened.call(name, params));
    };

    const close = (): Promise<void> => {
      const end = async (): Promise<void> => {
        // Without an await when booted: the thread hears of it even if the host blocks right after.
        const opened = backend ?? (await opening?.catch(() => undefined));
        await opened?.close();
      };
      closing ??= end();
      return closing;
    };

    const resources = createServerResources(call, side, () => closing !== undefined);

    const register = async (
      name: string,
      handler: HostHandler | undefined,
      send: (key: number | undefined) => Promise<number>,
    ): Promise<AsyncDisposer> => {
      if (handler !== undefined && typeof handler !== 'function') {
        throw serverErrors.INVALID_ARGUMENT({ argument: 'handler', expected: 'a function' });
      }
      const entry = handler && side.tools.add(name, handler);
      const id = await send(entry?.key).catch((error: unknown) => {
        void entry?.remove();
        throw error;
      });
      let undone: Promise<void> | undefined;
      const undo = async (): Promise<void> => {
        // A server that has ended has forgotten the tool already.
        if (!closing) await call('unregister', id);
        await entry?.remove();
      };
      return () => {
        undone ??= undo();
        return undone;
      };
    };

    const begin = async (): Promise<Service> => {
      const { mcp_url, ...fields } = await call('listen', null);
      const running = backend as Backend;
      running.hold();
      side.gateway(fields.is_gateway);
      return {
        ...fields,
        get is_gateway() {
          return side.isGateway();
        },
        mcpUrl: () => mcp_url,
        shutdown: close,
        signalShutdown: () => void close().catch(() => undefined),
        stopped: () => running.ended,
      };
    };

    return {
      start() {
        if (closing) return Promise.reject(serverErrors.STOPPED());
        starting ??= begin().catch((error: unknown) => {
          starting = undefined;
          throw error;
        });
        return starting;
      },
      registerTool: (definition, handler) =>
        register(definition?.name, handler, key => call('registerTool', { definition, key })),
      registerHandler: async (name, handler) => {
        if (handler === undefined) throw serverErrors.INVALID_ARGUMENT({ argument: 'handler', expected: 'a function' });
        return register(name, handler, key => call('registerHandler', { name, key: key as number }));
      },
      hasHandler: side.executable,
      discover: (paths, dcc) => call('discover', { paths, dcc }),
      loadSkill: name => call('loadSkill', name),
      unloadSkill: name => call('unloadSkill', name),
      searchSkills: (input = {}) => call('searchSkills', input),
      listSkills: status => call('listSkills', status),
      isLoaded: name => call('isLoaded', name),
      loadedCount: () => call('loadedCount', null),
      runWorkflow: workflow => call('runWorkflow', workflow),
      bus: createServerBus(call, side),
      resources: () => resources,
      close,
    };
  };
}
