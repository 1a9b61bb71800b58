/** What a host registers over the link becomes what an embedding host registers; of the same name the newest stands. */
import { type AsyncDisposer, messageOf } from '../../kernel/index.ts';
import type { Affinity, HostMessages } from '../../schemas/host-link.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { PromptCall } from '../prompts/api.ts';
import type { HostCalls } from './calls.ts';
import type { LinkServer } from './link-server.ts';

/** How long a function that a report asks may take: an agent waits for it. */
const providerMs = 5000;
/** It may wait for a network, and so does not run on the main thread. */
const tokenProvider = 'gateway_token_provider';

export interface RegistrationsDeps {
  server: LinkServer;
  calls: HostCalls;
  /** Tells the host of something that was not taken. */
  refused(message: string): void;
  notify(message: object): void;
}

export function createRegistrations({ server, calls, refused, notify }: RegistrationsDeps) {
  const undos = new Map<string, Promise<AsyncDisposer | undefined>>();

  /** After what stood under the same key is gone; a refusal is told and leaves nothing. */
  const keep = (key: string, what: string, register: () => Promise<AsyncDisposer>): Promise<unknown> => {
    const before = undos.get(key);
    const now = Promise.resolve(before)
      .then(undo => undo?.())
      .then(register)
      .catch((error: unknown) => {
        refused(`${what} was not registered: ${messageOf(error)}`);
        return undefined;
      });
    undos.set(key, now);
    return now;
  };

  const forget = (key: string): void => {
    const before = undos.get(key);
    undos.delete(key);
    void before?.then(undo => undo?.());
  };

  const tool = (definition: ToolDefinition): Promise<unknown> => {
    const { name } = definition;
    const affinity: Affinity = definition.affinity ?? 'any';
    return keep(`tool ${name}`, `the tool "${name}"`, () =>
      server.registerTool(definition, (args, call) => calls.run({ t: 'call', tool: name, args }, affinity, call)),
    );
  };

  return {
    tool,
    untool: (name: string): void => forget(`tool ${name}`),
    forget,
    resource({ scheme, templates, affinity, completes = false }: HostMessages['resource']): Promise<unknown> {
      const ask = (wanted: object, call: Parameters<HostCalls['run']>[2] = {}) =>
        calls.run({ t: 'read', scheme, ...wanted }, affinity, call) as Promise<never>;
      return keep(`resource ${scheme}`, `the scheme "${scheme}"`, () =>
        server.resources().addProducer({
          scheme,
          list: () => ask({}),
          read: async (uri, { signal }) => {
            const found = await ask({ uri }, { onAbort: listen => onceAborted(signal, listen) });
            return (found as unknown[]).length > 0 ? found : undefined;
          },
          templates: () => templates as never,
          ...(completes && {
            complete: (template: string, variable: string, value: string) => ask({ template, variable, value }),
          }),
        }),
      );
    },
    buffer({ session_id }: HostMessages['buffer']): Promise<unknown> {
      const page = (options: unknown) => calls.run({ t: 'page', session_id, options }, 'any', {}) as Promise<never>;
      return keep(`buffer ${session_id}`, `the event buffer "${session_id}"`, () =>
        server.resources().registerSessionEventBuffer({ session_id, page }),
      );
    },
    prompt({ definition, rendered = true }: HostMessages['prompt']): Promise<unknown> {
      const { name } = definition;
      const render = (args: Record<string, string>, { signal, ask }: PromptCall) => {
        const call = { ask, onAbort: (listen: Listen) => onceAborted(signal, listen) };
        return calls.run({ t: 'render', prompt: name, args }, 'main', call) as Promise<never>;
      };
      return keep(`prompt ${name}`, `the prompt "${name}"`, () =>
        server.registerPrompt(definition, ...(rendered ? [render] : [])),
      );
    },
    on({ name, key }: HostMessages['on']): Promise<unknown> {
      return keep(key, `the subscription of ${name}`, () =>
        server.bus.on(name, event => notify({ t: 'event', key, event })),
      );
    },
    before({ name, key }: HostMessages['before']): Promise<unknown> {
      return keep(key, `the hook of ${name}`, async () => {
        const id = await server.bus.before(name, event => calls.run({ t: 'event', key, event }, 'any', {}) as never);
        return async () => void (await server.bus.unsubscribeBefore(name, id));
      });
    },
    feedback({ settings, providers }: HostMessages['feedback']): Promise<unknown> {
      const ask = (provider: string) => (): Promise<unknown> => {
        const signal = AbortSignal.timeout(providerMs);
        const call = { deadline: Date.now() + providerMs, onAbort: (listen: Listen) => onceAborted(signal, listen) };
        return calls.run({ t: 'provide', provider }, provider === tokenProvider ? 'any' : 'main', call);
      };
      const given = Object.fromEntries(providers.map(each => [each, ask(each)]));
      return keep('feedback', 'the feedback tool', () => server.registerFeedbackTool({ ...settings, ...given }));
    },
  };
}

type Listen = (reason: unknown) => unknown;

function onceAborted(signal: AbortSignal, listen: Listen): () => void {
  const heard = (): void => void listen(signal.reason);
  if (signal.aborted) heard();
  else signal.addEventListener('abort', heard, { once: true });
  return () => signal.removeEventListener('abort', heard);
}
