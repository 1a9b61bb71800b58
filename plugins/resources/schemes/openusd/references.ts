/** What the text of a layer names: sublayers, references, payloads, and files that attributes point to. */
import { setImmediate as turn } from 'node:timers/promises';
import { tokensOf } from './tokens.ts';

export type Arc = 'sublayer' | 'reference' | 'payload' | 'asset';

export interface Reference {
  /** The path as written, without what only a file format reads. */
  written: string;
  arc: Arc;
}

const deepest = 1000;

const arcs: Readonly<Record<string, Arc>> = {
  subLayers: 'sublayer',
  references: 'reference',
  payload: 'payload',
  payloads: 'payload',
};

/** Every different reference of `text`, at most `most`, in the order of the text. Lets others run between pieces. */
export async function referencesOf(
  text: string,
  most: number,
): Promise<{ references: Reference[]; truncated: boolean }> {
  const found = new Map<string, Reference>();
  let word = '';
  let key = '';
  /** What brackets interrupt: `subLayers = [@a@ (offset = 1), @b@]` goes on with sublayers after them. */
  const outer: string[] = [];
  for (const token of tokensOf(text)) {
    if (token.type === 'pause') await turn();
    else if (token.type === 'word') word = token.text;
    else if (token.type === 'equals') key = word;
    else if (token.type === 'open') {
      if (outer.length < deepest) outer.push(key);
    } else if (token.type === 'close') key = outer.pop() ?? '';
    else {
      const written = fileOf(token.text);
      // `assetInfo` names the layer itself by `identifier`; that is no dependency.
      if (written === '' || key === 'identifier') continue;
      const arc = Object.hasOwn(arcs, key) ? (arcs[key] as Arc) : 'asset';
      if (found.size >= most) return { references: [...found.values()], truncated: true };
      found.set(`${arc} ${written}`, { written, arc });
    }
  }
  return { references: [...found.values()], truncated: false };
}

/** Without format arguments and without the path inside a package: `a.usdz[b.usda]` lies in `a.usdz`. */
function fileOf(written: string): string {
  const path = written.split(':SDF_FORMAT_ARGS:')[0] ?? '';
  return (/^(.*\.usdz)\[.*\]$/i.exec(path)?.[1] ?? path).trim();
}
