/** The kernel of one server: what every plugin may use, assembled once. It knows no tool, skill, resource, job or gateway. */
import type { ServerConfig } from '../schemas/server-config.ts';
import { type Bus, createBus } from './bus.ts';
import type { Environment } from './config.ts';
import type { HostLink } from './embed/host.ts';
import { createFront, type Front } from './front.ts';
import { createHooks, type Hooks } from './hooks.ts';
import { createIds, type Ids } from './ids.ts';
import { createLog, type Log, type Logger } from './log.ts';
import { createRpc, type Rpc } from './rpc.ts';
import { createSchemas, type Schemas } from './schema.ts';
import { createScope, type Scope } from './scope.ts';

export interface Kernel {
  readonly config: ServerConfig;
  /** What of the process's environment the server may use. */
  readonly env: Environment;
  readonly ids: Ids;
  readonly log: Logger;
  /** The newest log lines, oldest first. */
  readonly logTail: Log['tail'];
  readonly bus: Bus;
  readonly hooks: Hooks;
  /** Guards for every request, and routes that skip the router. */
  readonly front: Front;
  readonly rpc: Rpc;
  readonly schemas: Schemas;
  /** The process scope: parent of every plugin's, session's and skill's. */
  readonly scope: Scope;
}

export interface KernelParts {
  ids?: Ids;
  env?: Environment;
  /** The way to the host that embeds the application. */
  link?: HostLink;
}

export function createKernel(config: ServerConfig, { ids = createIds(), env = {} }: KernelParts = {}): Kernel {
  const log = createLog(config.log_level, config.log_file);
  const { logger } = log;
  const scope = createScope('process');
  scope.add('log', log.close);
  return {
    config,
    env,
    ids,
    log: logger,
    logTail: log.tail,
    bus: createBus(ids, (event, err) => logger.error({ event, err }, 'an event subscriber failed')),
    hooks: createHooks(),
    front: createFront(),
    rpc: createRpc((method, err) => logger.error({ method, err }, 'a method failed')),
    schemas: createSchemas(),
    scope,
  };
}
