/** Reports what is in a scene file. */
import type { SkillContext } from 'svc';
import { answer, succeed } from '../lib/envelope.ts';
import { loadScene } from '../lib/load-scene.ts';
import { createPause } from '../lib/pause.ts';
import { summarize } from '../lib/summary.ts';

export default async function inspectScene(args: { path?: unknown }, ctx: SkillContext) {
  return answer(async () => {
    const scene = await loadScene(args.path, ctx);
    const summary = await summarize(scene, createPause(ctx.signal));
    const { counts, bounding_box: box } = summary;
    const missing = summary.external_files.filter(file => !file.exists).length;
    const parts = [
      `${scene.format}: ${counts.meshes} meshes, ${counts.triangles} triangles, ${counts.vertices} vertices`,
      `${counts.materials} materials, ${counts.textures} textures, ${counts.animations} animations`,
      box === null ? 'no readable geometry' : `size ${box.size.join(' x ')}`,
    ];
    if (missing > 0) parts.push(`${missing} missing files`);
    if (scene.findings.length > 0) parts.push(`${scene.findings.length} findings while reading: run validate_scene`);
    return succeed(`${parts.join('; ')}.`, { ...summary });
  });
}
