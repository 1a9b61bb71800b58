/**
 * Packs: the modules of a start, each pack one script. `cli/build-packs.ts` makes them, with the code that V8 compiled
 * out of them: to compile it anew is a third of a start. Whoever imports a module of a pack gets it from here.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The exports of its modules, by the name of the module. */
export type Pack = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What ran in this thread, for the build to keep its code. */
export const scripts = new Map<string, Script>();
const packs = new Map<string, Pack>();

export const packFile = (name: string): string => fileURLToPath(new URL(`pack-${name}.cjs`, import.meta.url));

/**
 * Code is V8's own form: only the version and the settings that made it read it, any other compiles the script. V8 does
 * not look for damage, and takes a text of the same length for the same: a checksum of both stands behind the code.
 */
export const codeFile = (name: string): string => `${packFile(name)}.code`;

const sumBytes = 4;

export function withSum(code: Buffer, source: Buffer): Buffer {
  const sum = Buffer.alloc(sumBytes);
  sum.writeUInt32LE(crc32(code, crc32(source)));
  return Buffer.concat([code, sum]);
}

function codeOf(name: string, source: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(codeFile(name));
    const code = kept.subarray(0, -sumBytes);
    return kept.readUInt32LE(code.length) === crc32(code, crc32(source)) ? code : undefined;
  } catch {
    return undefined;
  }
}

export function pack(name: string): Pack {
  const known = packs.get(name);
  if (known !== undefined) return known;
  const filename = packFile(name);
  const source = readFileSync(filename);
  // The build writes ASCII, which needs no decoding.
  const script = new Script(source.toString('latin1'), { filename, cachedData: codeOf(name, source) });
  scripts.set(name, script);
  const module = { exports: {} as Pack };
  // Code that was compiled earlier has no `import` of its own.
  const load = (specifier: string) => import(specifier);
  const require = createRequire(filename);
  script.runInThisContext()(module, require, filename, dirname(filename), pathToFileURL(filename).href, load, pack);
  packs.set(name, module.exports);
  return module.exports;
}
