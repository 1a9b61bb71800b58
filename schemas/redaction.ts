/**
 * What must not leave the process: credentials, by the names of members and by what texts look like. One list for
 * captures, audits, reports, spans and logs. Pure.
 */
import { isObject, type Json } from './loose.ts';

/** Stands in place of a secret. */
export const redacted = '[REDACTED]';

/** Names, as words joined by `_`, of what is a secret whatever it holds. */
const secretNames = new RegExp(
  `(?:^|_)(?:${[
    ...['pass(?:word|wd|code|phrase)s?', 'pwd', 'secrets?', 'credentials?', 'authorization', 'auth', 'cookies?'],
    ...[
      'bearer',
      'jwt',
      'otp',
      'pin',
      'cvv',
      'api_?keys?',
      'access_?keys?(?:_id)?',
      'account_?keys?',
      'priv(?:ate)?_?keys?',
    ],
    ...['signing_?keys?', 'encryption_?keys?', 'ssh_?keys?', 'license_?keys?', 'session_?keys?', 'client_?secrets?'],
    ...['x_(?:api|auth)_\\w+', 'connection_?strings?', 'dsn', 'sig(?:nature)?', 'sas', 'webhook_?urls?'],
  ].join('|')})$`,
);
/** The same of names that end in `token`; those of counts, pages and progress are none. */
const tokenNames =
  /(?:^|_)(?:auth|access|refresh|id|api|bearer|session|csrf|xsrf|security|bot|user|app|personal)?_?token$/;
const harmlessTokens = /(?:^|_)(?:progress|page|next|cursor|continuation|sync)_?token$/;

const known = new Map<string, boolean>();
const mostKnown = 5000;

/** Whether what a member or a header of this name holds is a secret. */
export function isSecretName(name: string): boolean {
  const found = known.get(name);
  if (found !== undefined) return found;
  const words = name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  const secret = secretNames.test(words) || (tokenNames.test(words) && !harmlessTokens.test(words));
  if (known.size >= mostKnown) known.clear();
  known.set(name, secret);
  return secret;
}

/** Also one that was cut off. */
const pem = '-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)';
/** Other credentials that are known by their look. */
const shapes = [
  'eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)*',
  '(?:A3T[A-Z0-9]|AKIA|ASIA|AGPA|AIDA|AROA|ANPA|ANVA)[A-Z0-9]{16}',
  'gh[pousr]_\\w{20,}|github_pat_\\w{20,}|gl(?:pat|ptt|dt|rt|soat|cbt|ft|imt|agent)-[\\w-]{16,}',
  'xox[abceoprs]-[\\w-]{8,}|xapp-\\d-[\\w-]{8,}|hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/-]+',
  'AIza[\\w-]{30,}|ya29\\.[\\w-]{10,}|GOCSPX-[\\w-]{20,}|1//0[\\w-]{20,}',
  'sk-(?:ant-|proj-|or-|svcacct-)?[\\w-]{16,}|(?:sk|rk|pk)_(?:live|test)_\\w{10,}|whsec_[\\w+/=]{10,}',
  'npm_\\w{30,}|pypi-[\\w-]{16,}|hf_\\w{20,}|dop_v1_\\w{20,}|dckr_pat_[\\w-]{16,}|lin_api_\\w{20,}|rubygems_\\w{20,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|(?:EAACEdEose0cBA|EAAG)\\w{20,}',
  '\\d{8,10}:AA[\\w-]{30,}|hv[bs]\\.[\\w-]{20,}|AGE-SECRET-KEY-1[0-9A-Z]{50,}|xkeysib-[0-9a-f]{32,}\\S*',
];
const shaped = new RegExp(`${pem}|\\b(?:${shapes.join('|')})`, 'g');
/** `Authorization: Bearer x`, and the same schemes elsewhere; words that merely follow one have neither case nor sign. */
const scheme =
  /\b([Bb]earer|BEARER|[Bb]asic|BASIC|[Dd]igest|[Nn]egotiate|[Tt]oken)([ \t]+)(?=[\w+/=.~-]*(?:[\d+/=._-]|[a-z][A-Z]|[A-Z][A-Z]))[\w+/=.~-]{8,}/g;
/** `name:password@` of an address. */
const userinfo = /\b([a-z][a-z0-9+.-]{1,30}:\/\/)[^\s/?#@"'<>\\]+@/gi;
/** `password=x`, `"api_key": "x"`, `--token x`, `?sig=x`: whether the name is a secret's is asked for each. */
const assigned =
  /\b([A-Za-z][\w.-]{1,60})((?:\\*["'])?(?:[ \t]*[:=](?!\/\/)[ \t]*|(?<=--[\w.-]{1,60})[ \t]+)(?:\\*["'])?)([^\s"'\\,;&<>{}()[\]]+)/g;
/** What stands between a header's name and its secret, or in its place. */
const noSecrets = /^(?:bearer|basic|digest|negotiate|token|true|false|null|none|undefined|\[REDACTED)/i;

/** Whatever one of the above looks for, in a text of JSON too: a cheap question to most texts, which are none. */
const suspicious = new RegExp(
  [
    ...['pass', 'pwd', 'secret', 'token', 'key', 'auth', 'cookie', 'cred', 'bearer', 'basic', 'digest', 'negotiate'],
    ...['jwt', '(?<![a-z])(?:otp|pin|cvv|sig|sas|dsn)(?![a-z])', 'signature', 'x_api', 'connection', 'webhook'],
    ...[':\\\\?/\\\\?/', '\\\\u', 'begin ', 'eyj', 'a3t', 'akia', 'asia', 'agpa', 'aida', 'aroa', 'anpa', 'anva'],
    ...['gh[pousr]_', 'github', 'gl[a-z]+-', 'xox', 'xapp', 'slack', 'aiza', 'ya29', 'gocspx', '1//0', 'sk[-_0-9a-f]'],
    ...[
      '[rp]k_',
      'whsec',
      'npm_',
      'pypi',
      'hf_',
      'dop_',
      'dckr',
      'lin_',
      'rubyg',
      'sg\\.',
      'shp',
      'eaa',
      ':aa',
      'hv[bs]\\.',
    ],
  ].join('|'),
  'i',
);

/** Whether a text, plain or JSON, is worth looking through. */
export const maybeSecret = (text: string): boolean => suspicious.test(text);

/** A text without the credentials in it. */
export function redactText(text: string): string {
  if (!maybeSecret(text)) return text;
  return text
    .replace(shaped, redacted)
    .replace(userinfo, `$1${redacted}@`)
    .replace(scheme, `$1$2${redacted}`)
    .replace(assigned, (all, name: string, sign: string, value: string) =>
      isSecretName(name) && !noSecrets.test(value) ? `${name}${sign}${redacted}` : all,
    );
}

/** The value without the credentials in it, and what it was unless something was found. `found` is told each path. */
export function redactSecrets<T>(value: T, found?: (path: string) => void): T {
  return walk(value, '', false, found) as T;
}

function walk(value: unknown, path: string, secret: boolean, found?: (path: string) => void): unknown {
  if (typeof value === 'string' || typeof value === 'number') {
    const kept = secret && value !== '' ? redacted : typeof value === 'string' ? redactText(value) : value;
    if (kept !== value) found?.(path);
    return kept;
  }
  if (Array.isArray(value)) return walkList(value, path, secret, found);
  return isObject(value) ? walkMembers(value, path, secret, found) : value;
}

function walkList(list: readonly unknown[], path: string, secret: boolean, found?: (path: string) => void): unknown {
  let copy: unknown[] | undefined;
  for (const [index, each] of list.entries()) {
    const kept = walk(each, joined(path, String(index)), secret, found);
    if (kept === each) continue;
    copy ??= [...list];
    copy[index] = kept;
  }
  return copy ?? list;
}

function walkMembers(object: Json, path: string, secret: boolean, found?: (path: string) => void): Json {
  let copy: Json | undefined;
  for (const name in object) {
    const each = object[name];
    const kept = walk(each, joined(path, name), secret || isSecretName(name), found);
    if (kept === each) continue;
    copy ??= { ...object };
    copy[name] = kept;
  }
  return copy ?? object;
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
