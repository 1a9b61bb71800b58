/** Draws a scene from all around into numbered PNG frames: long-running, with progress, stopped by a cancel. */
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SkillContext } from 'svc';
import { answer, SceneError, succeed } from '../lib/envelope.ts';
import { loadDrawableScene } from '../lib/load-scene.ts';
import { absolutePath, makeFolder } from '../lib/paths.ts';
import { createPause } from '../lib/pause.ts';
import { checkedSide, createPhotographer } from '../lib/picture.ts';

const maxFrames = 720;

interface Args {
  path?: unknown;
  output_dir?: unknown;
  frames?: number;
  width?: number;
  height?: number;
  elevation?: number;
  background?: string;
}

export default async function renderTurntable(args: Args, ctx: SkillContext) {
  return answer(async () => {
    const width = checkedSide(args.width ?? 512, 'width');
    const height = checkedSide(args.height ?? width, 'height');
    const frames = args.frames ?? 36;
    if (!Number.isInteger(frames) || frames < 1 || frames > maxFrames) {
      throw new SceneError('invalid_frames', `frames must be a whole number from 1 to ${maxFrames}.`);
    }
    const folder = absolutePath(args.output_dir, 'output_dir');
    const scene = await loadDrawableScene(args.path, ctx);
    const pause = createPause(ctx.signal);
    const views = Array.from({ length: frames }, (_, i) => ({
      azimuth: (360 * i) / frames,
      elevation: args.elevation ?? 18,
    }));
    const options = { width, height, background: args.background ?? 'studio' };
    const photographer = await createPhotographer(scene, views, options, pause);
    await emptyFolder(folder);

    let bytes = 0;
    for (let i = 0; i < frames; i++) {
      const { png } = await photographer.frame(i);
      // Pausing first means that a cancelled call writes nothing more.
      await pause();
      bytes += png.byteLength;
      await writeFrame(folder, i, png);
      ctx.progress(i + 1, frames, `frame ${i + 1} of ${frames}`);
    }
    return succeed(`Wrote ${frames} frames of ${width} x ${height} to ${folder}.`, {
      output_dir: folder,
      output_extensions: ['.png'],
      frames,
      first_frame: join(folder, frameName(0)),
      pattern: join(folder, 'frame_%04d.png'),
      bytes,
    });
  });
}

/** Frames are counted on disk while the job runs, so old ones must not lie among them. */
async function emptyFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new SceneError('output_unwritable', `${folder} cannot be used as a folder (${error.code ?? error.message}).`);
  });
  if (names.some(name => name.toLowerCase().endsWith('.png'))) {
    throw new SceneError('output_exists', `${folder} already holds PNG files; choose another output_dir or empty it.`);
  }
}

/** Written under another name first: what is called .png is always whole. */
async function writeFrame(folder: string, index: number, png: Uint8Array): Promise<void> {
  const path = join(folder, frameName(index));
  try {
    await writeFile(`${path}.part`, png);
    await rename(`${path}.part`, path);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new SceneError('output_unwritable', `Frame ${index} cannot be written to ${folder} (${reason}).`);
  }
}

function frameName(index: number): string {
  return `frame_${String(index).padStart(4, '0')}.png`;
}
