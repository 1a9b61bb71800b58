/** What the host serves from its own thread: producers and event buffers, by the keys that the server knows them by. */
import type { ResourceProducer } from './resources/api.ts';
import { contentsOf, readFailure, recordsOf } from './resources/contents.ts';
import type { PagedBuffer } from './resources/schemes/session-events/api.ts';

/** A question of the server to the host's side; every member can cross a port. */
export type SourceQuestion =
  | { key: number; ask: 'list' }
  | { key: number; ask: 'read'; uri: string; maxBytes: number }
  | { key: number; ask: 'complete'; uriTemplate: string; variable: string; value: string }
  | { key: number; ask: 'page'; options: Parameters<PagedBuffer['page']>[0] };

type Source = { producer: ResourceProducer } | { buffer: PagedBuffer };

export interface HostSources {
  add(source: Source): number;
  remove(key: number): void;
  /** Answers with what JSON can carry; rejects with errors of the table. */
  answer(question: SourceQuestion, signal: AbortSignal): Promise<unknown>;
}

export function createHostSources(): HostSources {
  const sources = new Map<number, Source>();
  let lastKey = 0;

  const produced = async (producer: ResourceProducer, question: SourceQuestion, signal: AbortSignal) => {
    switch (question.ask) {
      case 'list':
        return plain(recordsOf(await producer.list()));
      case 'read': {
        const { uri, maxBytes } = question;
        try {
          return contentsOf(await producer.read(uri, { signal }), uri, maxBytes);
        } catch (error) {
          throw readFailure(error, uri);
        }
      }
      case 'complete': {
        const { uriTemplate, variable, value } = question;
        return plain((await producer.complete?.(uriTemplate, variable, value)) ?? []);
      }
      default:
        return undefined;
    }
  };

  return {
    add(source) {
      lastKey += 1;
      sources.set(lastKey, source);
      return lastKey;
    },
    remove: key => void sources.delete(key),
    async answer(question, signal) {
      const source = sources.get(question.key);
      if (!source) return undefined;
      if ('producer' in source) return produced(source.producer, question, signal);
      return question.ask === 'page' ? plain(await source.buffer.page(question.options)) : undefined;
    },
  };
}

/** A copy that can cross: a record of the host may hold anything beside what it should. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;
