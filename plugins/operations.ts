/** The operations of a server, once, over its application: used in place in ambient mode, across a port in dedicated. */
import type { FastifyInstance } from 'fastify';
import type { Disposer, EventEnvelope, EventInput } from '../kernel/light.ts';
import type { ToolDefinition } from '../schemas/tool.ts';
import type {} from './daemon/guardian/api.ts';
import type {} from './host/api.ts';
import type { SourceQuestion } from './host-sources.ts';
import type {} from './instances/registration/api.ts';
import type { WorkflowInput } from './jobs/workflows/api.ts';
import { type Bound, listen, selfProbe } from './listen.ts';
import { createResourceOperations, type Feature } from './resource-operations.ts';
import { serverErrors } from './server-errors.ts';
import type { SearchSkillsInput, SkillsService } from './skills/api.ts';

/** The host's side, as the server sees it. */
export interface HostLink {
  /** Delivers an event to the subscriber `key`. */
  deliver(key: number, event: EventEnvelope): void;
  /** Asks the policy hook `key`. */
  ask(key: number, event: EventEnvelope): unknown;
  /** Asks a resource source of the host. */
  source(question: SourceQuestion, signal: AbortSignal): Promise<unknown>;
  /** Tells whether this process serves the gateway now. */
  gateway(won: boolean): void;
  /** Tells which tools have handlers now. */
  handlers(names: readonly string[]): void;
}

/** What `listen` answers: the fields of the service. */
export interface Listening {
  port: number;
  bind_addr: string;
  is_gateway: boolean;
  instance_id: string | null;
  pid: number;
  mcp_url: string;
}

export type Operations = ReturnType<typeof createOperations>;

/** Every function takes one cloneable value and returns one, or a promise of one. */
export function createOperations(app: FastifyInstance, link: HostLink) {
  const { kernel } = app;
  const { bus, hooks, config } = kernel;
  const registrations = new Map<number, Disposer>();
  let lastRegistration = 0;

  const registered = (undo: Disposer): number => {
    lastRegistration += 1;
    registrations.set(lastRegistration, undo);
    return lastRegistration;
  };

  const feature = <T>(name: Feature, operation: string, found: () => T): T => {
    if (!app.hasDecorator(name)) throw serverErrors.FEATURE_OFF({ operation, plugin: kebab(name) });
    return found();
  };
  const skills = async (operation: string): Promise<SkillsService> => {
    const service = feature('skills', operation, () => app.skills);
    await service.discovered;
    return service;
  };

  /** Known at once, except where servers compete for the gateway's port. */
  const wonElection = async (): Promise<boolean> => {
    if (!app.hasDecorator('guardian')) return false;
    await app.guardian.decided();
    return app.guardian.is_gateway;
  };

  return {
    async listen(_: null): Promise<Listening> {
      const bound: Bound = await listen(app);
      const registered = app.hasDecorator('registration') ? app.registration.announce() : null;
      const [instance_id] = await Promise.all([registered, selfProbe(app, bound)]);
      const { port, bind_addr, origin } = bound;
      const mcp_url = origin + config.endpoint_path;
      const is_gateway = await wonElection();
      return { port, bind_addr, is_gateway, instance_id, pid: process.pid, mcp_url };
    },

    registerTool: ({ definition, key }: { definition: ToolDefinition; key: number | undefined }): number => {
      if (typeof definition?.name !== 'string') {
        throw serverErrors.INVALID_ARGUMENT({ argument: 'definition.name', expected: 'the name of the tool' });
      }
      return registered(feature('host', 'registerTool', () => app.host.register(definition, key)));
    },
    registerHandler: ({ name, key }: { name: string; key: number }): number => {
      text('name', name);
      return registered(feature('host', 'registerHandler', () => app.host.attach(name, key)));
    },
    async unregister(id: number): Promise<null> {
      const undo = registrations.get(id);
      registrations.delete(id);
      await undo?.();
      return null;
    },

    ...createResourceOperations({ app, link, registered, feature }),

    discover: async ({ paths, dcc }: { paths: readonly string[] | undefined; dcc: string | undefined }) =>
      (await skills('discover')).discover(paths, dcc),
    loadSkill: async (name: string) => (await skills('loadSkill')).load(text('name', name)),
    unloadSkill: async (name: string) => (await skills('unloadSkill')).unload(text('name', name)),
    searchSkills: async (input: SearchSkillsInput) => (await skills('searchSkills')).search(input),
    listSkills: async (status: 'loaded' | 'unloaded' | undefined) => (await skills('listSkills')).list(status),
    isLoaded: async (name: string) => (await skills('isLoaded')).isLoaded(text('name', name)),
    loadedCount: async (_: null) => (await skills('loadedCount')).loadedCount(),

    runWorkflow: (input: WorkflowInput) => feature('workflows', 'runWorkflow', () => app.workflows).run(input),

    subscribe: ({ name, key }: { name: string; key: number }) =>
      bus.subscribe(text('name', name), event => link.deliver(key, event)),
    unsubscribe: ({ name, id }: { name: string; id: number }) => bus.unsubscribe(name, id),
    before: ({ name, key }: { name: string; key: number }) => {
      const known = hooks.vetoableEvents();
      if (!known.includes(name)) throw serverErrors.NOT_VETOABLE({ event: name, known: known.join(', ') });
      return hooks.before(name, event => link.ask(key, event));
    },
    unsubscribeBefore: ({ name, id }: { name: string; id: number }) => hooks.unsubscribeBefore(name, id),
    emit: ({ name, input }: { name: string; input: EventInput | undefined }) => bus.emit(text('name', name), input),
    publish: ({ name, attributes }: { name: string; attributes: Record<string, unknown> | undefined }): null => {
      bus.publish(text('name', name), attributes);
      return null;
    },
  };
}

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

function text(argument: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw serverErrors.INVALID_ARGUMENT({ argument, expected: 'a non-empty string' });
}
