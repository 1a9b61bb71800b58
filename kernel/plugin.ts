/** How a feature joins the server: a named Fastify plugin that owns its settings, errors, events and a scope. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import type { SliceSchema, SliceValue } from '../schemas/settings-schema.ts';
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

/** What a plugin says of itself: all that others know of it without running it. */
export interface PluginMeta<C extends SliceSchema = SliceSchema, O extends string = string> {
  /** Unique; equals the folder's name. */
  name: string;
  /** Plugins whose decorators this one uses; they stand before it in the list. */
  dependencies?: readonly string[];
  /** Plugins that it uses when they are there; they stand before it too. */
  optional?: readonly O[];
  /** Schema of its own settings: a TypeBox object or plain JSON Schema, with a default for whatever need not be given. */
  config?: C;
  /** The events it emits, by name, each with when. */
  events?: Readonly<Record<string, string>>;
  /** The rows it adds to the error table, as `defineErrors` returned them. */
  errors?: object;
}

/** The decorator of a plugin: its name in camelCase. */
type Decorator<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<Decorator<B>>}` : S;
type Decorators<O extends string> = {
  readonly [K in O as Decorator<K>]:
    | (Decorator<K> extends keyof FastifyInstance ? FastifyInstance[Decorator<K>] : unknown)
    | undefined;
};

export interface PluginTools<C = object, O extends string = never> {
  kernel: Kernel;
  /** The plugin's own settings and no other's, complete and frozen. What the kernel itself is set to is `kernel.config`. */
  config: C;
  /** Everything the plugin registers goes here. */
  scope: Scope;
  log: Logger;
  /** The decorators of the `optional` plugins, undefined where one is not enabled. */
  optional: Decorators<O>;
}

export type PluginSetup<C = object, O extends string = never> = (
  app: FastifyInstance,
  tools: PluginTools<C, O>,
) => void | Promise<void>;

export interface Plugin extends Readonly<PluginMeta> {
  readonly dependencies: readonly string[];
  /** Takes the plugin's settings as `config`. */
  readonly register: FastifyPluginAsync<{ config: object }>;
}

const decoratorOf = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Defines a plugin. `setup` decorates, registers routes and methods, and adds undo actions to its scope. */
export function definePlugin<const C extends SliceSchema = { properties: object }, const O extends string = never>(
  meta: PluginMeta<C, O>,
  setup: PluginSetup<SliceValue<C>, O>,
): Plugin {
  const { name, dependencies = [], optional = [] } = meta;
  const register: Plugin['register'] = async (app, { config }) => {
    const { kernel } = app;
    const scope = kernel.scope.child(`plugin:${name}`);
    app.addHook('onClose', () => scope.dispose());
    const found = optional.map(decoratorOf).map(each => [each, (app as unknown as Record<string, unknown>)[each]]);
    const log = kernel.log.child({ plugin: name });
    const own = { kernel, config: config as SliceValue<C>, scope, log };
    await setup(app, { ...own, optional: Object.fromEntries(found) as Decorators<O> });
  };
  const wrapped = fp(register, { name, dependencies: [...dependencies] });
  return { ...meta, dependencies, register: wrapped };
}
