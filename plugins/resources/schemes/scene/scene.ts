/**
 * The scene snapshot that the host publishes, and what changed with its last revision. Comparing a large scene takes
 * tens of milliseconds, so it is done behind the request that published it, in slices that let others through.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { ResourceContents, ResourceProducer } from '../../api.ts';
import type { SceneService } from './api.ts';
import { createComparison, type Delta } from './delta.ts';
import { sceneText } from './snapshot.ts';

const current = 'scene://current';
const delta = 'scene://delta';
const mimeType = 'application/json';

/** Longest stretch of comparing without a turn of the event loop. */
const sliceMs = 3;
/** The clock is read once per so many steps. */
const clockEvery = 32;

export interface Scene extends SceneService {
  producer: ResourceProducer;
  /** Stops comparing; resolves when nothing runs any more. */
  dispose(): Promise<void>;
}

export interface SceneDeps {
  /** Called with each URI whose content changed. */
  onChange(uri: string): void;
  /** A snapshot could not be compared: it makes no revision. */
  onFailure(error: unknown): void;
}

export function createScene({ onChange, onFailure }: SceneDeps): Scene {
  /** What was published last, as text. */
  let newest: string | undefined;
  /** What the newest revision holds, once there is one that was not cleared. */
  let state: { value: unknown } | undefined;
  let revision = 0;
  let last: string | undefined;
  let closed = false;
  /** Done when all that was published so far is compared. */
  let settled: Promise<void> = Promise.resolve();
  /** Whether a comparison will still begin; it then takes the newest snapshot. */
  let waiting = false;

  const compare = async (): Promise<void> => {
    await turn();
    waiting = false;
    if (closed) return;
    const next = newest === undefined ? undefined : { value: JSON.parse(newest) as unknown };
    // The first snapshot has nothing to be compared with; a scene that was cleared is one change of the whole.
    const baseline = !state;
    const found = await changesTo(next);
    // The order of an object's keys is no change: only a delta with something in it makes a revision.
    if (!found || (!baseline && found.changes.length === 0 && !found.truncated)) return;
    state = next;
    revision += 1;
    last = JSON.stringify({
      source: 'dcc_scene',
      schema_version: 1,
      base_revision: revision - 1,
      revision,
      baseline,
      ...found,
    });
    onChange(current);
    onChange(delta);
  };

  const changesTo = async (next: { value: unknown } | undefined): Promise<Delta | undefined> => {
    if (state && next) return difference(state.value, next.value);
    return { changes: state ? [{ path: '', kind: 'removed' }] : [], truncated: false };
  };

  /** Undefined when the server closes meanwhile. */
  const difference = async (before: unknown, after: unknown): Promise<Delta | undefined> => {
    const comparison = createComparison(before, after);
    for (;;) {
      await turn();
      if (closed) return undefined;
      const end = performance.now() + sliceMs;
      let steps = 0;
      const found = comparison.run(() => {
        steps += 1;
        return steps % clockEvery === 0 && performance.now() > end;
      });
      if (found) return found;
    }
  };

  const setSceneText = (text: string | null): void => {
    if ((text ?? undefined) === newest) return;
    newest = text ?? undefined;
    // A host faster than we are is compared as often as we can: what it replaced meanwhile never becomes a revision.
    if (waiting || closed) return;
    waiting = true;
    settled = settled.then(compare).catch(onFailure);
  };

  const json = (uri: string, text: string): readonly ResourceContents[] => [{ uri, mimeType, text }];

  /** Waits for what was published before the read, at most two comparisons, however fast the host publishes. */
  const readDelta = async () => {
    await settled;
    return json(delta, last ?? '{"status":"no_scene_delta","hint":"no scene has been published yet"}');
  };

  return {
    get revision() {
      return revision;
    },
    setSceneText,
    setScene: snapshot => setSceneText(sceneText(snapshot)),
    async dispose() {
      closed = true;
      await settled;
    },
    producer: {
      scheme: 'scene',
      list: () => [
        { uri: current, name: 'Current scene', description: 'Snapshot of the open scene', mimeType },
        { uri: delta, name: 'Scene delta', description: 'Changes since the previous snapshot', mimeType },
      ],
      read(uri) {
        if (uri === delta) return readDelta();
        if (uri !== current) return undefined;
        return json(current, newest ?? '{"status":"no_snapshot","hint":"the host has not published a scene"}');
      },
    },
  };
}
