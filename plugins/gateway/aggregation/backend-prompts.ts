/** The prompts of every live instance, under names that say whose they are. */
import { type Json, objectOf, texts } from '../../../schemas/loose.ts';
import { onBehalf, withoutKey } from '../../../schemas/on-behalf.ts';
import type { PromptCaller } from '../../prompts/methods/api.ts';
import type { Answering } from '../backends/api.ts';
import type { GatewayPrompt } from './api.ts';
import { type AggregationDeps, createBackendLists } from './backend-lists.ts';
import { dccOf } from './backend-resources.ts';
import { aggregationErrors } from './errors.ts';
import { ownPrompt, shownPrompt } from './prompt-name.ts';
import { refusalOf } from './refusal.ts';

const changed = 'notifications/prompts/list_changed';

export function createBackendPrompts(deps: AggregationDeps) {
  const { backends, bus, listChanged } = deps;
  const lists = createBackendLists<GatewayPrompt>(deps, { method: 'prompts/list', member: 'prompts', changed });
  const off = bus.on('internal.backend.notified', ({ attributes }) => {
    if (attributes.method === changed) listChanged();
  });

  const find = (name: string) => {
    const found = ownPrompt(name);
    if (!found) throw aggregationErrors.UNKNOWN_PROMPT({ name: name.slice(0, 200) });
    return { backend: backends.get(found.id), name: found.name };
  };

  return {
    async list(): Promise<GatewayPrompt[]> {
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

    async render(name: string, args: Json, caller: PromptCaller): Promise<unknown> {
      const { backend, name: wanted } = find(name);
      const { ask, capabilities, signal } = caller;
      const onQuestion: Answering | undefined =
        ask &&
        ((method, asked, off) => {
          const { params, key } = withoutKey(asked);
          return ask(method, params, { signal: off, ...(key !== undefined && { key }) });
        });
      const _meta = onBehalf(undefined, { capabilities });
      return backend
        .request(
          'prompts/get',
          { name: wanted, arguments: args, ...(_meta && { _meta }) },
          { idempotent: true, signal, onQuestion },
        )
        .catch(error => Promise.reject(refusalOf(error, { theirs: wanted, ours: name })));
    },

    /** Values for an argument; undefined when the name is none of ours. */
    async complete(name: string, argument: { name: string; value: string }): Promise<readonly string[] | undefined> {
      if (!ownPrompt(name)) return undefined;
      const { backend, name: wanted } = find(name);
      const params = { ref: { type: 'ref/prompt', name: wanted }, argument };
      const result = await backend
        .request('completion/complete', params, { idempotent: true })
        .catch(error => Promise.reject(refusalOf(error, { theirs: wanted, ours: name })));
      return texts(objectOf(objectOf(result).completion).values);
    },

    dispose(): void {
      void off();
      lists.dispose();
    },
  };
}
