/**
 * What must not leave: credentials, wherever a text goes; and in what the public may read also paths, addresses, processes
 * and people. Pure. It takes rather too much than too little, and each rule looks at a text of any length once.
 */

import { tokenForms, tokenSigns } from './token-forms.ts';
import { createWordFinder } from './word-finder.ts';

const literal = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** In place of a secret. */
export const censored = '[redacted]';

const secretWord =
  'passw(?:or)?d|passphrase|pwd|secret|(?:api|access|private|account|client|script|signing|licen[cs]e)[ _-]?key|authorization|cookie|credential|bearer|(?<!progress[_-]?)token(?!s|_)';
const secretKey = new RegExp(`${secretWord}|(?:^|[_-])auth$|[_-]pat$`, 'i');

/** Whether a key, a header or an option names a secret: `Authorization`, `apiKey`, `X-Auth-Token`; `total_tokens` does not. */
export const isSecretKey = (key: string): boolean => secretKey.test(key);

/** `$mark` stands for the mark; a function gets it, and the groups that were found. */
type Rule = readonly [pattern: RegExp, by: string | ((mark: string, all: string, ...groups: string[]) => string)];

/** In JSON inside of JSON a quote has backslashes before it, more the deeper it stands. */
const escapes = String.raw`\\{1,16}`;
const quote = String.raw`\\{0,16}["']`;
/** A value: in quotes, which may be escaped, or up to the next thing that cannot be in one, such as the end of its line. */
const value = String.raw`("(?:[^"\\]|\\.)*"|(?<escape>${escapes})"(?:(?!(?<!\\)\k<escape>")[^\r\n]){0,4096}\k<escape>"|'[^'\r\n]*'|(?:[^\s,;&"'<>(){}\[\]\\]|\\(?![nr]))+)`;
const marked = String.raw`(?!\[(?:[a-z]+-)?redacted)`;
/** In JSON inside a text a line ends with a letter: `\\n`. */
const escaped = String.raw`(?<=\\[bfnrt])`;
const wordBegins = String.raw`(?:\b|${escaped})`;
/** Eight characters and more, with digits among them. */
const mixedWord = String.raw`(?=[^\s"']{0,64}\d)(?=[^\s"']{0,64}[A-Za-z])[^\s"']{8}`;
/** What an error says of a token is none: of what state it is, or how the sentence goes on. */
const told = String.raw`(?:(?:not|no|none|never|now|only|also|still|always|already|too|so|very|to|for|from|of|in|on|at|by|with|without|as|an?|the|this|that|yours?|ours?|what|which|here|there|one|(?:in)?valid|(?:in)?correct|(?:in)?complete|missing|unknown|wrong|empty|absent|null|undefined|set|unset|stale|good|bad|ok|new|old|too|\w+(?:ed|en|wn|ing))(?![\w-]))`;
/** A name with a secret's word in it, as `isSecretKey` knows them: others must not take the value that holds one. */
const secretName = String.raw`[\w.-]{0,64}?(?:${secretWord})[\w.-]{0,64}|(?:[\w.-]{0,64}[_-])?auth|[\w.-]{0,64}[_-]pat`;

/** A value's quotes stay: JSON is still JSON. */
function inQuotes(mark: string, given = ''): string {
  const [around = ''] = /^\\*["']/.exec(given) ?? [];
  return `${around}${mark}${around}`;
}

function ofSecretKey(mark: string, all: string, key = '', between = '', given = ''): string {
  return isSecretKey(key) ? `${key}${between}${inQuotes(mark, given)}` : all;
}

const credentials: readonly Rule[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*-----|$)/g, '$mark'],
  [new RegExp(String.raw`${wordBegins}(bearer\s+)(?!tokens?\b|auth)[\w.~+/=-]{4,}`, 'gi'), '$1$mark'],
  [
    new RegExp(
      String.raw`${wordBegins}((?:[Bb]asic|[Dd]igest|[Nn]egotiate|[Tt]oken|[Aa]pi[Kk]ey)\s+)(?=\S*[\dA-Z=+/])[\w.~+/=-]{8,}`,
      'g',
    ),
    '$1$mark',
  ],
  [/(:(?:\\?\/){2})[^\s/@"'<>]+@/g, '$1$mark@'],
  [
    /([?&#;](?:key|sig|signature|code|sid|session|j?sessionid|phpsessid|auth|x-amz-[\w-]{1,30})=)[^&\s"'<>]+/gi,
    '$1$mark',
  ],
  [/(\s-u\s+)[^\s:]+:\S+/g, '$1$mark'],
  [/(\b(?:sshpass|mysql\w*)\b[^\r\n]{0,200}?\s-p\s?)[^\s-]\S*/g, '$1$mark'],
  // Addresses that are secrets: whoever has one may write there.
  [
    /(\b(?:discord(?:app)?\.com(?:\\?\/)api(?:\\?\/)webhooks|hooks\.slack\.com(?:\\?\/)\w+|webhook\.office\.com(?:\\?\/)\w+)(?:\\?\/))[^\s"'<>]+/gi,
    '$1$mark',
  ],
  // What crypt(3) makes of a password: $id$...
  [/\$[a-z\d]{1,8}(?:\$[^\s$:"'<>]{2,}){1,4}/g, '$mark'],
  [
    new RegExp(String.raw`(?<![\w.-])(${secretName})((?:${quote})?\s*(?:=>|:=|[:=>])\s*)${marked}${value}`, 'gi'),
    ofSecretKey,
  ],
  [new RegExp(String.raw`(?:(?<![\w-])|${escaped})(--?[\w-]{1,64})(\s+)(?!-)${marked}${value}`, 'g'), ofSecretKey],
  // The rest of the line is the header's: what is another's in it has been taken out by now.
  [
    new RegExp(
      String.raw`${wordBegins}((?:proxy-)?authorization|(?:set-)?cookie)((?:${quote})?\s*[:=]\s*)(\\{0,16}"[^"\\]*\\{0,16}"|'[^']*'|[^\r\n"'\\]+)`,
      'gi',
    ),
    (mark, _, key, between, given) => `${key}${between}${inQuotes(mark, given)}`,
  ],
  [
    new RegExp(
      String.raw`${wordBegins}((?:${secretWord})\s+(?:(?:is|was)\s+(?!${told})|(?=${mixedWord})))${value}`,
      'gi',
    ),
    '$1$mark',
  ],
  [new RegExp(`(?:(?<![A-Za-z0-9])|${escaped})(?:${tokenForms})`, 'g'), '$mark'],
];

/** Something of what each of these rules needs, for one quick look: most texts have none of it. */
const suspicious = new RegExp(
  [
    ...['passw', 'passphrase', 'pwd', 'secret', 'key', 'authorization', 'cookie', 'credential', 'bearer', 'token'],
    ...[String.raw`[_-]auth\b`, String.raw`\bauth\b`, 'basic', 'digest', 'negotiate', String.raw`:\\?/\\?/`],
    ...[String.raw`\$\w{1,8}\$`, String.raw`\s-u\s`, 'sshpass', 'mysql', String.raw`[_-]pat\W`],
    ...['(?:sig|signature|code|sid|session|sessionid|auth)=', 'x-amz-', ...tokenSigns.map(literal)],
  ].join('|'),
  'i',
);

/** Each text that `suspicious` takes has one of these, also while it stands in JSON whose escapes are no `\\u`. */
export const secretSigns: readonly string[] = [
  ...'passw passphrase pwd secret key cookie credential bearer token auth basic digest negotiate // /\\ -u $'.split(
    ' ',
  ),
  ...'sshpass mysql pat= pat: pat" pat\\ sig= signature= code= sid= session= sessionid= x-amz-'.split(' '),
  ...tokenSigns,
];
const hasSign = createWordFinder(secretSigns);

const part = String.raw`(?:[^\s\\/"'<>|]|'(?=\w))+`;
/** What follows a root: parts with up to three spaces in them, and a last one, with spaces when it has an extension. */
const trail = String.raw`(?:${part}(?: ${part}){0,3}[\\/]+)*(?:${part})?(?:(?: [^\s\\/"'<>|.]+){0,3} ${part}\.[A-Za-z]\w{0,5}\b)?`;
const home = String.raw`(?:Users|home|Documents and Settings)[\\/]+[^\s\\/"'<>|]+(?: [A-Z][^\s\\/"'<>|]*)*`;
const roots = [
  String.raw`(?:\\\\[?.]\\)?(?<![A-Za-z])[A-Za-z]:[\\/]+`,
  String.raw`(?<![\w\\])\\{2,4}(?=[\w?.])`,
  String.raw`file:(?:\\?/)*`,
  String.raw`(?<![\w~])~[\w.-]*[\\/]+`,
  String.raw`%\w+%[\\/]+|\$\{?(?:env:)?\w+\}?[\\/]+`,
  String.raw`\bHK(?:EY_[A-Z_]+|[A-Z]{1,2})[:\\]+`,
  String.raw`(?<![\w.\]])\.{1,2}[\\/]+`,
  String.raw`(?<![\w.\]\\/<])(?:\\?/)+(?=[\w.~-])`,
].join('|');

const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;

/** What stands between a word for a process and its number. */
const gap = String.raw`(?:${quote})?(?:[\s:=#(,-]|${escapes}[nrt]|\b(?:with|id|is|was|as|to|exited)\b|-\w{1,5}(?=\s)){0,8}(?:${quote})?`;
const processId = `(?<![A-Za-z])(?:[Pp]?[Pp][Ii][Dd]|[Pp][Gg](?:[Ii][Dd]|rp)|[Tt][Ii][Dd]|L(?:WP|wp))|(?<=[a-z_])(?:P(?:id|ID)|pid)`;
const processWord = `(?:[Pp]rocess(?:es)?|[Tt]hread|[Cc]hild|[Ww]orker|[Ll]eader|[Aa]ttach(?:ed)?|[Kk]ill(?:ed)?|[Ss]tarted|[Ss]pawned)(?:[_ -]?(?:[Ii][Dd]|number))?`;
/** No date, time or version. */
const numberEnds = String.raw`(?!\d|[-:.]\d)`;

const identities: readonly Rule[] = [
  // Secrets of no known form: long, and of mixed characters. Digests say what they are.
  [
    /(?<!sha(?:1|256|512)[:=-])(?<![\w+/=-])(?=[\w+/=-]*\d)(?:[0-9a-f]{32,}|(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])[\w+/=-]{24,})(?![\w+/=-])/g,
    '[auth-redacted]',
  ],
  // A part of a text in which letters and digits take turns, as they do in no word.
  [
    /(?<!sha(?:1|256|512)[:=-])(?<![A-Za-z\d])(?:(?=\d*(?:[A-Za-z]+\d+){3})[A-Za-z\d]{16,}|(?=\d*(?:[A-Za-z]+\d+){2})(?=[\dA-Z]*[a-z])(?=[\da-z]*[A-Z])[A-Za-z\d]{14,})/g,
    '[auth-redacted]',
  ],
  [/(?<![\w-])(?=[A-Z-]*\d)[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){2,}(?![\w-])/g, '[auth-redacted]'],
  [new RegExp(String.raw`(\s-p\s?)(?=${mixedWord})\S+`, 'g'), '$1[auth-redacted]'],
  [/\b(?!file:)[a-z][a-z0-9+.-]{1,30}:(?:\\?\/){2}[^\s"'<>]*/gi, '[url-redacted]'],
  [
    /\b(?:about|blob|callto|cid|data|geo|git|ipfs|javascript|jdbc|magnet|mailto|mid|news|sips?|skype|sms|ssh|steam|svn|tel|urn|view-source|vscode|webcal|xmpp):[^\s"'<>]+/gi,
    '[url-redacted]',
  ],
  [/(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z][\w-]*(?:\.[\w-]+)*(?::[^\s"'<>]+)?/g, '[id-redacted]'],
  [new RegExp(String.raw`((?:${processId})${gap})\d+${numberEnds}`, 'g'), '$1[id-redacted]'],
  [new RegExp(String.raw`(${processWord}${gap})\d{3,}${numberEnds}`, 'g'), '$1[id-redacted]'],
  [/(\s-(?:p|id)\s?)\d{3,}\b/gi, '$1[id-redacted]'],
  // As logs, traces and tables have them: name[n], name (n), ==n==, n/name, a cell between spaces.
  [/(?<=[\w.] ?\()\d{5,7}(?=\))|(?<===)\d{3,7}(?===)|(?<![\w.])\d{5,7}(?= \([a-z])/g, '[id-redacted]'],
  [/(?<![\w./])\d{3,7}(?=\/[a-z_])|(?<=\S(?: {2,20}|\t))\d{3,7}(?=\s)/gi, '[id-redacted]'],
  // Of accounts, and whatever else is counted that far.
  [/(?<![\w.-])\d{14,}(?![\w.-]*\.\d)/g, '[id-redacted]'],
  [/\[\d{3,7}\]/g, '[id-redacted]'],
  [/([.-])\d{2,7}(?=(?:\.[\w-]+)*\.(?:log|jsonl|pid|lock|sock)\b)|(\bcore\.)\d{2,7}\b/g, '$1$2[id-redacted]'],
  [new RegExp(String.raw`(?:${roots})(?:(?<=[\\/])${home}[\\/]*)?${trail}`, 'g'), '[path-redacted]'],
  [/(?<![\w.\\/-])[\w.-]+(?:[\\/]+[\w.-]+)+\.[a-z]\w{0,5}(?![\w.])/gi, '[path-redacted]'],
  // As older programs on macOS have it.
  [/\bUsers:[^\s:"'<>]+(?::[^\s:"'<>]+)*/g, '[path-redacted]'],
  [
    /\blocalhost\b(?::\d+)?|\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?|\[[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:.%\w]*\](?::\d+)?/gi,
    '[endpoint-redacted]',
  ],
  [
    /(?<![\w:.])(?:(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}|(?:[0-9a-f]{1,4}:){1,6}:|::[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})(?![\w:])/gi,
    '[endpoint-redacted]',
  ],
  [
    /(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.(?:local|localdomain|lan|internal|intranet|corp|home|private)\b(?::\d+)?/gi,
    '[endpoint-redacted]',
  ],
  [/(?<![\w.-])[a-z](?=[\w-]*[.\d-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}:\d{2,5}\b/gi, '[endpoint-redacted]'],
  [uuid, '[id-redacted]'],
];

const applied = (text: string, rules: readonly Rule[], mark: string): string =>
  rules.reduce((left, [pattern, by]) => {
    if (typeof by === 'string') return left.replace(pattern, by.replace('$mark', mark));
    return left.replace(pattern, (all, ...found) => by(mark, all, ...found));
  }, text);

/** A text without credentials: everything else stays, for those who may read what is local. */
export const withoutSecrets = (text: string): string =>
  mayHoldSecret(text) ? applied(text, credentials, censored) : text;

/** Whether a text, plain or JSON, has to be looked through: cheap, and true of much that holds none. */
export const mayHoldSecret = (text: string): boolean => hasSign(text) && suspicious.test(text);

/**
 * A text that the public may read: without credentials, paths, addresses of every scheme, hosts, ids of processes and
 * instances, and people. `names` are further words that may not be in it, such as the user's and the machine's.
 */
export function publicText(text: string, names: readonly string[] = []): string {
  const clean = applied(applied(text, credentials, '[auth-redacted]'), identities, '');
  return names
    .filter(each => each.length > 2)
    .reduce((left, each) => left.replaceAll(new RegExp(literal(each), 'gi'), '[id-redacted]'), clean);
}

/** Deeper, a value is left out: nobody reads it, and it could hold the thread. */
const mostDepth = 64;

/** A copy of a JSON value: what stands under the key of a secret is censored, and every text is `clean`ed. */
export function redacted(value: unknown, clean: (text: string) => string = withoutSecrets, depth = 0): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= mostDepth) return censored;
  if (Array.isArray(value)) return value.map(each => redacted(each, clean, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      clean(key),
      isSecretKey(key) && (typeof each === 'string' || typeof each === 'object') && each !== null
        ? censored
        : redacted(each, clean, depth + 1),
    ]),
  );
}

/** Whether somebody, or a rule of this file, has taken something out of a text. */
export const isMarked = (text: string): boolean => /[[<{](?:[a-z]+-)?redacted[\]>}]/i.test(text);
