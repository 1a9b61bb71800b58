/** Thread entry of the capture: reads what was taken down, makes frames of it, and writes those into files. */
import { parentPort, workerData } from 'node:worker_threads';
import { createIds, messageOf } from '../../kernel/light.ts';
import { transferOf } from '../../schemas/tape.ts';
import { letOthersFirst } from '../../schemas/thread-priority.ts';
import { createFrames } from './frames.ts';
import type { FrameText, FromReader, ReaderData, ReaderReport, ToReader } from './handed.ts';
import { createJsonlSink } from './jsonl-sink.ts';
import { createLegs } from './legs.ts';
import { createOutlet } from './outlet.ts';
import { unpack } from './packed.ts';
import { createLineQueue } from './queue.ts';
import { Captured } from './sink.ts';

if (!parentPort) throw new Error('the reader of captured traffic is a worker');
const port = parentPort;
letOthersFirst();
const { settings, files } = workerData as ReaderData;
const { capacity, filters, replacements } = settings;

const say = (message: FromReader, transfer?: readonly ArrayBuffer[]): void => port.postMessage(message, transfer);
const tell = (sentence: string): void => say({ what: 'told', sentence });
const ids = createIds();
const outlets = files.map(each =>
  createOutlet(createJsonlSink(each), createLineQueue(), { capacity, tell, onTurn: () => turned() }),
);
const frames = createFrames({ filters, replacements, eventId: ids.event, nowNs: ids.nowNs });
let toldPaths = 0;

function stateNow(): ReaderReport {
  const newPaths = [...frames.redactedPaths].slice(toldPaths);
  toldPaths += newPaths.length;
  return { decisions: { ...frames.decisions }, newPaths, sinks: outlets.map(each => each.state()) };
}

const report = (): void => say({ what: 'report', report: stateNow() });

/** What is sent back. */
let made: FrameText[] = [];
let [source, wanted] = ['{}', false];
const legs = createLegs({
  uuid: ids.uuid,
  onPassed(passed) {
    const frame = frames.frameOf(passed, source);
    if (!frame) return;
    // As bytes at once: texts that wait are copied by the garbage collection again and again.
    const captured = new Captured(...frame);
    for (const outlet of outlets) outlet.offer(captured);
    if (wanted) made.push(frame);
  },
});

function read(batch: Extract<ToReader, { what: 'batch' }>): void {
  ({ source, wanted } = batch);
  for (const item of unpack(batch.items)) {
    try {
      legs.read(item);
    } catch (error) {
      tell(`what was captured could not be read: ${messageOf(error)}`);
    }
  }
  legs.settle();
  legs.forget(batch.ended);
  const { numbers, bytes } = batch.items;
  say({ what: 'handled', frames: made, memory: { numbers, bytes }, report: stateNow() }, transferOf(batch.items));
  made = [];
}

/** Of the newest batch, all is on its way into the files: read any faster, their queues would be full and frames lost. */
async function taken(): Promise<void> {
  while (!ending && outlets.some(each => each.state().waiting > 0)) {
    await new Promise<void>(resolve => {
      next = resolve;
    });
  }
}

/** A sink has written a batch, or lost it. */
function turned(): void {
  report();
  next();
}

/** What was handed over before is read and written first, as far as the time for it goes. */
async function flush(ms: number): Promise<void> {
  const end = performance.now() + ms;
  const late = setTimeout(() => {
    ending = true;
    next();
  }, ms);
  await reading;
  clearTimeout(late);
  await Promise.all(outlets.map(each => each.flush(Math.max(0, end - performance.now()))));
  report();
  say({ what: 'flushed' });
}

let next: () => void = () => undefined;
let ending = false;
let reading = Promise.resolve();

port.on('message', (message: ToReader) => {
  if (message.what === 'flush') return void flush(message.ms);
  reading = reading.then(() => {
    read(message);
    return taken();
  });
});
say({ what: 'ready' });
