/** Light stemming: plurals and the common endings of English verbs fall together. Pure. */

const irregular: Readonly<Record<string, string>> = {
  vertices: 'vertex',
  vertexes: 'vertex',
  indices: 'index',
  matrices: 'matrix',
  axes: 'axis',
  meshes: 'mesh',
  children: 'child',
  media: 'medium',
  baked: 'bake',
  broken: 'break',
  hidden: 'hide',
  frozen: 'freeze',
  written: 'write',
  took: 'take',
  taken: 'take',
  made: 'make',
  built: 'build',
  drawn: 'draw',
  ran: 'run',
  spun: 'spin',
  bound: 'bind',
  lit: 'light',
  caches: 'cache',
  images: 'image',
  uvs: 'uv',
  radii: 'radius',
  analysis: 'analyze',
  analyses: 'analyze',
  analyse: 'analyze',
  reduction: 'reduce',
  production: 'produce',
  removal: 'remove',
  transcription: 'transcribe',
  emission: 'emit',
  repetition: 'repeat',
  visibility: 'visible',
  sewn: 'sew',
  shown: 'show',
  chosen: 'choose',
  thrown: 'throw',
  shrunk: 'shrink',
  fallen: 'fall',
  sent: 'send',
  bent: 'bend',
  held: 'hold',
  kept: 'keep',
  lost: 'lose',
  broke: 'break',
  froze: 'freeze',
  wrote: 'write',
  drew: 'draw',
  hung: 'hang',
  stuck: 'stick',
  swept: 'sweep',
  localization: 'localiz',
  localisation: 'localiz',
  localize: 'localiz',
  localise: 'localiz',
  localized: 'localiz',
  wound: 'wind',
};

const keptWhole = new Set([
  'string',
  'bring',
  'spring',
  'ring',
  'thing',
  'nothing',
  'ping',
  'king',
  'wing',
  'bus',
  'keying',
  'player',
]);

const memory = new Map<string, string>();

/** What the forms of a word have in common; for comparing only, it is no word. */
export function stem(word: string): string {
  const found = memory.get(word);
  if (found !== undefined) return found;
  const made = makeStem(word);
  if (memory.size >= 20_000) memory.clear();
  memory.set(word, made);
  return made;
}

function makeStem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const base = (Object.hasOwn(irregular, word) ? irregular[word] : undefined) ?? word;
  if (keptWhole.has(base)) return base;
  return unending(verbOf(singular(base)));
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(sses|shes|ches|xes|zzes)$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

/** Nouns of verbs whose last letters change: `erosion` of erode, `conversion` of convert, `simplification` of simplify. */
function verbOf(word: string): string {
  if (word.endsWith('ification') && word.length > 11) return `${word.slice(0, -7)}y`;
  if (/..version$/.test(word)) return `${word.slice(0, -4)}t`;
  if (
    /[a-z]{2}(?:osion|usion|ision)$/.test(word) &&
    !/(?:diffusion|confusion|^vision|revision|television|precision)$/.test(word)
  )
    return `${word.slice(0, -4)}de`;
  return word;
}

function unending(word: string): string {
  for (const [ending, least] of endings) {
    if (word.length - ending.length >= least && word.endsWith(ending)) {
      const root = word.slice(0, -ending.length);
      if (/[aeiouy]/.test(root)) return bare(ending === 'ied' ? `${root}y` : root);
    }
  }
  return bare(word);
}

/** Longest first; the number is what must stay at least. */
const endings: readonly (readonly [string, number])[] = [
  ['izations', 4],
  ['ization', 4],
  ['isation', 4],
  ['ations', 4],
  ['ation', 4],
  ['ments', 4],
  ['ment', 4],
  ['ings', 3],
  ['ness', 4],
  ['ator', 4],
  ['ions', 4],
  ['izer', 4],
  ['ised', 4],
  ['ized', 4],
  ['ating', 5],
  ['ative', 5],
  ['ated', 5],
  ['izing', 4],
  ['ising', 4],
  ['able', 4],
  ['ate', 5],
  ['ize', 4],
  ['ise', 4],
  ['ing', 3],
  ['ion', 4],
  ['ied', 2],
  ['ers', 4],
  ['ed', 3],
  ['er', 4],
  ['or', 5],
  ['ly', 4],
];

/** A doubled last consonant and a mute e go: `trimm`, `bake` and `bak` become `trim` and `bak`. */
function bare(root: string): string {
  if (/([bdfgkmnprtvz])\1$/.test(root)) return root.slice(0, -1);
  return root.length > 3 && root.endsWith('e') ? root.slice(0, -1) : root;
}
