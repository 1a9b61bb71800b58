/** Tools of the host, on its main thread: handlers stay here, definitions and keys cross. */
import { type AsyncDisposer, createKept, type HostHalf, wrongArgument } from '../../kernel/light.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { HostHandler } from './api.ts';
import { handlerRunner, type NamedHandler } from './handlers.ts';
import { createHostQueue } from './queue.ts';
import { type HostSlots, openSlots } from './slots.ts';
import { type HostRing, handlersQuestion, type InPlaceCall, inPlaceQuestion, ringQuestion } from './wire.ts';

/** Tools whose handlers run on the host's main thread. Everything may be registered before or after start. */
export interface HostTools {
  /** Adds a tool of the host, before or after start; without a handler it is visible but cannot be called. */
  registerTool(definition: ToolDefinition, handler?: HostHandler): Promise<AsyncDisposer>;
  /** Attaches a handler to a tool by name. It receives the decoded arguments and runs on the host's main thread. */
  registerHandler(name: string, handler: HostHandler): Promise<AsyncDisposer>;
  /** Whether a tool has a handler, as far as the host's thread knows at this moment. */
  hasHandler(name: string): boolean;
}

export const hostToolsHalf = {
  plugin: 'host',
  operations: ['registerTool', 'registerHandler'],
  open(link): HostTools {
    const handlers = createKept<NamedHandler>();
    const run = handlerRunner(handlers);
    let executable: ReadonlySet<string> = new Set();
    let slots: HostSlots;
    let sliceMs = 0;
    link.answer(ringQuestion, told => {
      const ring = told as HostRing;
      slots = openSlots(ring.memory);
      sliceMs = ring.sliceMs;
    });
    const queue = createHostQueue({ run, slots: () => slots, sliceMs: () => sliceMs });
    for (const [question, answer] of Object.entries(queue)) link.answer(question, answer);
    link.answer(inPlaceQuestion, call => run(...(call as InPlaceCall)));
    link.answer(handlersQuestion, names => {
      executable = new Set(names as string[]);
    });

    const register = (operation: string, name: string, handler: HostHandler, input: object): Promise<AsyncDisposer> =>
      handlers.register({ name, handler }, key => link.call(operation, { ...input, key }));
    return {
      async registerTool(definition, handler) {
        if (handler === undefined) return link.call('registerTool', { definition });
        return register('registerTool', definition?.name, given(handler), { definition });
      },
      registerHandler: async (name, handler) => register('registerHandler', name, given(handler), { name }),
      hasHandler: name => executable.has(name) || [...handlers.values()].some(each => each.name === name),
    };
  },
} satisfies HostHalf<HostTools>;

function given(handler: HostHandler): HostHandler {
  if (typeof handler !== 'function') throw wrongArgument('handler', 'a function');
  return handler;
}
