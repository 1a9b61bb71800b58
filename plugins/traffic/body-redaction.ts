/**
 * What is taken out of every body before any sink sees it: code that is to be run, credentials, images, and who somebody
 * is. `redaction.ts` knows credentials; this knows where in a call the rest stands.
 */
import { isObject, type Json, parsed } from '../../schemas/loose.ts';
import { isSecretKey, mayHoldSecret, withoutSecrets } from '../../schemas/redaction.ts';
import { type Replacement, replace } from './rules.ts';

export const sensitiveInput = '[REDACTED_SENSITIVE_INPUT]';
export const attribution = '[REDACTED_ATTRIBUTION]';
const credential = '[REDACTED_CREDENTIAL]';

export type Side = 'request' | 'response';

const code = new Set(['code', 'content', 'script', 'python', 'mel', 'source_code', 'expression', 'command_line']);
const people = new Set([
  ...['actor_id', 'actor_name', 'actor_email', 'actor_email_hash', 'auth_subject', 'client_host', 'forwarded_for'],
  ...['x_forwarded_for', 'source_ip', 'input_hash', 'reply_hash'],
]);
/** Something of what each of the above needs, for one quick look at a whole body. */
const marks: Readonly<Record<Side, RegExp>> = {
  request:
    /code|content|script|python|mel|expression|command_?line|base64|image|audio|actor|subject|host|forward|source|hash/i,
  response: /script|python|mel|"code|\\"code|\bcode:|base64|image|audio|actor|subject|host|forward|source_?ip|hash/i,
};
/** The same members in text that is no JSON, a line each. */
const codeLines = /^([ \t]*(?:- )?["']?(?:script|python|mel|code)["']?[ \t]*[:=][ \t]*)(?=.*\S)(.+)$/gim;

const deepest = 64;

interface Walk {
  readonly side: Side;
  readonly replaced: ReadonlySet<string>;
  readonly paths: string[];
  /** Texts that are JSON themselves are read, these many inside one another. */
  nested: number;
}

export interface Redacted {
  data: unknown;
  /** Paths from the body. */
  paths: string[];
}

/** `data` was read from `raw`, and is changed. */
export function redactBody(data: unknown, raw: string, side: Side, rules: readonly Replacement[]): Redacted {
  const paths: string[] = [];
  replace(data, rules, path => paths.push(path));
  if (!mayHoldSecret(raw) && !marks[side].test(raw) && !raw.includes('\\u')) return { data, paths };
  const walk: Walk = { side, paths, nested: 0, replaced: new Set(paths) };
  return { data: kept(data, '', '', '', 0, walk), paths };
}

/** The value as it may be shown; `paths` is told where it is another one. */
function kept(value: unknown, name: string, path: string, kind: string, depth: number, walk: Walk): unknown {
  if (walk.replaced.has(path)) return value;
  const instead = (text: string): string => {
    walk.paths.push(path);
    return text;
  };
  if (typeof value === 'string') {
    const shown = text(value, name, kind, depth, walk);
    return shown === value ? value : instead(shown);
  }
  if (typeof value === 'number') return isSecretKey(name) ? instead(credential) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= deepest) return instead(sensitiveInput);
  if (isSecretKey(name)) return instead(credential);
  const inside = path === '' ? '' : `${path}.`;
  if (Array.isArray(value)) {
    value.forEach((each, index) => {
      value[index] = kept(each, '', `${inside}${index}`, '', depth + 1, walk);
    });
    return value;
  }
  const members = value as Json;
  const own = mediaOf(members);
  for (const each of Object.keys(members)) {
    members[each] = kept(members[each], each, `${inside}${each}`, own, depth + 1, walk);
  }
  return members;
}

/** What the `data` or `blob` beside it is, of an image, a sound or another file. */
function mediaOf({ type, mimeType, mime_type }: Json): string {
  const given = mimeType ?? mime_type;
  const media = typeof given === 'string' ? given : undefined;
  if (media !== undefined && !/^text\/|json|toon|xml|yaml/.test(media)) return media;
  return type === 'image' || type === 'audio' ? type : '';
}

function text(value: string, name: string, media: string, depth: number, walk: Walk): string {
  if (value === '') return value;
  const spelled = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
  if (people.has(spelled)) return attribution;
  if (isSecretKey(name)) return credential;
  if (code.has(spelled) && isCode(value, spelled, walk.side)) return sensitiveInput;
  if (media !== '' && (name === 'data' || name === 'blob'))
    return `[REDACTED_INLINE_DATA ${media}, ${value.length} characters]`;
  if (/^data:[\w/+.-]+;base64,/.test(value)) return `[REDACTED_INLINE_DATA ${value.length} characters]`;
  const looks = mayHoldSecret(value) || marks[walk.side].test(value);
  if (!looks) return value;
  return jsonText(value, depth, walk) ?? withoutSecrets(value.replaceAll(codeLines, `$1${sensitiveInput}`));
}

/** An answer has codes of errors too, and contents: there only what cannot be such a word is code. */
const isCode = (value: string, name: string, side: Side): boolean =>
  side === 'request' || (name !== 'content' && name !== 'expression' && (name !== 'code' || /\s/.test(value)));

/** A text that is JSON, without what is redacted in it; undefined for another. */
function jsonText(value: string, depth: number, walk: Walk): string | undefined {
  if (!/^\s*[[{]/.test(value) || walk.nested >= 4) return undefined;
  const inner = parsed(value);
  if (!isObject(inner) && !Array.isArray(inner)) return undefined;
  const paths: string[] = [];
  const shown = kept(inner, '', '', '', depth + 1, { ...walk, replaced: new Set(), paths, nested: walk.nested + 1 });
  return paths.length > 0 ? JSON.stringify(shown) : value;
}
