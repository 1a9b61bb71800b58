/** The one way from a path to a scene, whatever the format. */
import { extname } from 'node:path';
import type { SkillContext } from 'svc';
import { SceneError } from './envelope.ts';
import { openContainer } from './gltf-container.ts';
import { readGltfScene } from './gltf-scene.ts';
import { readObjScene } from './obj-scene.ts';
import { absolutePath, checkedSize, readWhole } from './paths.ts';
import { createPause } from './pause.ts';
import type { Scene } from './scene-model.ts';

/** Reads the scene that argument `argument` names; throws a SceneError that says what to do about it. */
export async function loadScene(input: unknown, ctx: SkillContext, argument = 'path'): Promise<Scene> {
  const path = absolutePath(input, argument);
  const extension = extname(path).toLowerCase();
  if (!['.gltf', '.glb', '.obj'].includes(extension)) {
    throw new SceneError(
      'unsupported_format',
      `"${extension || path}" is not supported; ${argument} must be a .gltf, .glb or .obj file. Export the scene as one of them.`,
    );
  }
  const size = await checkedSize(path, ctx.config);
  if (size === 0) throw new SceneError('empty_file', `${path} is empty; export it again.`);
  const bytes = await readWhole(path, ctx.signal);
  const pause = createPause(ctx.signal);
  if (extension === '.obj') return readObjScene(path, bytes, pause);
  return readGltfScene(path, size, openContainer(bytes), pause);
}

/** As `loadScene`, for tools that need triangles. */
export async function loadDrawableScene(input: unknown, ctx: SkillContext): Promise<Scene> {
  const scene = await loadScene(input, ctx);
  if (!scene.decoded) {
    const first = scene.findings.find(item => item.severity === 'error') ?? scene.findings[0];
    const reason = first === undefined ? 'unknown' : `${first.where}: ${first.message}`;
    throw new SceneError(
      'geometry_unreadable',
      `The geometry of ${scene.path} cannot be read (${reason}). Run validate_scene for every problem.`,
    );
  }
  return scene;
}
