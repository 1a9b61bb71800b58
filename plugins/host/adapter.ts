/**
 * The base of an adapter: it owns a server that can be switched on and off, and tells of it only what is so. A server
 * that has ended is not started again, so every start makes one and sets it up.
 */
import type { AsyncDisposer, StopReport } from '../../kernel/light.ts';

interface AnyService {
  readonly instance_id: string | null;
  mcpUrl(): string;
  shutdown(): Promise<void>;
  stopped(): Promise<StopReport>;
}

interface AnyServer<S> {
  start(): Promise<S>;
  close(): Promise<void>;
}

export interface Adapter<Server, Service> {
  /** The server that runs or starts; undefined while none does. */
  readonly server: Server | undefined;
  readonly service: Service | undefined;
  readonly running: boolean;
  /** UUID of the instance while it runs and stands in the registry; null otherwise, never something in its place. */
  readonly instance_id: string | null;
  /** URL of the MCP endpoint while it runs. */
  readonly mcp_url: string | null;
  /** Starts a server, set up; resolves with the service, also for who asks again meanwhile. */
  start(): Promise<Service>;
  /** Ends it; one that does not run has ended. */
  stop: AsyncDisposer;
}

/** `make` makes a server; `setup` registers on it what the host has, each time. */
export function createAdapterOf<Service extends AnyService, Server extends AnyServer<Service>>(
  make: () => Server,
  setup: (server: Server) => unknown = () => undefined,
): Adapter<Server, Service> {
  let server: Server | undefined;
  let service: Service | undefined;
  let starting: Promise<Service> | undefined;

  const forget = (ended: Server): void => {
    if (server !== ended) return;
    server = undefined;
    service = undefined;
    starting = undefined;
  };

  const begin = async (made: Server): Promise<Service> => {
    try {
      await setup(made);
      const begun = await made.start();
      // Stopped meanwhile: it does not count as running.
      if (server === made) service = begun;
      void begun.stopped().then(() => forget(made));
      return begun;
    } catch (error) {
      forget(made);
      await made.close();
      throw error;
    }
  };

  return {
    get server() {
      return server;
    },
    get service() {
      return service;
    },
    get running() {
      return service !== undefined;
    },
    get instance_id() {
      return service?.instance_id ?? null;
    },
    get mcp_url() {
      return service?.mcpUrl() ?? null;
    },
    start() {
      if (!starting) {
        server = make();
        starting = begin(server);
      }
      return starting;
    },
    async stop() {
      const ending = server;
      if (!ending) return;
      forget(ending);
      await ending.close();
    },
  };
}
