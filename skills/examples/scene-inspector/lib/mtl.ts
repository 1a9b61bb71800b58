/** Reads Wavefront MTL text: names, diffuse colours, opacity and the images they use. */

export interface MtlMaterial {
  name: string;
  color: readonly [number, number, number, number];
  images: string[];
}

const imageKeywords = new Set(['map_kd', 'map_ka', 'map_ks', 'map_ns', 'map_d', 'map_bump', 'bump', 'norm', 'disp']);

/** Parses MTL text; lines it does not know are skipped. */
export function parseMtl(text: string): MtlMaterial[] {
  const materials: MtlMaterial[] = [];
  let current: { name: string; color: [number, number, number, number]; images: string[] } | undefined;
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    const keyword = (words[0] ?? '').toLowerCase();
    if (keyword === 'newmtl') {
      current = { name: words.slice(1).join(' '), color: [0.6, 0.6, 0.6, 1], images: [] };
      materials.push(current);
    } else if (current === undefined) continue;
    else if (keyword === 'kd') {
      for (let k = 0; k < 3; k++) current.color[k] = unit(words[k + 1], 0.6);
    } else if (keyword === 'd') current.color[3] = unit(words[1], 1);
    else if (keyword === 'tr') current.color[3] = 1 - unit(words[1], 0);
    else if (imageKeywords.has(keyword)) {
      const file = imageName(words.slice(1));
      if (file !== '') current.images.push(file);
    }
  }
  return materials;
}

/** The file name after options such as `-s 1 1 1` or `-clamp on`. */
function imageName(words: string[]): string {
  let i = 0;
  while (words[i]?.startsWith('-')) {
    i++;
    while (i < words.length - 1 && /^(-?[\d.]+|on|off)$/.test(words[i] ?? '')) i++;
  }
  return words.slice(i).join(' ').replaceAll('\\', '/');
}

function unit(word: string | undefined, fallback: number): number {
  const value = Number(word);
  return word !== undefined && Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : fallback;
}
