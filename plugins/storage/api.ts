/** What other plugins may use of durable storage. */
import type { DatabaseState, StorageService } from './database.ts';

export type { Database, DatabaseState, Statement, StorageErrorKind, StorageService } from './database.ts';

/** Looks at a database without a server, and leaves it as it is; rejects with what `open` would reject with. */
export async function inspectDatabase(path: string, migrations: readonly string[]): Promise<DatabaseState> {
  const { readDatabase } = await import('./reading.ts');
  return readDatabase(path, migrations);
}

declare module 'fastify' {
  interface FastifyInstance {
    storage: StorageService;
  }
}
