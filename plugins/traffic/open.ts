/** The capture with all that it needs; loaded when it is switched on. */
import type { Server } from 'node:http';
import type { EventRecord, Kernel, Logger, Scope } from '../../kernel/index.ts';
import type { StorageService } from '../storage/api.ts';
import { createCapture } from './capture.ts';
import type { FrameText } from './handed.ts';
import { createLiveSink, type LiveSink } from './live-sink.ts';
import { createOutlet } from './outlet.ts';
import { createFrameQueue } from './queue.ts';
import { openReader } from './reader.ts';
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
  const { sinks, files, places } = await openSinks(input);
  const outlets = sinks.map(sink => createOutlet(sink, createFrameQueue(sink.batch), { capacity, tell }));

  /** Those of the sinks that are here, and whoever hears the bus. */
  const take = (given: readonly FrameText[]): void => {
    const wanted = bus.wants('traffic.frame');
    for (const each of given) {
      const frame = new Captured(...each);
      for (const outlet of outlets) outlet.offer(frame);
      // The envelope as it was made, and as it stands in the files.
      if (wanted) bus.publish('traffic.frame', frame.event as unknown as EventRecord);
    }
  };
  const reader = await openReader({
    data: { settings: { capacity, maxBodyBytes, filters, replacements }, files },
    onHandled(given, memory) {
      const read = capture.handled(memory);
      if (!memory) capture.lose(read, 'the thread that reads captured traffic has ended');
      else take(given);
    },
    tell,
  });
  const capture = createCapture({
    ...{ capacity, maxBodyBytes, tell, nowNs: ids.nowNs },
    handOver: gathered => {
      const wanted = outlets.length > 0 || bus.wants('traffic.frame');
      return reader.read({ what: 'batch', ...gathered, source: JSON.stringify(source()), wanted });
    },
  });

  const undos = [
    bus.on('internal.hop.begun', ({ attributes: { hop, text } }) => capture.begun(hop, text)),
    bus.on('internal.hop.ended', ({ attributes: { hop, text } }) => capture.ended(hop, text)),
  ];
  const tap = createTap({
    ...{ endpoint: kernel.config.endpoint_path, maxBodyBytes, nowNs: ids.nowNs },
    onSent: capture.sent,
    onAnswered: capture.answered,
  });
  server.prependListener('request', tap);

  scope.add('capture', async () => {
    server.removeListener('request', tap);
    const end = Date.now() + flushMs;
    for (const undo of undos) void undo();
    capture.give();
    await reader.flush(flushMs);
    await Promise.all(outlets.map(each => each.flush(Math.max(0, end - Date.now()))));
    await reader.close();
  });
  log.info({ sinks: places }, 'tool calls are captured');
  return {
    ...{ capture, reader, outlets },
    live: sinks.find((each): each is LiveSink => each.kind === 'admin_live'),
  };
}

/** Files of lines are written by the reader's thread, others here. */
async function openSinks({ plan, storage, kernel }: OpenInput) {
  // The same for all of them.
  const timestamp = new Date(kernel.ids.now()).toISOString().replaceAll(/[:.]/g, '-');
  const sinks: Sink[] = [];
  const files: { path: string; maxBytes: number }[] = [];
  const places: string[] = [];
  for (const { kind, path: given = '', ring_buffer = defaultRing, max_bytes = defaultFileBytes } of plan.sinks) {
    const path = given.replaceAll(/\$\{TIMESTAMP\}/g, timestamp);
    places.push(`${kind}: ${path || 'in memory'}`);
    if (kind !== 'admin_live') await claimFile(path);
    if (kind === 'jsonl') files.push({ path, maxBytes: max_bytes });
    else if (kind === 'admin_live') sinks.push(createLiveSink(ring_buffer));
    else if (storage) sinks.push(await openSqliteSink(path, storage));
    else throw new Error('a sink of kind sqlite needs the storage plugin, which is not enabled');
  }
  return { sinks, files, places };
}
