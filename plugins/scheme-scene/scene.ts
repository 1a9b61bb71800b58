/** The scene snapshot that the host publishes, and what changed with its last revision. */
import type { ResourceContents, ResourceProducer } from '../resources/api.ts';
import { type Delta, deltaOf } from './delta.ts';

const current = 'scene://current';
const delta = 'scene://delta';
const mimeType = 'application/json';

export interface Scene {
  producer: ResourceProducer;
  /** Replaces or, with null, clears the snapshot. An equal one changes nothing and tells nobody. */
  setScene(snapshot: unknown): void;
  readonly revision: number;
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

  return {
    get revision() {
      return revision;
    },
    setScene(snapshot) {
      const cleared = snapshot === null || snapshot === undefined;
      const text = cleared ? undefined : JSON.stringify(snapshot);
      if (text === state?.text) return;
      const next = text === undefined ? undefined : { text, value: JSON.parse(text) as unknown };
      // The order of keys is no change: only a delta with something in it makes a revision.
      const found = state && next ? deltaOf(state.value, next.value) : { changes: [], truncated: false };
      const baseline = !state || !next;
      if (!baseline && found.changes.length === 0) return;
      revision += 1;
      last = { baseline, ...found };
      state = next;
      onChange(current);
      onChange(delta);
    },
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
