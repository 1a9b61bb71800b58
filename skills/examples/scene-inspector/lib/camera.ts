/** A perspective camera that looks at a box so that all of it is in the picture. */
import { type Box, boxCenter, boxSize } from './geometry.ts';
import type { Vector } from './scene-model.ts';

export interface View {
  /** Degrees around the vertical axis; 0 looks along -Z, 90 along -X. */
  azimuth: number;
  /** Degrees above the horizon. */
  elevation: number;
}

export interface Camera {
  eye: Vector;
  right: Vector;
  up: Vector;
  /** Into the picture. */
  forward: Vector;
  /** Half the picture's width and height at distance 1. */
  tanX: number;
  tanY: number;
}

const fieldOfView = 35;
const margin = 1.06;

/** Camera of every view at one common distance, so that a turntable does not pulse. Y is up. */
export function frameBox(box: Box, views: readonly View[], aspect: number): Camera[] {
  const tangent = Math.tan((fieldOfView / 2) * (Math.PI / 180));
  const tanX = aspect >= 1 ? tangent * aspect : tangent;
  const tanY = aspect >= 1 ? tangent : tangent / aspect;
  const center = boxCenter(box);
  const radius = Math.hypot(...boxSize(box)) / 2 || 1;
  const bases = views.map(basisOf);
  let distance = 0;
  for (const basis of bases) distance = Math.max(distance, distanceFor(box, center, basis, tanX, tanY) + radius * 0.02);
  return bases.map(basis => ({
    ...basis,
    tanX,
    tanY,
    eye: [
      center[0] - basis.forward[0] * distance,
      center[1] - basis.forward[1] * distance,
      center[2] - basis.forward[2] * distance,
    ],
  }));
}

type Basis = Pick<Camera, 'right' | 'up' | 'forward'>;

function basisOf(view: View): Basis {
  const a = (view.azimuth * Math.PI) / 180;
  // Straight up or down would leave no horizon to level the picture by.
  const e = (Math.min(89, Math.max(-89, view.elevation)) * Math.PI) / 180;
  return {
    forward: [-Math.sin(a) * Math.cos(e), -Math.sin(e), -Math.cos(a) * Math.cos(e)],
    right: [Math.cos(a), 0, -Math.sin(a)],
    up: [-Math.sin(a) * Math.sin(e), Math.cos(e), -Math.cos(a) * Math.sin(e)],
  };
}

/** The least distance from the centre at which all eight corners are inside the picture and before the camera. */
function distanceFor(box: Box, center: Vector, basis: Basis, tanX: number, tanY: number): number {
  const radius = Math.hypot(...boxSize(box)) / 2 || 1;
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const offset: Vector = [
      (corner & 1 ? box.max[0] : box.min[0]) - center[0],
      (corner & 2 ? box.max[1] : box.min[1]) - center[1],
      (corner & 4 ? box.max[2] : box.min[2]) - center[2],
    ];
    const x = Math.abs(dot(offset, basis.right)) * margin;
    const y = Math.abs(dot(offset, basis.up)) * margin;
    const depth = dot(offset, basis.forward);
    distance = Math.max(distance, x / tanX - depth, y / tanY - depth, radius * 0.05 - depth);
  }
  return distance;
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
