/** Which host types a query names, by their own name or by what people call them. Pure. */

/** What people call a host, without spaces, and what its type is called by adapters. */
const nicknames: Readonly<Record<string, readonly string[]>> = {
  c4d: ['cinema4d'],
  cinema4d: ['c4d'],
  '3dsmax': ['max', '3ds_max', '3dsmax'],
  '3dmax': ['3dsmax', 'max'],
  unreal: ['unreal', 'unreal_engine', 'ue5', 'ue'],
  unrealengine: ['unreal', 'unreal_engine'],
  ue: ['unreal'],
  ue4: ['unreal'],
  ue5: ['unreal'],
  aftereffects: ['aftereffects', 'after_effects', 'ae'],
  ae: ['aftereffects', 'after_effects'],
  ps: ['photoshop'],
  substance: ['substance3d-painter', 'substance_painter', 'substance', 'substance3d-designer', 'substance_designer'],
  substancepainter: ['substance3d-painter', 'substance_painter', 'substance'],
  substancedesigner: ['substance3d-designer', 'substance_designer'],
  motionbuilder: ['mobu', 'motionbuilder'],
  mobu: ['motionbuilder'],
  premierepro: ['premiere'],
  davinci: ['resolve', 'davinci_resolve'],
  resolve: ['davinci_resolve', 'davinci'],
  unity3d: ['unity'],
  マヤ: ['maya'],
  ブレンダー: ['blender'],
  フォトショップ: ['photoshop'],
  フォトショ: ['photoshop'],
  アンリアル: ['unreal'],
  블렌더: ['blender'],
  마야: ['maya'],
  포토샵: ['photoshop'],
  언리얼: ['unreal'],
  блендер: ['blender'],
  фотошоп: ['photoshop'],
};

/** Endings of scene files, by host. */
const sceneEndings: Readonly<Record<string, string>> = {
  ...{ ma: 'maya', mb: 'maya', blend: 'blender', hip: 'houdini', hipnc: 'houdini', hiplc: 'houdini', max: '3dsmax' },
  ...{ nk: 'nuke', psd: 'photoshop', psb: 'photoshop', c4d: 'cinema4d', uproject: 'unreal', umap: 'unreal' },
  ...{ uasset: 'unreal', unity: 'unity', prefab: 'unity', spp: 'substance3d-painter', sbs: 'substance3d-designer' },
  ...{ ztl: 'zbrush', zpr: 'zbrush', kra: 'krita', xcf: 'gimp', aep: 'aftereffects', prproj: 'premiere' },
  ...{ katana: 'katana', mra: 'mari', toe: 'touchdesigner', fcstd: 'freecad', skp: 'sketchup', tscn: 'godot' },
};

/** Types that are also plain words: a query that has one means the word. */
const plain = new Set(['python', 'core', 'standalone', 'generic', 'openusd', 'usd', 'test', 'host']);

const nicknamesOf = new Map(Object.entries(nicknames));
const hostOfEnding = new Map(Object.entries(sceneEndings));

const bare = (host: string): string => host.replace(/[^\p{L}\p{N}]/gu, '');

/** Host types among `hosts` that the words name, and the words that do. */
export function hostsNamed(
  runs: readonly string[],
  hosts: Iterable<string>,
): { hosts: Set<string>; words: Set<string> } {
  const known = new Map<string, string[]>();
  for (const host of hosts) {
    const key = bare(host);
    if (plain.has(key)) continue;
    known.set(key, [...(known.get(key) ?? []), host]);
  }
  const found = { hosts: new Set<string>(), words: new Set<string>() };
  for (let length = 3; length >= 1; length -= 1) {
    for (let at = 0; at + length <= runs.length; at += 1) {
      const words = runs.slice(at, at + length);
      const name = words.join('');
      const meant = [name, ...(nicknamesOf.get(name) ?? []).map(bare)].flatMap(each => known.get(each) ?? []);
      if (meant.length === 0) continue;
      for (const host of meant) found.hosts.add(host);
      for (const word of words) found.words.add(word);
    }
  }
  return found;
}

/** The host type that a scene file belongs to. */
export function hostOfScene(hint: string): string | undefined {
  const ending = /\.([a-z0-9]{2,8})\b(?!.*\.[a-z0-9]{2,8}\b)/.exec(hint.toLowerCase())?.[1];
  return ending === undefined ? undefined : hostOfEnding.get(ending);
}
