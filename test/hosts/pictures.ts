/** Colours of pictures, which are compared by pixels. */
import { decode } from 'fast-png';

/** The average of a picture's middle and of its corner, each red, green and blue. */
export function colours(bytes: Uint8Array) {
  const { data, width, height, channels, depth } = decode(bytes);
  const full = depth === 16 ? 65535 : 255;
  const mean = (left: number, top: number): number[] => {
    const sums = [0, 0, 0];
    for (let y = top; y < top + 8; y++)
      for (let x = left; x < left + 8; x++)
        for (const each of [0, 1, 2])
          sums[each] = (sums[each] ?? 0) + (data[(y * width + x) * channels + each] ?? 0) / full / 64;
    return sums;
  };
  return { width, height, middle: mean(width / 2 - 4, height / 2 - 4), corner: mean(0, 0) };
}
