/** How a feature joins the server: a named Fastify plugin with a scope that is disposed when the server closes. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import type { ServerConfig } from '../schemas/server-config.ts';
import type { Host } from './embed/host.ts';
import type { Kernel } from './kernel.ts';
import type { Logger } from './log.ts';
import type { Scope } from './scope.ts';

declare module 'fastify' {
  interface FastifyInstance {
    kernel: Kernel;
    host: Host;
  }
}

export interface PluginMeta {
  /** Unique; equals the folder's name. */
  name: string;
  /** Plugins whose decorators this one uses; they stand before it in the list. */
  dependencies?: readonly string[];
}

export interface PluginTools {
  kernel: Kernel;
  config: ServerConfig;
  /** Everything the plugin registers goes here. */
  scope: Scope;
  log: Logger;
}

export type PluginSetup = (app: FastifyInstance, tools: PluginTools) => void | Promise<void>;

export interface Plugin {
  readonly name: string;
  readonly dependencies: readonly string[];
  readonly register: FastifyPluginAsync;
}

/** Defines a plugin. `setup` decorates, registers routes and methods, and adds undo actions to its scope. */
export function definePlugin({ name, dependencies = [] }: PluginMeta, setup: PluginSetup): Plugin {
  const register: FastifyPluginAsync = async app => {
    const { kernel } = app;
    const scope = kernel.scope.child(`plugin:${name}`);
    app.addHook('onClose', () => scope.dispose());
    await setup(app, { kernel, config: kernel.config, scope, log: kernel.log.child({ plugin: name }) });
  };
  return { name, dependencies, register: fp(register, { name, fastify: '5.x', dependencies: [...dependencies] }) };
}
