/** Frames of a scene as PNG: sizes, anti-aliasing, background, encoding. */
import { encode } from 'fast-png';
import { type Camera, frameBox, type View } from './camera.ts';
import { SceneError } from './envelope.ts';
import { at, sceneBounds } from './geometry.ts';
import type { Pause } from './pause.ts';
import { rasterize, type Samples } from './rasterizer.ts';
import type { Geometry, Scene } from './scene-model.ts';

export const sizeLimits = { min: 16, max: 2048 } as const;

export interface PictureOptions {
  width: number;
  height: number;
  /** `studio` (a soft gradient), `transparent`, or `#rrggbb`. */
  background: string;
}

export interface Picture {
  png: Uint8Array;
  triangles: number;
}

/** Takes pictures of one scene: `frame(i)` is the i-th view. */
export interface Photographer {
  frame(index: number): Promise<Picture>;
}

/** Prepares cameras for `views`; throws a SceneError when there is nothing to draw. */
export async function createPhotographer(
  scene: Scene,
  views: readonly View[],
  options: PictureOptions,
  pause: Pause,
): Promise<Photographer> {
  const background = backgroundOf(options.background);
  const box = await sceneBounds(scene, pause);
  if (box === undefined || scene.instances.every(item => scene.geometries[item.geometry]?.indices.length === 0)) {
    throw new SceneError('nothing_to_draw', 'The scene shows no triangles, so there is nothing to draw.');
  }
  const cameras = frameBox(box, views, options.width / options.height);
  // Four samples a pixel, unless that would be over eight million.
  const factor = options.width * options.height <= 2_000_000 ? 2 : 1;
  const size = { width: options.width * factor, height: options.height * factor };
  const normals = new Map<Geometry, Float32Array>();
  return {
    async frame(index) {
      const samples = await rasterize(scene, cameras[index] as Camera, size, normals, pause);
      await pause();
      const data = await resolve(samples, factor, background, pause);
      await pause();
      return {
        png: encode({ width: options.width, height: options.height, data, channels: 4, depth: 8 }),
        triangles: samples.triangles,
      };
    },
  };
}

type Background = (v: number) => readonly [number, number, number, number];

function backgroundOf(name: string): Background {
  if (name === 'transparent') return () => [0, 0, 0, 0];
  if (name === 'studio') {
    return v => [lerp(236, 168, v), lerp(239, 174, v), lerp(243, 184, v), 255];
  }
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(name);
  if (hex === null) {
    throw new SceneError(
      'invalid_background',
      'background must be "studio", "transparent" or a colour such as "#1e1e1e".',
    );
  }
  const color = [1, 2, 3].map(i => Number.parseInt(hex[i] ?? '0', 16));
  return () => [color[0] ?? 0, color[1] ?? 0, color[2] ?? 0, 255];
}

/** Averages `factor` x `factor` samples over the background. */
async function resolve(samples: Samples, factor: number, background: Background, pause: Pause): Promise<Uint8Array> {
  const width = samples.width / factor;
  const height = samples.height / factor;
  const out = new Uint8Array(width * height * 4);
  const all = factor * factor;
  for (let y = 0; y < height; y++) {
    if (y % 16 === 0) await pause();
    const behind = background(y / height);
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0];
      let covered = 0;
      for (let s = 0; s < all; s++) {
        const from = ((y * factor + Math.floor(s / factor)) * samples.width + x * factor + (s % factor)) * 4;
        if (samples.rgba[from + 3] === 0) continue;
        covered++;
        for (let k = 0; k < 3; k++) sum[k] = at(sum, k) + at(samples.rgba, from + k);
      }
      const to = (y * width + x) * 4;
      const share = covered / all;
      const alpha = share + (1 - share) * (behind[3] / 255);
      out[to + 3] = Math.round(alpha * 255);
      for (let k = 0; k < 3; k++) {
        const front = covered === 0 ? 0 : at(sum, k) / covered;
        // Over an opaque background a blend; over a transparent one the colour stays unmixed.
        out[to + k] = Math.round(behind[3] === 0 ? front : front * share + at(behind, k) * (1 - share));
      }
    }
  }
  return out;
}

function lerp(a: number, b: number, v: number): number {
  return a + (b - a) * v;
}

/** A picture side within the limits; throws a SceneError otherwise. */
export function checkedSide(value: number, argument: string): number {
  if (!Number.isInteger(value) || value < sizeLimits.min || value > sizeLimits.max) {
    throw new SceneError(
      'invalid_size',
      `${argument} must be a whole number from ${sizeLimits.min} to ${sizeLimits.max}.`,
    );
  }
  return value;
}
