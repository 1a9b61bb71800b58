/** Credentials of every kind, each with a part that is nowhere else: made here, so that no file holds one. */
import { randomBytes } from 'node:crypto';

export interface Planted {
  readonly kind: string;
  /** As it stands in a text. */
  readonly text: string;
  /** What of it may be found nowhere. */
  readonly core: string;
}

const letters = (count: number): string =>
  [...randomBytes(count)].map(each => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[each % 32]).join('');
const hex = (count: number): string => randomBytes(count / 2).toString('hex');

const kinds: Readonly<Record<string, (core: string) => string>> = {
  'personal token of GitHub': core => `ghp_${core}`,
  'fine-grained token of GitHub': core => `github_pat_${core}`,
  'token of GitLab': core => `glpat-${core}`,
  'token of Slack': core => `xoxb-1234567890-${core}`,
  'key of an AI service': core => `sk-proj-${core}`,
  'live key of Stripe': core => `sk_live_${core}`,
  'secret of a webhook': core => `whsec_${core}`,
  'key of Google': core => `AIza${core}`,
  'token of npm': core => `npm_${core}`,
  'token of PyPI': core => `pypi-${core}`,
  'token of Hugging Face': core => `hf_${core}`,
  'key of SendGrid': core => `SG.${core}.${core}`,
  'JSON web token': core => `eyJhbGciOiJIUzI1NiJ9.eyJ${core}.${core}`,
  'private key': core => `-----BEGIN RSA PRIVATE KEY-----\n${core}\n-----END RSA PRIVATE KEY-----`,
  'address with a password': core => `postgres://farm:${core}@db.studio.example/shots`,
  'bearer token': core => `Authorization: Bearer ${core}`,
  'basic authorization': core => `Authorization: Basic ${core}==`,
  cookie: core => `Cookie: session=${core}; theme=dark`,
  password: core => `password=${core}`,
  'secret of the environment': core => `AWS_SECRET_ACCESS_KEY=${core}`,
  'signed address': core => `https://bucket.example/plate.exr?X-Amz-Signature=${core}`,
  'option of a command': core => `render --api-key ${core}`,
};

export const planted: readonly Planted[] = Object.entries(kinds).map(([kind, make]) => {
  const core = `${letters(16)}${hex(24)}`;
  return { kind, core, text: make(core) };
});

/** The same under the names that keys of secrets have: nothing in the value says what it is. */
export const keyed: readonly Planted[] = [
  ...['password', 'apiKey', 'access_token', 'client_secret', 'Authorization', 'privateKey', 'X-Api-Key', 'credentials'],
].map(kind => {
  const core = `${letters(12)}${hex(12)}`;
  return { kind: `value of the key ${kind}`, core, text: core };
});

export const keyedObject = (): Record<string, string> =>
  Object.fromEntries(keyed.map(each => [each.kind.replace('value of the key ', ''), each.text]));

/** The kinds whose core stands in a text. */
export const foundIn = (text: string): string[] =>
  [...planted, ...keyed].filter(each => text.includes(each.core)).map(each => each.kind);
