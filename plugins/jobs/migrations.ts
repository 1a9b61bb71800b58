/** The tables of the durable job store, by migration. A migration that was released never changes. */
import type { Kysely, Migration } from 'kysely';

/** Columns of `jobs` (shape:job), with the two times and the output target that a record needs besides. */
export interface JobTable {
  job_id: string;
  parent_job_id: string | null;
  tool: string;
  status: string;
  progress_json: string | null;
  created_at: string;
  updated_at: string;
  started_at: string | null;
  completed_at: string | null;
  error: string | null;
  result_json: string | null;
  output_json: string | null;
  owner: string | null;
}

export interface JobTables {
  jobs: JobTable;
}

export const jobMigrations: Readonly<Record<string, Migration>> = {
  '0001-jobs': {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      await schema
        .createTable('jobs')
        .addColumn('job_id', 'text', column => column.primaryKey().notNull())
        .addColumn('parent_job_id', 'text')
        .addColumn('tool', 'text', column => column.notNull())
        .addColumn('status', 'text', column => column.notNull())
        .addColumn('progress_json', 'text')
        .addColumn('created_at', 'text', column => column.notNull())
        .addColumn('updated_at', 'text', column => column.notNull())
        .addColumn('started_at', 'text')
        .addColumn('completed_at', 'text')
        .addColumn('error', 'text')
        .addColumn('result_json', 'text')
        .addColumn('output_json', 'text')
        .execute();
      for (const column of ['status', 'parent_job_id', 'updated_at']) {
        await schema.createIndex(`jobs_${column}`).on('jobs').column(column).execute();
      }
    },
  },
  '0002-owner': {
    async up(db: Kysely<unknown>) {
      await db.schema.alterTable('jobs').addColumn('owner', 'text').execute();
    },
  },
};
