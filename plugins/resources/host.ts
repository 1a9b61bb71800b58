/** Resources as the host registers them: producers and buffers stay here, keys and data cross. */
import { resolve } from 'node:path';
import type { Call } from './backend.ts';
import type { HostSide } from './host-side.ts';
import { sceneText } from './resources/schemes/scene/snapshot.ts';
import type { AsyncDisposer, HostAuditRecord, ServerResources } from './server-api.ts';
import { serverErrors } from './server-errors.ts';

/** Records that cross at once at most: the ring of the server keeps no more. */
const mostRecords = 500;

export function createServerResources(call: Call, side: HostSide, ended: () => boolean): ServerResources {
  /** Undoes `id` on the server, then `here`; once. */
  const disposer = (id: number | undefined, here: () => void): AsyncDisposer => {
    let undone: Promise<void> | undefined;
    const undo = async (): Promise<void> => {
      if (id !== undefined && !ended()) await call('unregister', id);
      here();
    };
    return () => {
      undone ??= undo();
      return undone;
    };
  };

  const register = async (key: number, asked: Promise<number>): Promise<AsyncDisposer> => {
    const forget = (): void => side.sources.remove(key);
    const id = await asked.catch((error: unknown) => {
      forget();
      throw error;
    });
    return disposer(id, forget);
  };

  return {
    async setScene(snapshot) {
      let text: string | null;
      try {
        text = sceneText(snapshot);
      } catch (error) {
        throw serverErrors.INVALID_ARGUMENT({ argument: 'snapshot', expected: 'plain JSON, or null' }, error);
      }
      await call('setScene', text);
    },

    async wireAuditLog(log) {
      need('auditLog', log, ['onRecord']);
      let waiting: HostAuditRecord[] = [];
      let sending: NodeJS.Immediate | undefined;
      const send = (): void => {
        sending = undefined;
        const records = waiting;
        waiting = [];
        // Best effort: a server that is ending takes no more.
        if (!ended()) call('auditRecords', records).catch(() => undefined);
      };
      // Asked first, so that a server without an audit ring says so.
      await call('auditRecords', []);
      const stop = log.onRecord(record => {
        waiting.push(sendable(record));
        if (waiting.length > mostRecords) waiting.shift();
        sending ??= setImmediate(send);
      });
      return disposer(undefined, () => {
        if (typeof stop === 'function') stop();
        if (sending) clearImmediate(sending);
      });
    },

    async registerSessionEventBuffer(buffer) {
      need('buffer', buffer, ['page']);
      const key = side.sources.add({ buffer });
      return register(key, call('registerSessionEventBuffer', { key, session_id: buffer.session_id }));
    },

    async addProducer(producer) {
      need('producer', producer, ['list', 'read']);
      const given = producer.templates?.() ?? [];
      // No await without need: what is called before `start` must be sent before it.
      const templates = JSON.parse(JSON.stringify(given instanceof Promise ? await given : given));
      const shape = {
        scheme: String(producer.scheme),
        templates,
        completes: typeof producer.complete === 'function',
        enabled: producer.enabled?.() !== false,
      };
      const key = side.sources.add({ producer });
      return register(key, call('addProducer', { key, ...shape }));
    },

    async registerOpenusd(project) {
      const given = plain('project', project);
      // Relative to where the host stands now.
      if (typeof given?.project_root === 'string') given.project_root = resolve(given.project_root);
      return disposer(await call('registerOpenusd', given), () => undefined);
    },

    artefacts: {
      putBytes: async (bytes, info) => call('putArtefactBytes', { bytes, info: info && plain('info', info) }),
      putFile: async (path, info) =>
        call('putArtefactFile', { path: resolve(path), info: info && plain('info', info) }),
      get: uri => call('getArtefact', uri),
      list: () => call('listArtefacts', null),
    },

    updated: async uri => void (await call('resourceUpdated', uri)),
    listChanged: async () => void (await call('resourceListChanged', null)),
  };
}

/** A copy that can cross; what is not JSON is refused here. */
function plain<T>(argument: string, value: T): T {
  try {
    return JSON.parse(JSON.stringify(value)) as T;
  } catch (error) {
    throw serverErrors.INVALID_ARGUMENT({ argument, expected: 'plain JSON' }, error);
  }
}

function need(argument: string, value: unknown, functions: readonly string[]): void {
  const missing = functions.find(name => typeof (value as Record<string, unknown> | null)?.[name] !== 'function');
  if (missing) throw serverErrors.INVALID_ARGUMENT({ argument, expected: `an object with a function "${missing}"` });
}

/** The members that cross; a record of the host may hold anything beside them. */
function sendable({
  action,
  timestamp_ms,
  actor,
  params_json,
  duration_ms,
  outcome,
}: HostAuditRecord): HostAuditRecord {
  const told = typeof outcome === 'object' && outcome !== null ? outcomeOf(outcome) : 'success';
  return {
    action: String(action),
    timestamp_ms: typeof timestamp_ms === 'number' ? timestamp_ms : Date.now(),
    ...(actor !== undefined && { actor: String(actor) }),
    ...(params_json !== undefined && { params_json: String(params_json) }),
    duration_ms: typeof duration_ms === 'number' ? duration_ms : 0,
    outcome: told,
  };
}

function outcomeOf(outcome: object): Exclude<HostAuditRecord['outcome'], undefined> {
  const { denied, error } = outcome as { denied?: { reason?: unknown }; error?: { message?: unknown } };
  if (denied) return { denied: { reason: String(denied.reason) } };
  return { error: { message: String(error?.message) } };
}
