/**
 * What is taken out of every body before any sink sees it: code that is to be run, credentials, images, and who somebody
 * is. `redaction.ts` knows credentials; this knows where in a call the rest stands.
 */
import { type Json, parsed } from '../../schemas/loose.ts';
import { isSecretKey, secretSigns, withoutSecrets } from '../../schemas/redaction.ts';
import { remembered } from '../../schemas/remembered.ts';
import { createWordFinder } from '../../schemas/word-finder.ts';
import { type Replacement, replace } from './rules.ts';

export const sensitiveInput = '[REDACTED_SENSITIVE_INPUT]';
export const attribution = '[REDACTED_ATTRIBUTION]';
const credential = '[REDACTED_CREDENTIAL]';

export type Side = 'request' | 'response';

/** What stands under a name: a secret, who somebody is, code, code in a request alone, code unless it is one word. */
type Sort = 'secret' | 'people' | 'code' | 'input' | 'phrase' | 'plain';

const named: readonly [Sort, readonly string[]][] = [
  ['code', ['script', 'python', 'mel']],
  ['input', ['content', 'source_code', 'expression', 'command_line']],
  ['phrase', ['code']],
  ['people', ['actor_id', 'actor_name', 'actor_email', 'actor_email_hash', 'auth_subject', 'client_host']],
  ['people', ['forwarded_for', 'x_forwarded_for', 'source_ip', 'input_hash', 'reply_hash']],
];

const sortOf = remembered((name): Sort => {
  const spelled = name
    .slice(0, 200)
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  const found = named.find(([, names]) => names.includes(spelled))?.[0];
  return found ?? (isSecretKey(name) ? 'secret' : 'plain');
});

/** Names of code in a text: in JSON, or a line each. */
const codeInText = /script|python|mel|code/i;
const codeLines = /^([ \t]*(?:- )?["']?(?:script|python|mel|code)["']?[ \t]*[:=][ \t]*)(?=.*\S)(.+)$/gim;
/** A shorter text holds neither a credential nor code. */
const shortest = 6;
const deepest = 64;
/** Texts that are JSON themselves are read, these many inside one another. */
const mostNested = 4;

/** A name as people spell it. */
const spellings = (name: string): string[] => ['_', '-', ''].map(each => name.replaceAll('_', each));
const signsOf = (...sorted: Sort[]): string[] => [
  ...named.flatMap(([sort, names]) => (sorted.includes(sort) ? names.flatMap(spellings) : [])),
  ...secretSigns,
  // What says that there is inline data; escapes, which may hide anything; what is no single line.
  ...['mime', 'image', 'audio', 'data:', '\\u', '\n', '\r'],
];
/** A JSON text that has none of these loses nothing, and need not be looked through. */
const hasSign: Readonly<Record<Side, (json: string) => boolean>> = {
  request: createWordFinder(signsOf('code', 'input', 'phrase', 'people')),
  response: createWordFinder(signsOf('code', 'phrase', 'people')),
};

/** Whether a body stays as it is, to the letter: told by one look at its text, which is JSON. May be false of one that does. */
export const staysWhole = (json: string, side: Side): boolean => !hasSign[side](json) && !isDeep(json);

/** Whether so much is opened that it may be too deep. */
function isDeep(json: string): boolean {
  let opened = 0;
  for (const bracket of '{[') {
    for (let at = json.indexOf(bracket); at >= 0 && opened < deepest; at = json.indexOf(bracket, at + 1)) opened += 1;
  }
  return opened >= deepest;
}

interface Walk {
  readonly side: Side;
  /** Paths that an operator's rule has replaced. */
  readonly replaced: ReadonlySet<string>;
  readonly paths: string[];
  /** Names from the body to where the walk is. */
  readonly trail: (string | number)[];
  readonly nested: number;
}

export interface Redacted {
  data: unknown;
  /** Paths from the body. */
  paths: string[];
}

/** `data` is changed. */
export function redactBody(data: unknown, side: Side, rules: readonly Replacement[]): Redacted {
  const paths: string[] = [];
  const replaced = new Set<string>();
  replace(data, rules, path => {
    replaced.add(path);
    paths.push(withoutSecrets(path));
  });
  return { data: kept(data, '', '', { side, paths, trail: [], nested: 0, replaced }), paths };
}

/** The value as it may be shown; its path is noted where it is another one. */
function kept(value: unknown, name: string, media: string, walk: Walk): unknown {
  if (walk.replaced.size > 0 && walk.replaced.has(walk.trail.join('.'))) return value;
  const shown = instead(value, name, media, walk);
  if (shown !== value) walk.paths.push(walk.trail.join('.'));
  return shown;
}

function instead(value: unknown, name: string, media: string, walk: Walk): unknown {
  if (typeof value === 'string') return text(value, name, media, walk);
  if (value === null || (typeof value !== 'number' && typeof value !== 'object')) return value;
  if (sortOf(name) === 'secret') return credential;
  if (typeof value === 'number') return value;
  const { trail } = walk;
  if (trail.length >= deepest) return sensitiveInput;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) {
      trail.push(index);
      value[index] = kept(value[index], '', '', walk);
      trail.pop();
    }
    return value;
  }
  const members = value as Json;
  const own = mediaOf(members);
  let renamed: [given: string, shown: string][] | undefined;
  for (const each in members) {
    const shown = safeName(each);
    trail.push(shown);
    const before = members[each];
    const after = kept(before, each, own, walk);
    if (after !== before) members[each] = after;
    if (shown !== each) {
      renamed ??= [];
      renamed.push([each, shown]);
      if (after === before) walk.paths.push(trail.join('.'));
    }
    trail.pop();
  }
  for (const [given, shown] of renamed ?? []) {
    members[shown] = members[given];
    delete members[given];
  }
  return members;
}

/** Of a member: what callers name themselves may be a credential as well. */
const safeName = remembered(withoutSecrets);

/** What the `data` or `blob` beside it is, of an image, a sound or another file. */
function mediaOf({ type, mimeType, mime_type }: Json): string {
  const given = mimeType ?? mime_type;
  const media = typeof given === 'string' ? given : undefined;
  if (media !== undefined && !/^text\/|json|toon|xml|yaml/.test(media)) return media;
  return type === 'image' || type === 'audio' ? type : '';
}

function text(value: string, name: string, media: string, walk: Walk): string {
  if (value === '') return value;
  const sort = sortOf(name);
  if (sort === 'secret') return credential;
  if (sort === 'people') return attribution;
  // An answer has codes of errors too, and contents: there only what cannot be such a word is code.
  const request = walk.side === 'request';
  if (sort === 'code' || (sort === 'input' && request)) return sensitiveInput;
  if (sort === 'phrase' && (request || /\s/.test(value))) return sensitiveInput;
  if (media !== '' && (name === 'data' || name === 'blob')) {
    return `[REDACTED_INLINE_DATA ${media}, ${value.length} characters]`;
  }
  if (value.length < shortest) return value;
  if (value.startsWith('data:') && /^data:[\w/+.-]+;base64,/.test(value)) {
    return `[REDACTED_INLINE_DATA ${value.length} characters]`;
  }
  const inner = value.startsWith('{') || value.startsWith('[') ? jsonText(value, walk) : undefined;
  if (inner !== undefined) return inner;
  const lined = codeInText.test(value) ? value.replaceAll(codeLines, `$1${sensitiveInput}`) : value;
  return withoutSecrets(lined);
}

/** A text that is JSON, without what is redacted in it; undefined for another. */
function jsonText(value: string, walk: Walk): string | undefined {
  if (walk.nested >= mostNested) return undefined;
  const inner = parsed(value);
  if (typeof inner !== 'object' || inner === null) return undefined;
  const paths: string[] = [];
  const deeper = { ...walk, replaced: new Set<string>(), paths, trail: [], nested: walk.nested + 1 };
  const shown = kept(inner, '', '', deeper);
  return paths.length > 0 ? JSON.stringify(shown) : value;
}
