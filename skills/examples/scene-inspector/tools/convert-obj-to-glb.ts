/** Converts a Wavefront OBJ with its materials to one binary glTF file. */
import type { SkillContext } from 'svc';
import { answer, SceneError, succeed } from '../lib/envelope.ts';
import { exportGlb } from '../lib/gltf-export.ts';
import { loadScene } from '../lib/load-scene.ts';
import { absolutePath, writeNew } from '../lib/paths.ts';
import { createPause } from '../lib/pause.ts';

export default async function convertObjToGlb(args: { path?: unknown; output_path?: unknown }, ctx: SkillContext) {
  return answer(async () => {
    const input = absolutePath(args.path, 'path');
    const output = absolutePath(args.output_path ?? input.replace(/\.obj$/i, '.glb'), 'output_path');
    const scene = await loadScene(input, ctx);
    if (scene.format !== 'obj')
      throw new SceneError('unsupported_format', `${input} is no .obj file; it is glTF already.`);
    const glb = await exportGlb(scene, createPause(ctx.signal));
    await writeNew(output, glb, '.glb');
    return succeed(`Wrote ${output} with ${scene.triangles} triangles and ${scene.materials.length} materials.`, {
      output_path: output,
      triangles: scene.triangles,
      materials: scene.materials.length,
      bytes_before: scene.fileBytes,
      bytes_after: glb.byteLength,
      textures_left_out: scene.textures.length,
    });
  });
}
