/** `server.resources()`: producers of the host stay on its thread, keys and data cross. Schemes add to it. */
import { type AsyncDisposer, createKept, type HostHalf, wrongArgument } from '../../kernel/light.ts';
import type { ResourceProducer } from './api.ts';
import { contentsOf, readFailure, recordsOf } from './contents.ts';
import { type CompleteQuestion, questions, type ReadQuestion } from './wire.ts';

/** Resources of the host. Everything may be registered before or after start. */
export interface HostResources {
  /** Serves a scheme from the host's thread. `enabled` and `templates` are asked once, now. */
  addProducer(producer: ResourceProducer): Promise<AsyncDisposer>;
  /** Tells subscribers of `uri` that it changed. */
  updated(uri: string): Promise<void>;
  /** Tells clients that the list of resources changed. */
  listChanged(): Promise<void>;
}

export const resourcesHalf = {
  plugin: 'resources',
  operations: ['addProducer', 'resourceUpdated', 'resourceListChanged'],
  open(link): HostResources {
    const producers = createKept<ResourceProducer>();
    const of = (question: unknown) => producers.get((question as { key: number }).key);
    link.answer(questions.list, async asked => {
      const producer = of(asked);
      return producer && plain(recordsOf(await producer.list()));
    });
    link.answer(questions.read, async (asked, { signal }) => {
      const { uri, maxBytes } = asked as ReadQuestion;
      try {
        return contentsOf(await of(asked)?.read(uri, { signal }), uri, maxBytes);
      } catch (error) {
        throw readFailure(error, uri);
      }
    });
    link.answer(questions.complete, async asked => {
      const { uriTemplate, variable, value } = asked as CompleteQuestion;
      return plain((await of(asked)?.complete?.(uriTemplate, variable, value)) ?? []);
    });
    return {
      async addProducer(producer) {
        for (const name of ['list', 'read'] as const) {
          if (typeof producer?.[name] === 'function') continue;
          throw wrongArgument('producer', `an object with a function "${name}"`);
        }
        const given = producer.templates?.() ?? [];
        // No await without need: what is called before `start` must be sent before it.
        const templates = plain(given instanceof Promise ? await given : given);
        const shape = {
          scheme: String(producer.scheme),
          templates,
          completes: typeof producer.complete === 'function',
          enabled: producer.enabled?.() !== false,
        };
        return producers.register(producer, key => link.call('addProducer', { key, ...shape }));
      },
      updated: uri => link.call('resourceUpdated', { uri }),
      listChanged: () => link.call('resourceListChanged', {}),
    };
  },
} satisfies HostHalf<HostResources>;

/** A copy that can cross: a record of the host may hold anything beside what it should. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
