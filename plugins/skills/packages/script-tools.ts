/** A package that declares no tools: each file of its `scripts/` is one, named by the file and described by its first words. */
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { isMissing, locate } from './package-files.ts';
import { Rejection, type Warn } from './rejection.ts';
import { withoutBlocks } from './script-block.ts';

export interface ScriptHead {
  /** File name in `scripts/`. */
  file: string;
  /** The beginning of its text. */
  head: string;
}

/** What the public packages have as scripts, and what else runs here. */
const scriptExtensions = new Set(
  '.py .pyw .sh .bash .js .mjs .cjs .jsx .ts .mts .cts .ps1 .bat .cmd .mel .ms .lua .vbs'.split(' '),
);
const mostScripts = 200;
const headBytes = 4096;
const longestDescription = 500;
const longestName = 64;

/** By its extension. */
export const isScript = (name: string): boolean =>
  scriptExtensions.has(extname(name).toLowerCase()) && !/\.d\.[cm]?ts$/i.test(name);

/** The scripts of a package with the beginning of each, sorted; links are none. */
export async function scriptHeads(directory: string, warn?: Warn): Promise<ScriptHead[]> {
  const folder = await locate(directory, 'scripts');
  if (folder === undefined) return [];
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.filter(each => each.isFile() && !each.name.startsWith('.')).map(each => each.name);
    for (const name of names.filter(isBroken)) warn?.('read_error', `scripts/${name}: its name is not UTF-8 text`);
    const files = names
      .filter(name => !isBroken(name))
      .filter(isScript)
      .sort()
      .slice(0, mostScripts);
    return await Promise.all(files.map(async file => ({ file, head: await headOf(join(folder, file)) })));
  } catch (error) {
    if (isMissing(error)) return [];
    throw new Rejection('read_error', `scripts/ cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** What stands for bytes that are no text: no file is found by that name. */
export const isBroken = (name: string): boolean => name.includes('\uFFFD');

async function headOf(path: string): Promise<string> {
  // Never waits, should the file have become a pipe meanwhile.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Declarations of `scripts` as tools. Nothing is known of what they do, so no hint calls them harmless. */
export function scriptTools(scripts: readonly ScriptHead[], about: string): Record<string, unknown>[] {
  const taken = new Set<string>();
  return scripts.flatMap(({ file, head }, index) => {
    const extension = extname(file);
    const stem = nameable(file.slice(0, file.length - extension.length)) || `script_${index + 1}`;
    const name = taken.has(stem) ? nameable(`${stem}_${extension.slice(1)}`) : stem;
    if (name === '' || taken.has(name)) return [];
    taken.add(name);
    return [{ name, description: describe(head, extension) ?? about, source_file: `scripts/${file}` }];
  });
}

/** `Grow Up` as `Grow_Up`, and as the public packages do `-` as `_`. */
function nameable(stem: string): string {
  const name = stem.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, longestName);
  return /[A-Za-z0-9]/.test(name) ? name.replace(/^__(?=(?:skill|group)__)/, '') : '';
}

/** What a script says of itself: its docstring, or the comment that it begins with. */
export function describe(head: string, extension: string): string | undefined {
  const text = head.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const body = text.replace(
    /^(?:#!.*\n|[ \t]*#.*coding[:=].*\n|#requires.*\n|["']use strict["'];?\n|@echo off\n|\s*\n)+/i,
    '',
  );
  const kind = extension.toLowerCase();
  const own = kind.startsWith('.py') ? withoutBlocks(body).replace(/^\s+/, '') : body;
  const found = kind.startsWith('.py') ? (docstring(own) ?? comment(own)) : (blockComment(body) ?? comment(body));
  const paragraph = (found ?? '')
    .trim()
    .split(/\n[ \t]*\n/, 1)[0]
    ?.replaceAll(/\s+/g, ' ')
    .trim();
  if (!paragraph) return undefined;
  return paragraph.length > longestDescription ? `${paragraph.slice(0, longestDescription - 1)}…` : paragraph;
}

/** A docstring may stand below comments. */
function docstring(body: string): string | undefined {
  const code = body.replace(/^(?:[ \t]*#.*\n|[ \t]*\n)+/, '');
  return /^[rRuU]?("""|''')([\s\S]*?)(?:\1|$)/.exec(code)?.[2] ?? /^[rRuU]?(["'])(.+?)\1[ \t]*(?:\n|$)/.exec(code)?.[2];
}

/** C's and PowerShell's; of a PowerShell help block the synopsis. */
function blockComment(body: string): string | undefined {
  const found = /^(?:\/\*+|<#)([\s\S]*?)(?:\*\/|#>|$)/.exec(body)?.[1];
  if (found === undefined) return undefined;
  const lines = found.replaceAll(/^[ \t]*\*[ \t]?/gm, '');
  return /\.(?:SYNOPSIS|DESCRIPTION)\s*\n([\s\S]*?)(?:\n\s*\.[A-Z]+|$)/i.exec(lines)?.[1] ?? lines;
}

/** Lines that begin with the same mark. */
function comment(body: string): string | undefined {
  const mark = /^[ \t]*(#|\/\/|--|::|rem\b)/i.exec(body)?.[1];
  if (mark === undefined) return undefined;
  const lines: string[] = [];
  for (const line of body.split('\n')) {
    const trimmed = line.trim();
    if (!trimmed.toLowerCase().startsWith(mark.toLowerCase())) break;
    lines.push(
      trimmed
        .slice(mark.length)
        .replace(/^[#/!-]+/, '')
        .trim(),
    );
  }
  return lines.join('\n');
}
