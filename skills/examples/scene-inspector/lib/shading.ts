/** A small studio: key, fill and rim light that move with the camera, sky light from above. */
import type { Camera } from './camera.ts';
import type { Vector } from './scene-model.ts';

/** Light that a surface of unit normal (x, y, z), turned to the camera, sends back: [diffuse, gloss]. */
export type Shader = (x: number, y: number, z: number, out: Float64Array) => void;

/** Lights for one camera. */
export function createShader(camera: Camera): Shader {
  const key = direction(camera, -0.55, 0.75, -0.65);
  const fill = direction(camera, 0.85, 0.15, -0.5);
  const rim = direction(camera, 0.4, 0.5, 0.9);
  const toCamera: Vector = [-camera.forward[0], -camera.forward[1], -camera.forward[2]];
  // Half-way between light and eye: where a glossy surface mirrors the key light.
  const half = unit([key[0] + toCamera[0], key[1] + toCamera[1], key[2] + toCamera[2]]);
  return (x, y, z, out) => {
    const fromKey = Math.max(0, x * key[0] + y * key[1] + z * key[2]);
    const fromFill = Math.max(0, x * fill[0] + y * fill[1] + z * fill[2]);
    const fromRim = Math.max(0, x * rim[0] + y * rim[1] + z * rim[2]);
    const sky = 0.5 + 0.5 * y;
    const mirror = Math.max(0, x * half[0] + y * half[1] + z * half[2]);
    const facing = Math.max(0, x * toCamera[0] + y * toCamera[1] + z * toCamera[2]);
    out[0] = 0.1 + 0.16 * sky + 0.78 * fromKey + 0.2 * fromFill + 0.25 * fromRim;
    out[1] = 0.16 * mirror ** 40 + 0.1 * (1 - facing) ** 4;
  };
}

/** From camera axes (right, up, into the picture) to the world, unit length. */
function direction(camera: Camera, right: number, up: number, forward: number): Vector {
  const axis = (i: 0 | 1 | 2): number => camera.right[i] * right + camera.up[i] * up + camera.forward[i] * forward;
  return unit([axis(0), axis(1), axis(2)]);
}

function unit(v: Vector): Vector {
  const length = Math.hypot(...v) || 1;
  return [v[0] / length, v[1] / length, v[2] / length];
}
