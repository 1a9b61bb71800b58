/** Says what changed between two scene files. */
import type { SkillContext } from 'svc';
import { answer, succeed } from '../lib/envelope.ts';
import { loadScene } from '../lib/load-scene.ts';
import { createPause } from '../lib/pause.ts';
import { type Summary, summarize } from '../lib/summary.ts';

const maxNames = 100;

export default async function compareScenes(args: { before?: unknown; after?: unknown }, ctx: SkillContext) {
  return answer(async () => {
    const pause = createPause(ctx.signal);
    const sceneBefore = await loadScene(args.before, ctx, 'before');
    const before = await summarize(sceneBefore, pause);
    ctx.progress(1, 2, 'read the first scene');
    const sceneAfter = await loadScene(args.after, ctx, 'after');
    const after = await summarize(sceneAfter, pause);
    ctx.progress(2, 2, 'read the second scene');

    const changed = changedNumbers(before, after);
    const names = {
      meshes: changedNames(sceneBefore.meshNames, sceneAfter.meshNames),
      materials: changedNames(namesOf(sceneBefore.materials), namesOf(sceneAfter.materials)),
      textures: changedNames(namesOf(sceneBefore.textures), namesOf(sceneAfter.textures)),
      animations: changedNames(namesOf(sceneBefore.animations), namesOf(sceneAfter.animations)),
    };
    const sameBox = JSON.stringify(before.bounding_box) === JSON.stringify(after.bounding_box);
    const named = Object.values(names).some(list => list.added.length + list.removed.length > 0);
    const identical = changed.length === 0 && sameBox && !named;
    const largest = changed.slice(0, 4).map(row => `${row.what} ${row.before} -> ${row.after}`);
    const message = identical
      ? 'No difference in counts, names, sizes or bounds.'
      : `Changed: ${[...largest, ...(sameBox ? [] : ['bounding box'])].join(', ') || 'names'}.`;
    return succeed(message, {
      identical,
      changed,
      names,
      bounding_box: { same: sameBox, before: before.bounding_box, after: after.bounding_box },
    });
  });
}

/** Every number that differs, the largest relative change first. */
function changedNumbers(before: Summary, after: Summary) {
  const numbers = (summary: Summary): Record<string, number> => ({
    ...summary.counts,
    file_bytes: summary.file_bytes,
    ...summary.memory,
  });
  const [a, b] = [numbers(before), numbers(after)];
  return Object.keys(a)
    .map(what => ({ what, before: a[what] ?? 0, after: b[what] ?? 0, difference: (b[what] ?? 0) - (a[what] ?? 0) }))
    .filter(row => row.difference !== 0)
    .sort((x, y) => Math.abs(y.difference) / (y.before || 1) - Math.abs(x.difference) / (x.before || 1));
}

function changedNames(before: readonly string[], after: readonly string[]) {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    added: [...now].filter(name => !old.has(name)).slice(0, maxNames),
    removed: [...old].filter(name => !now.has(name)).slice(0, maxNames),
  };
}

function namesOf(rows: readonly { name: string }[]): string[] {
  return rows.map(row => row.name);
}
