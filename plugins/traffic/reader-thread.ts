/** Thread entry of the capture: reads what was taken down, makes frames of it, and writes those into files. */
import { parentPort, workerData } from 'node:worker_threads';
import { createIds, messageOf } from '../../kernel/light.ts';
import { createFrames } from './frames.ts';
import type { FromReader, ReaderData, ToReader } from './handed.ts';
import { createJsonlSink } from './jsonl-sink.ts';
import { createLegs } from './legs.ts';
import { createOutlet } from './outlet.ts';
import { Captured } from './sink.ts';

if (!parentPort) throw new Error('the reader of captured traffic is a worker');
const port = parentPort;
const { settings, files } = workerData as ReaderData;
const { capacity, filters, replacements } = settings;

const say = (message: FromReader): void => port.postMessage(message);
const tell = (sentence: string): void => say({ what: 'told', sentence });
const ids = createIds();
const outlets = files.map(each => createOutlet(createJsonlSink(each), { capacity, tell, onTurn: () => report() }));
const frames = createFrames({ filters, replacements, eventId: ids.event, nowNs: ids.nowNs });
let toldPaths = 0;

function report(): void {
  const newPaths = [...frames.redactedPaths].slice(toldPaths);
  toldPaths += newPaths.length;
  const sinks = outlets.map(each => each.state());
  say({ what: 'report', report: { decisions: { ...frames.decisions }, newPaths, sinks } });
}

let made: Captured[] = [];
let source = '{}';
const legs = createLegs({
  uuid: ids.uuid,
  onPassed(passed) {
    const frame = frames.frameOf(passed, source);
    if (frame) made.push(new Captured(...frame));
  },
});

function read(batch: Extract<ToReader, { what: 'batch' }>): void {
  source = batch.source;
  for (const item of batch.items) {
    try {
      legs.read(item);
    } catch (error) {
      tell(`what was captured could not be read: ${messageOf(error)}`);
    }
  }
  legs.forget(batch.ended);
  for (const frame of made) for (const outlet of outlets) outlet.offer(frame);
  report();
  say({ what: 'handled', frames: batch.wanted ? made.map(({ json, size }) => [json, size]) : [] });
  made = [];
}

async function flush(ms: number): Promise<void> {
  await Promise.all(outlets.map(each => each.flush(ms)));
  report();
  say({ what: 'flushed' });
}

port.on('message', (message: ToReader) => {
  if (message.what === 'batch') read(message);
  else void flush(message.ms);
});
say({ what: 'ready' });
