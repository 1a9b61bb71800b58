/** Audit rows into the file of the gateway, and the same rows by prepared statements into a database, batch by batch. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setImmediate as breath } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import type { AuditRow } from '../../../plugins/audit/records/api.ts';
import { createCappedFile } from '../../../plugins/audit/records/capped-file.ts';
import { createWriter } from '../../../plugins/audit/records/writer.ts';
import { serveCommands } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
/** Rows that come in one turn of the loop, and in one transaction of the other side. */
const turn = 500;
/** Fewer than the writer lets wait. */
const mostWaiting = 10_000;

const rowOf = (n: number): AuditRow => ({
  timestamp: '2026-01-31T12:00:00.000Z',
  request_id: `0f8fad5b-d9cb-469f-a165-${String(n).padStart(12, '0')}`,
  trace_id: '0af7651916cd43dd8448eb211c80319c',
  ...{ span_id: 'b7ad6b7169203331', method: 'POST /v1/call', instance_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
  ...{ transport: 'rest', agent_id: 'bot-7', client_platform: 'studio/2.1', source_ip: '127.0.0.1' },
  ...{ action: 'maya.7c9e6679.echo', dcc_type: 'maya', success: true, duration_ms: 1.234 },
  // No copy by spread with more members: Node 20 needs longer for one than for the rest of the row, and for its garbage.
  token_accounting: {
    estimator: 'svc-byte4-v1',
    original_bytes: 243,
    returned_bytes: 120,
    original_tokens: 61,
    returned_tokens: 30,
    saved_tokens: 31,
    savings_pct: '50.82',
  },
});

const sqlite = new Sqlite(join(folder, 'bare.db'));
sqlite.pragma('journal_mode = WAL');
sqlite.pragma('synchronous = NORMAL');
sqlite.exec(
  `CREATE TABLE audit (id INTEGER PRIMARY KEY, timestamp TEXT NOT NULL, request_id TEXT NOT NULL, action TEXT NOT NULL,
    success INTEGER NOT NULL, duration_ms REAL, row_json TEXT NOT NULL)`,
);
const insert = sqlite.prepare(
  'INSERT INTO audit (timestamp, request_id, action, success, duration_ms, row_json) VALUES (?, ?, ?, ?, ?, ?)',
);
const insertAll = sqlite.transaction((rows: readonly AuditRow[]) => {
  for (const row of rows) {
    const { timestamp, request_id, action, success, duration_ms } = row;
    insert.run(timestamp, request_id, action, success ? 1 : 0, duration_ms, JSON.stringify(row));
  }
});

let files = 0;

serveCommands('audit:', {
  /** Rows per second, and the longest block of the loop in ms. */
  async ours(rows: number) {
    files += 1;
    const file = createCappedFile(join(folder, `audit-${files}.jsonl`), { maxRows: 10 * rows, maxBytes: 1 << 30 });
    const writer = createWriter<AuditRow>({
      targets: [{ file, line: row => JSON.stringify(row) }],
      onProblem: (path, reason) => console.error(`${path}: ${reason}`),
      onRecovered: () => undefined,
    });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const began = performance.now();
    for (let n = 0; n < rows; n += 1) {
      writer.add(rowOf(n));
      if (n % mostWaiting === mostWaiting - 1) await writer.settled();
      else if (n % turn === turn - 1) await breath();
    }
    await writer.settled();
    const took = performance.now() - began;
    delay.disable();
    await writer.close();
    if (writer.dropped > 0) throw new Error(`${writer.dropped} rows were dropped`);
    return { rate: (rows / took) * 1000, longest: delay.max / 1e6 };
  },
  bare(rows: number) {
    sqlite.exec('DELETE FROM audit');
    const began = performance.now();
    for (let n = 0; n < rows; n += turn) {
      insertAll(Array.from({ length: Math.min(turn, rows - n) }, (_, index) => rowOf(n + index)));
    }
    return (rows / (performance.now() - began)) * 1000;
  },
});
process.on('SIGTERM', () => {
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});
