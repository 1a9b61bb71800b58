/** Frames as rows of a database. */
import type { Kysely, Migration } from 'kysely';
import type { Database, StorageService } from '../storage/api.ts';
import type { Captured, Sink } from './sink.ts';

interface FrameTable {
  capture_id: string;
  event_id: string;
  timestamp_ns: number;
  session_id: string | null;
  direction: string;
  leg: string;
  transport: string;
  mcp_kind: string;
  mcp_method: string;
  http_url: string;
  http_status: number | null;
  body_size_bytes: number;
  redacted_paths: string;
  envelope_json: string;
}

interface Tables {
  traffic_frames: FrameTable;
}

/** A migration that was released never changes. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-traffic-frames': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('traffic_frames')
        .addColumn('id', 'integer', column => column.primaryKey().autoIncrement())
        .addColumn('capture_id', 'text', column => column.notNull())
        .addColumn('event_id', 'text', column => column.notNull())
        .addColumn('timestamp_ns', 'integer', column => column.notNull())
        .addColumn('session_id', 'text')
        .addColumn('direction', 'text', column => column.notNull())
        .addColumn('leg', 'text', column => column.notNull())
        .addColumn('transport', 'text', column => column.notNull())
        .addColumn('mcp_kind', 'text', column => column.notNull())
        .addColumn('mcp_method', 'text', column => column.notNull())
        .addColumn('http_url', 'text', column => column.notNull())
        .addColumn('http_status', 'integer')
        .addColumn('body_size_bytes', 'integer', column => column.notNull())
        .addColumn('redacted_paths', 'text', column => column.notNull())
        .addColumn('envelope_json', 'text', column => column.notNull())
        .execute();
      await db.schema.createIndex('traffic_frames_capture').on('traffic_frames').column('capture_id').execute();
    },
  },
};

const columns = [
  ...(['capture_id', 'event_id', 'timestamp_ns', 'session_id', 'direction', 'leg', 'transport'] as const),
  ...(['mcp_kind', 'mcp_method', 'http_url', 'http_status', 'body_size_bytes', 'redacted_paths'] as const),
  'envelope_json',
] as const satisfies readonly (keyof FrameTable)[];

/** Rejects with SVC_STORAGE_* when the database cannot be used. */
export async function openSqliteSink(path: string, storage: Pick<StorageService, 'open'>): Promise<Sink> {
  const { kysely, prepare, transaction } = await storage.open<Tables>(path, migrations);
  // Values only give the statement its shape: parameters come in the order of `columns`.
  const shape = Object.fromEntries(columns.map(each => [each, ''])) as unknown as FrameTable;
  const insertion: ReturnType<Database<Tables>['prepare']> = prepare(
    kysely.insertInto('traffic_frames').values(shape).compile(),
  );
  const insert = (frame: Captured): void => {
    const row = rowOf(frame);
    insertion.run(...columns.map(each => row[each]));
  };
  return {
    kind: 'sqlite',
    place: path,
    batch: 128,
    async write(batch) {
      transaction(() => batch.forEach(insert));
    },
    // The storage closes what it opened.
    close: async () => undefined,
  };
}

function rowOf({ event, json }: Captured): FrameTable {
  const { capture_id, session_id = null, direction, leg, transport, http, mcp, body } = event.attributes;
  return {
    ...{ capture_id, event_id: event.id, timestamp_ns: event.timestamp_ns, session_id, direction, leg, transport },
    ...{ mcp_kind: mcp.kind, mcp_method: mcp.method, http_url: http.url, http_status: http.status ?? null },
    ...{ body_size_bytes: body.size_bytes, redacted_paths: JSON.stringify(body.redacted_paths), envelope_json: json },
  };
}
