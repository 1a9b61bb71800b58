/** Draws a scene into one PNG: returned as an image, written to a file, or both. */
import type { SkillContext } from 'svc';
import { answer, succeed } from '../lib/envelope.ts';
import { loadDrawableScene } from '../lib/load-scene.ts';
import { absolutePath, writeNew } from '../lib/paths.ts';
import { createPause } from '../lib/pause.ts';
import { checkedSide, createPhotographer } from '../lib/picture.ts';

interface Args {
  path?: unknown;
  width?: number;
  height?: number;
  azimuth?: number;
  elevation?: number;
  background?: string;
  output_path?: string;
  include_image?: boolean;
}

export default async function renderThumbnail(args: Args, ctx: SkillContext) {
  return answer(async () => {
    const started = Date.now();
    const width = checkedSide(args.width ?? 512, 'width');
    const height = checkedSide(args.height ?? width, 'height');
    const view = { azimuth: args.azimuth ?? 35, elevation: args.elevation ?? 22 };
    const output = args.output_path === undefined ? undefined : absolutePath(args.output_path, 'output_path');
    const scene = await loadDrawableScene(args.path, ctx);
    const options = { width, height, background: args.background ?? 'studio' };
    const photographer = await createPhotographer(scene, [view], options, createPause(ctx.signal));
    const { png, triangles } = await photographer.frame(0);
    if (output !== undefined) await writeNew(output, png, '.png');

    const report = succeed(
      `Drew ${triangles} triangles at ${width} x ${height}${output === undefined ? '' : ` into ${output}`}.`,
      {
        width,
        height,
        triangles,
        png_bytes: png.byteLength,
        output_path: output ?? null,
        duration_ms: Date.now() - started,
      },
    );
    const text = { type: 'text', text: JSON.stringify(report) };
    if (output !== undefined && args.include_image !== true) return { content: [text], structuredContent: report };
    const image = { type: 'image', data: Buffer.from(png).toString('base64'), mimeType: 'image/png' };
    return { content: [text, image], structuredContent: report };
  });
}
