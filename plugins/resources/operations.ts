/** What the host does with resources: what it registers becomes producers that ask it back. */

import { Type } from 'typebox';
import type { Host, Scope } from '../../kernel/index.ts';
import { anyOf, inputOf, key, listOf, text } from '../../schemas/operation.ts';
import type { ResourceContents, ResourceProducer, ResourceRecord, ResourcesService, ResourceTemplate } from './api.ts';
import { type CompleteQuestion, questions, type ReadQuestion } from './wire.ts';

const producerInput = inputOf({
  key,
  scheme: Type.String(),
  templates: listOf(anyOf<ResourceTemplate>({ type: 'object' })),
  completes: Type.Boolean(),
  enabled: Type.Boolean(),
});

export interface ResourceOperationsDeps {
  host: Host;
  resources: ResourcesService;
  maxBytes: number;
  scope: Scope;
}

export function addResourceOperations({ host, resources, maxBytes, scope }: ResourceOperationsDeps): void {
  const operations = [
    host.operation('addProducer', producerInput, ({ key, scheme, templates, completes, enabled }) => {
      const ask = async (...asked: Parameters<Host['ask']>): Promise<unknown> => host.ask(...asked);
      const producer: ResourceProducer = {
        scheme,
        list: async () => ((await ask(questions.list, { key })) ?? []) as ResourceRecord[],
        read: async (uri, { signal }) =>
          (await ask(questions.read, { key, uri, maxBytes } satisfies ReadQuestion, { signal })) as ResourceContents[],
        templates: () => templates,
        ...(completes && {
          complete: async (uriTemplate: string, variable: string, value: string) =>
            (await ask(questions.complete, {
              ...{ key, uriTemplate, variable, value },
            } satisfies CompleteQuestion)) as string[],
        }),
        enabled: () => enabled,
        opaque: true,
      };
      const remove = resources.addProducer(producer);
      resources.listChanged();
      return scope.add(`host producer ${scheme}`, async () => {
        await remove();
        resources.listChanged();
      });
    }),
    host.operation('resourceUpdated', inputOf({ uri: text }), ({ uri }) => resources.updated(uri)),
    host.operation('resourceListChanged', inputOf({}), () => resources.listChanged()),
  ];
  for (const undo of operations) scope.add('operation', undo);
}
