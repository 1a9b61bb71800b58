/** The scene snapshot that the host publishes, and what changed with its last revision. */
import type { ResourceContents, ResourceProducer } from '../resources/api.ts';
import type { SceneService } from './api.ts';
import { type Delta, deltaOf } from './delta.ts';
import { sceneText } from './snapshot.ts';

const current = 'scene://current';
const delta = 'scene://delta';
const mimeType = 'application/json';

export interface Scene extends SceneService {
  producer: ResourceProducer;
}

interface State {
  text: string;
  value: unknown;
}

/** `onChange` is called with each URI whose content changed. */
export function createScene(onChange: (uri: string) => void): Scene {
  let revision = 0;
  let state: State | undefined;
  let last: (Delta & { baseline: boolean }) | undefined;

  const json = (uri: string, value: unknown): readonly ResourceContents[] => [
    { uri, mimeType, text: typeof value === 'string' ? value : JSON.stringify(value) },
  ];

  const readCurrent = () =>
    json(current, state?.text ?? { status: 'no_snapshot', hint: 'the host has not published a scene' });

  const readDelta = () =>
    json(
      delta,
      last
        ? { source: 'dcc_scene', schema_version: 1, base_revision: revision - 1, revision, ...last }
        : { status: 'no_scene_delta', hint: 'no scene has been published yet' },
    );

  const setSceneText = (text: string | null): void => {
    if ((text ?? undefined) === state?.text) return;
    const next = text === null ? undefined : { text, value: JSON.parse(text) as unknown };
    const found = state && next ? deltaOf(state.value, next.value) : { changes: [], truncated: false };
    const baseline = !state || !next;
    // The order of an object's keys is no change: only a delta with something in it makes a revision.
    if (!baseline && found.changes.length === 0 && !found.truncated) return;
    revision += 1;
    last = { baseline, ...found };
    state = next;
    onChange(current);
    onChange(delta);
  };

  return {
    get revision() {
      return revision;
    },
    setSceneText,
    setScene: snapshot => setSceneText(sceneText(snapshot)),
    producer: {
      scheme: 'scene',
      list: () => [
        { uri: current, name: 'Current scene', description: 'Snapshot of the open scene', mimeType },
        { uri: delta, name: 'Scene delta', description: 'Changes since the previous snapshot', mimeType },
      ],
      read: uri => (uri === current ? readCurrent() : uri === delta ? readDelta() : undefined),
    },
  };
}
