/** Job rows in SQLite: queries built by kysely once, run as prepared statements. */
import { sql } from 'kysely';
import type { Database } from '../storage/api.ts';
import { type JobRow, terminalStates } from './api.ts';
import type { JobTable, JobTables } from './migrations.ts';
import type { JobStore } from './store.ts';

const columns = [
  'job_id',
  'parent_job_id',
  'tool',
  'status',
  'progress_json',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
  'error',
  'result_json',
  'output_json',
  'owner',
] as const satisfies readonly (keyof JobTable)[];

/** Methods throw what SQLite throws; a row that cannot be read throws a SyntaxError. */
export function createSqliteStore(database: Database<JobTables>): JobStore {
  const { kysely, prepare, transaction } = database;
  // Values only give the statement its shape: parameters come in the order of `columns`.
  const shape = Object.fromEntries(columns.map(each => [each, ''])) as unknown as JobTable;
  const upsert = prepare(
    kysely
      .insertInto('jobs')
      .values(shape)
      .onConflict(conflict =>
        conflict
          .column('job_id')
          .doUpdateSet(row =>
            Object.fromEntries(columns.slice(1).map(each => [each, row.ref(`excluded.${each}` as 'excluded.tool')])),
          ),
      )
      .compile(),
  );
  const byId = prepare(kysely.selectFrom('jobs').select(columns).where('job_id', '=', '').compile());
  const open = prepare(
    kysely
      .selectFrom('jobs')
      .select(columns)
      .where('status', 'not in', [...terminalStates])
      .orderBy('created_at')
      .compile(),
  );
  const last = prepare(
    kysely
      .selectFrom('jobs')
      .select(columns.filter(each => each !== 'result_json'))
      .where(sql<boolean>`(${''} is null or owner is null or owner = ${''} or substr(owner, 1, length(${''})) = ${''})`)
      .orderBy('created_at', 'desc')
      .limit(1)
      .compile(),
  );
  const removal = prepare(
    kysely
      .deleteFrom('jobs')
      .where('status', 'in', [...terminalStates])
      .where('updated_at', '<', '')
      .compile(),
  );

  const save = (row: JobRow): void => {
    const stored = toTable(row);
    upsert.run(...columns.map(each => stored[each]));
  };

  return {
    save(rows) {
      const [only] = rows;
      // A statement is a transaction of its own.
      if (rows.length === 1 && only) save(only);
      else transaction(() => rows.forEach(save));
    },
    get(id) {
      const found = byId.get(id);
      return found && fromTable(found);
    },
    unfinished: () => open.all(...terminalStates).map(fromTable),
    newest(limit, whose) {
      const owner = whose?.owner ?? null;
      const begins = whose?.behind ? owner : null;
      return last.all(owner, owner, begins, begins, limit).map(found => fromTable({ ...found, result_json: null }));
    },
    prune: before => removal.run(...terminalStates, before),
  };
}

const textOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
const parsedOf = (text: string | null) => (text === null ? null : JSON.parse(text));

function toTable({ progress, result, output, ...row }: JobRow): JobTable {
  return { ...row, progress_json: textOf(progress), result_json: result, output_json: textOf(output) };
}

function fromTable({ progress_json, result_json, output_json, status, ...row }: JobTable): JobRow {
  // A damaged result is found here and not while a record is made of it.
  if (result_json !== null) parsedOf(result_json);
  return {
    ...row,
    status: status as JobRow['status'],
    progress: parsedOf(progress_json),
    result: result_json,
    output: parsedOf(output_json),
  };
}
