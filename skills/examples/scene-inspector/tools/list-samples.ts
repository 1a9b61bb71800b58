/** Lists the sample scenes that come with the skill, so that every other tool can be tried at once. */
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SkillContext } from 'svc';
import { succeed } from '../lib/envelope.ts';

const samples = [
  ['pawn.obj', 'Wavefront OBJ with two materials: a chess pawn'],
  ['chess-corner.glb', 'binary glTF with a node hierarchy and shared meshes: the corner of a chess board'],
  ['crate.gltf', 'glTF with an external buffer, a PNG texture and a spin animation'],
  ['broken-crate.gltf', 'glTF with deliberate mistakes for validate_scene'],
] as const;

export default async function listSamples(_args: Record<string, unknown>, _ctx: SkillContext) {
  const rows = await Promise.all(
    samples.map(async ([file, description]) => {
      const path = fileURLToPath(new URL(`../assets/${file}`, import.meta.url));
      return { path, description, bytes: (await stat(path)).size };
    }),
  );
  return succeed(`${rows.length} sample scenes; pass a path to inspect_scene or render_thumbnail.`, { samples: rows });
}
