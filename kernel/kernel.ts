/** The kernel of one server: what every plugin may use, assembled once. It knows no tool, skill, resource, job or gateway. */

import { createIds, type Ids } from '../schemas/ids.ts';
import type { ServerConfig } from '../schemas/server-config.ts';
import type { Environment } from '../schemas/variables.ts';
import { createBus } from './bus.ts';
import type { HostLink } from './embed/host.ts';
import { createFront } from './front.ts';
import { createHooks } from './hooks.ts';
import { createLog } from './log.ts';
import { createRpc } from './rpc.ts';
import { createSchemas } from './schema.ts';
import { createScope } from './scope.ts';

export interface KernelParts {
  ids?: Ids;
  env?: Environment;
  /** The way to the host that embeds the application. */
  link?: HostLink;
  /** Makes text of a line of the log, where standard error is a terminal. */
  forPeople?: ((line: string) => string) | undefined;
}

export type Kernel = Readonly<ReturnType<typeof createKernel>>;

export function createKernel(config: ServerConfig, { ids = createIds(), env = {}, forPeople }: KernelParts = {}) {
  const { logger, tail, close } = createLog(config, forPeople);
  /** The process scope: parent of every plugin's, session's and skill's. */
  const scope = createScope('process');
  scope.add('log', close);
  return {
    config,
    /** What of the process's environment the server may use. */
    env,
    ids,
    log: logger,
    /** The newest log lines, oldest first. */
    logTail: tail,
    bus: createBus(ids, (event, err) => logger.error({ event, err }, 'an event subscriber failed')),
    hooks: createHooks(),
    /** Guards for every request, and routes that skip the router. */
    front: createFront(),
    rpc: createRpc((method, err) => logger.error({ method, err }, 'a method failed')),
    schemas: createSchemas(),
    scope,
  };
}
