/** The producers: which scheme is served by whom, reads with a deadline and a size bound. */
import { createEntries, type Disposer, isSvcError } from '../../kernel/index.ts';
import type { ResourceContents, ResourceProducer, ResourceRecord, ResourceTemplate } from './api.ts';
import { contentsOf, readFailure, recordsOf } from './contents.ts';
import { resourceErrors } from './errors.ts';
import { isOpaque, listedUri, schemeOf } from './uri.ts';

export interface ResourcesDeps {
  /** Deadline of one read or list, in ms. */
  timeoutMs: number;
  /** Most characters of text or base64 in one read. */
  maxBytes: number;
  /** Told of a producer that failed to list: the others are listed all the same. */
  onFailure(scheme: string, error: unknown): void;
}

/** Scheme of the producer that serves what no other does. */
const anyScheme = '*';

export type Resources = ReturnType<typeof createResources>;

export function createResources({ timeoutMs, maxBytes, onFailure }: ResourcesDeps) {
  const producers = createEntries<ResourceProducer>('resource scheme');
  /** Work that is about to change what there is. */
  const pending = new Set<Promise<unknown>>();
  const settled = async (): Promise<void> => {
    while (pending.size > 0) await Promise.allSettled([...pending]);
  };
  /** By producer, what it calls a URI that is listed in another spelling. */
  const spellings = new Map<ResourceProducer, ReadonlyMap<string, string>>();
  const enabled = (): ResourceProducer[] => producers.list().filter(each => each.enabled?.() ?? true);

  const listOf = async (producer: ResourceProducer): Promise<readonly ResourceRecord[]> => {
    try {
      const records = recordsOf(await within(timeoutMs, undefined, async () => producer.list()));
      const listed = records.map(each => ({ ...each, uri: listedUri(each.uri) }));
      const other = listed.flatMap(({ uri }, at) => (uri === records[at]?.uri ? [] : [[uri, records[at]?.uri ?? uri]]));
      spellings.set(producer, new Map(other as [string, string][]));
      return listed;
    } catch (error) {
      onFailure(producer.scheme, error);
      return [];
    }
  };

  const templatesOf = async (producer: ResourceProducer): Promise<readonly ResourceTemplate[]> => {
    try {
      return (await within(timeoutMs, undefined, async () => producer.templates?.())) ?? [];
    } catch (error) {
      onFailure(producer.scheme, error);
      return [];
    }
  };

  /** The enabled producer of a scheme; throws SVC_RESOURCES_NOT_FOUND or _UNAVAILABLE. */
  const require = (scheme: string, uri: string): ResourceProducer => {
    const producer = producers.get(scheme) ?? producers.get(anyScheme);
    if (!producer) throw resourceErrors.NOT_FOUND({ uri });
    if (!producer.opaque && isOpaque(uri)) throw resourceErrors.BAD_URI({ reason: 'it must look like scheme://path' });
    if (producer.enabled?.() === false) {
      const reason = producer.disabledReason?.() ?? `the ${scheme}:// scheme is switched off`;
      throw resourceErrors.UNAVAILABLE({ uri, reason });
    }
    return producer;
  };

  /** A URI as its producer calls it. */
  const ownUri = async (producer: ResourceProducer, uri: string): Promise<string> => {
    if (uri.includes('%') && !spellings.has(producer)) await listOf(producer);
    return spellings.get(producer)?.get(uri) ?? uri;
  };

  const read = async (uri: string, signal?: AbortSignal): Promise<readonly ResourceContents[]> => {
    if (pending.size > 0) await settled();
    const producer = require(schemeOf(uri), uri);
    const own = await ownUri(producer, uri);
    const contents = await readFrom(producer, own, timeoutMs, signal).then(
      given => contentsOf(given, uri, maxBytes),
      error => {
        throw readFailure(error, uri);
      },
    );
    if (contents === undefined) throw resourceErrors.NOT_FOUND({ uri });
    return contents;
  };

  return {
    addProducer(producer: ResourceProducer): Disposer {
      if (producer.scheme !== anyScheme && !/^[a-z][a-z0-9+.-]*$/.test(producer.scheme)) {
        throw resourceErrors.BAD_URI({ reason: `"${producer.scheme}" is not a lower-case scheme` });
      }
      const remove = producers.add(producer.scheme, producer);
      return () => {
        spellings.delete(producer);
        return remove();
      };
    },

    hold(work: Promise<unknown>): void {
      const done: Promise<unknown> = work.finally(() => pending.delete(done));
      pending.add(done);
    },

    async list(): Promise<ResourceRecord[]> {
      if (pending.size > 0) await settled();
      return (await Promise.all(enabled().map(listOf))).flat();
    },

    async templates(): Promise<ResourceTemplate[]> {
      return (await Promise.all(enabled().map(templatesOf))).flat();
    },

    /** The producer that completes variables of `uriTemplate`, when it is one of ours. */
    async completer(uriTemplate: string): Promise<ResourceProducer | undefined> {
      for (const producer of enabled()) {
        if ((await templatesOf(producer)).some(template => template.uriTemplate === uriTemplate)) return producer;
      }
      return undefined;
    },

    require,

    ownUri,

    read,

    /** Rejects as a read would for a URI that names nothing. What can only not be read for now is known all the same. */
    async assertKnown(producer: ResourceProducer, uri: string, signal: AbortSignal): Promise<void> {
      if (!producer.knows) {
        await read(uri, signal).catch((error: unknown) => {
          if (!isSvcError(error) || error.row.http < 500) throw error;
        });
        return;
      }
      const own = await ownUri(producer, uri);
      if (!(await within(timeoutMs, signal, async () => producer.knows?.(own))))
        throw resourceErrors.NOT_FOUND({ uri });
    },
  };
}

const readFrom = (producer: ResourceProducer, uri: string, timeoutMs: number, signal: AbortSignal | undefined) =>
  within(timeoutMs, signal, async inner => producer.read(uri, { signal: inner }));

/** Runs `work` with a signal that aborts with `outer` or after `timeoutMs`; rejects then, whatever `work` does. */
async function within<T>(
  timeoutMs: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let giveUp: (reason: unknown) => void = () => undefined;
  const given = new Promise<never>((_, reject) => {
    giveUp = reason => {
      abort.abort(reason);
      reject(reason);
    };
  });
  const timer = setTimeout(() => giveUp(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  const onAbort = (): void => giveUp(new Error('the request was cancelled'));
  outer?.addEventListener('abort', onAbort, { once: true });
  if (outer?.aborted) onAbort();
  try {
    return await Promise.race([work(abort.signal), given]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', onAbort);
  }
}
