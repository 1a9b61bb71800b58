/** The prompts of every live instance, under names that say whose they are. */
import type { Bus, Disposer, Logger } from '../../../kernel/index.ts';
import type { BackendsService } from '../backends/api.ts';
import type { GatewayPrompt } from './api.ts';
import { createBackendLists } from './backend-lists.ts';
import { dccOf } from './backend-resources.ts';
import { aggregationErrors } from './errors.ts';
import { ownPrompt, shownPrompt } from './prompt-name.ts';
import { refusalOf } from './refusal.ts';

export interface BackendPromptsDeps {
  backends: BackendsService;
  bus: Pick<Bus, 'on'>;
  log: Logger;
  listChanged(): void;
}

export interface BackendPrompts {
  list(): Promise<GatewayPrompt[]>;
  render(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  /** Values for an argument; undefined when the name is none of ours. */
  complete(name: string, argument: { name: string; value: string }): Promise<readonly string[] | undefined>;
  dispose: Disposer;
}

const changed = 'notifications/prompts/list_changed';

export function createBackendPrompts({ backends, bus, log, listChanged }: BackendPromptsDeps): BackendPrompts {
  const lists = createBackendLists<GatewayPrompt>({
    ...{ backends, bus, log, changed },
    method: 'prompts/list',
    member: 'prompts',
  });
  const off = bus.on('internal.backend.notified', ({ attributes }) => {
    if (attributes.method === changed) listChanged();
  });

  const find = (name: string) => {
    const found = ownPrompt(name);
    if (!found) throw aggregationErrors.UNKNOWN_PROMPT({ name: name.slice(0, 200) });
    return { backend: backends.get(found.id), name: found.name };
  };

  return {
    async list() {
      const found = await lists.all();
      return found.flatMap(({ backend: { instance }, items }) =>
        items
          .filter(each => typeof each?.name === 'string')
          .map(each => ({
            ...each,
            arguments: each.arguments ?? [],
            name: shownPrompt(each.name, instance.instance_short),
            _meta: { ...each._meta, dcc: dccOf(instance) },
          })),
      );
    },

    async render(name, args, signal) {
      const { backend, name: wanted } = find(name);
      const options = { idempotent: true, signal };
      return backend
        .request('prompts/get', { name: wanted, arguments: args }, options)
        .catch(error => Promise.reject(refusalOf(error)));
    },

    async complete(name, argument) {
      if (!ownPrompt(name)) return undefined;
      const { backend, name: wanted } = find(name);
      const params = { ref: { type: 'ref/prompt', name: wanted }, argument };
      const result = (await backend.request('completion/complete', params, { idempotent: true })) as {
        completion?: { values?: string[] };
      };
      return result?.completion?.values ?? [];
    },

    dispose() {
      void off();
      void lists.dispose();
    },
  };
}
