/** Thread entry of the records: makes the rows of calls and writes them into their files. */
import { parentPort, workerData } from 'node:worker_threads';
import { encode } from '@toon-format/toon';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { transferOf } from '../../../schemas/tape.ts';
import { letOthersFirst } from '../../../schemas/thread-priority.ts';
import { accounting } from '../../../schemas/token-accounting.ts';
import { createAllowance } from './allowance.ts';
import { createCappedFile } from './capped-file.ts';
import type { FromRows, RowsData, ToRows } from './handed.ts';
import { unpackRecords } from './packed.ts';
import { createRows } from './rows.ts';
import { createWriter } from './writer.ts';

if (!parentPort) throw new Error('the writer of records is a worker');
const port = parentPort;
letOthersFirst();
const { audit, traces, caps, timeOrigin } = workerData as RowsData;
/** What an answer would be in the form that it did not go out in. */
const measuring = createAllowance(1 / 50);
const rows = createRows({ accounting, toon: encode }, timeOrigin, measuring);

const say = (message: FromRows, transfer?: readonly ArrayBuffer[]): void => port.postMessage(message, transfer);
const state = (): void => say({ what: 'state', dropped: writer.dropped, problem: writer.problem });

const writer = createWriter<CallRecord>({
  targets: [
    { file: createCappedFile(audit, caps), line: rows.texts.audit },
    { file: createCappedFile(traces, caps), line: rows.texts.trace },
  ],
  onProblem(file, reason) {
    state();
    say({ what: 'problem', file, reason });
  },
  onRecovered(dropped) {
    state();
    say({ what: 'recovered', dropped });
  },
});

async function settle(end: boolean): Promise<void> {
  await (end ? writer.close() : writer.settled());
  state();
  say({ what: 'settled' });
}

/** One batch after the other, each written before the next is read: their rows take the same little memory again and again. */
async function take({ records }: Extract<ToRows, { what: 'calls' }>): Promise<void> {
  let calls = 0;
  for (const record of unpackRecords(records)) {
    writer.add(record);
    calls += 1;
  }
  const { numbers, bytes } = records;
  say({ what: 'taken', calls, memory: { numbers, bytes } }, transferOf(records));
  await writer.settled();
}

let taking = Promise.resolve();

port.on('message', (message: ToRows) => {
  taking = taking.then(() => (message.what === 'settle' ? settle(message.end) : take(message)));
});
state();
