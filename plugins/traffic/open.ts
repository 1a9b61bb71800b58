/** The capture with all that it needs; loaded when it is switched on. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { EventRecord, Kernel, Logger, Scope } from '../../kernel/index.ts';
import type { StorageService } from '../storage/api.ts';
import { createCapture } from './capture.ts';
import type { SinkEntry } from './file-schema.ts';
import { createFrames } from './frames.ts';
import { createJsonlSink } from './jsonl-sink.ts';
import { createLiveSink, type LiveSink } from './live-sink.ts';
import { createOutlet } from './outlet.ts';
import { Captured, type Sink } from './sink.ts';
import { claimFile } from './sink-file.ts';
import { openSqliteSink } from './sqlite-sink.ts';
import { createTap } from './tap.ts';
import type { CapturePlan } from './traffic-file.ts';

export interface OpenInput {
  readonly kernel: Pick<Kernel, 'bus' | 'ids' | 'config'>;
  readonly plan: CapturePlan;
  readonly server: Server;
  readonly storage: Pick<StorageService, 'open'> | undefined;
  readonly scope: Scope;
  readonly log: Logger;
  readonly flushMs: number;
  source(): EventRecord;
}

export type OpenCapture = Awaited<ReturnType<typeof openCapture>>;

const defaultRing = 1000;
const defaultFileBytes = 1024 * 1024 * 1024;

/** Rejects when a sink cannot be opened. From then on calls are captured, until `scope` ends it. */
export async function openCapture(input: OpenInput) {
  const { kernel, plan, server, scope, log, flushMs, source } = input;
  const { bus, ids } = kernel;
  const { capacity, maxBodyBytes, filters, replacements } = plan;
  const tell = (sentence: string): void => log.warn(sentence);
  const sinks = await openSinks(input);
  const outlets = sinks.map(sink => createOutlet(sink, { capacity, tell }));
  const frames = createFrames({ bus, source, filters, replacements });
  const capture = createCapture({
    ...{ capacity, maxBodyBytes, tell, uuid: ids.uuid, nowNs: ids.nowNs },
    onPassed: frames.tell,
  });

  const undos = [
    bus.on('traffic.frame', event => {
      const frame = new Captured(event);
      for (const outlet of outlets) outlet.offer(frame);
    }),
    bus.on('internal.hop.begun', ({ attributes: { hop, text } }) => capture.begun(hop, text)),
    bus.on('internal.hop.ended', ({ attributes: { hop, text } }) => capture.ended(hop, text)),
  ];
  const tap = createTap({
    ...{ endpoint: kernel.config.endpoint_path, maxBodyBytes, nowNs: ids.nowNs },
    onSent: capture.sent,
    onAnswered: capture.answered,
  });
  server.prependListener('request', tap as (request: IncomingMessage, response: ServerResponse) => void);

  scope.add('capture', async () => {
    server.removeListener('request', tap);
    const end = Date.now() + flushMs;
    await capture.flush(flushMs);
    for (const undo of undos) void undo();
    await Promise.all(outlets.map(each => each.flush(Math.max(0, end - Date.now()))));
  });
  log.info({ sinks: sinks.map(({ kind, place }) => `${kind}: ${place}`) }, 'tool calls are captured');
  return {
    ...{ capture, frames, outlets },
    live: sinks.find((each): each is LiveSink => each.kind === 'admin_live'),
  };
}

async function openSinks({ plan, storage, kernel }: OpenInput): Promise<Sink[]> {
  // The same for all of them.
  const timestamp = new Date(kernel.ids.now()).toISOString().replaceAll(/[:.]/g, '-');
  const pathOf = ({ path = '' }: SinkEntry): string => path.replaceAll(/\$\{TIMESTAMP\}/g, timestamp);
  return Promise.all(
    plan.sinks.map(async (entry): Promise<Sink> => {
      if (entry.kind === 'admin_live') return createLiveSink(entry.ring_buffer ?? defaultRing);
      const path = pathOf(entry);
      if (entry.kind === 'sqlite') {
        if (!storage) throw new Error('a sink of kind sqlite needs the storage plugin, which is not enabled');
        await claimFile(path);
        return openSqliteSink(path, storage);
      }
      await claimFile(path);
      return createJsonlSink({ path, maxBytes: entry.max_bytes ?? defaultFileBytes });
    }),
  );
}
