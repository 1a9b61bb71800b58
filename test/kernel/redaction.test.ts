import { expect, test } from 'vitest';
import {
  censored,
  isMarked,
  isSecretKey,
  mayHoldSecret,
  publicText,
  redacted,
  withoutSecrets,
} from '../../schemas/redaction.ts';
import { published } from './published-secrets.ts';
import { corpus, tokens } from './redaction-corpus.ts';

const left = (text: string, gone: readonly string[]): string[] =>
  gone.filter(each => text.toLowerCase().includes(each.toLowerCase()));

test('nothing that is planted survives a text for the public', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(200);
  // The corpus itself can fail.
  expect(corpus.filter(({ text, gone }) => left(text, gone).length === 0)).toEqual([]);
  const survivors = corpus.filter(({ text, gone }) => left(publicText(text), gone).length > 0);
  expect(survivors.map(({ text }) => `${text} -> ${publicText(text)}`)).toEqual([]);
});

test('no form of a secret that its issuer has published survives, nor a home, an address or a process', () => {
  expect(published.length).toBeGreaterThanOrEqual(300);
  expect(
    new Set(published.flatMap(({ text }) => /[a-z][a-z0-9+.-]+(?=:\/\/)/.exec(text)?.[0] ?? [])).size,
  ).toBeGreaterThan(40);
  expect(published.filter(({ text, gone }) => left(text, gone).length === 0)).toEqual([]);
  const survivors = published.filter(({ text, gone }) => left(publicText(text), gone).length > 0);
  expect(survivors.map(({ kind, text }) => `${kind}: ${text} -> ${publicText(text)}`)).toEqual([]);
});

test('a text that stays here loses every form that says what it is; the rest has ids of its own, which stay', () => {
  const credentials = published.filter(({ kind }) => kind !== 'place' && kind !== 'process');
  expect(credentials.length).toBeGreaterThanOrEqual(140);
  const survivors = credentials.filter(({ text, gone }) => left(withoutSecrets(text), gone).length > 0);
  // Nothing but a run of letters and digits, as an id of ours is one too.
  expect(survivors.map(({ kind }) => kind)).toEqual([
    ...['Twilio, account', 'Twilio, key', 'Vault, older', 'Discord, bot', 'Airtable', '.pgpass'],
  ]);
});

test.each([
  'its token is not valid',
  'The token is unknown: no token is given',
  'the password is required, and the API key was revoked',
  'a token is for one server; its secret is never shown',
  'Credential is missing or the cookie is expired',
  'token is Invalid',
])('what is said of a token is none: %s', text => {
  expect([withoutSecrets(text), publicText(text)]).toEqual([text, text]);
});

test('what a token is, is one: in a word, in quotes, with a mark', () => {
  for (const text of ['the password is swordfish', 'token is "not so"', 'my_pat=Ab3', 'the secret was xy7, and more']) {
    expect(withoutSecrets(text)).toContain(censored);
    expect(withoutSecrets(text)).not.toMatch(/swordfish|so"|Ab3|xy7/);
  }
});

test('all of it at once does not survive either, in a text or deep in a value', () => {
  const all = corpus.flatMap(each => each.gone);
  expect(left(publicText(corpus.map(each => each.text).join('\n')), all)).toEqual([]);
  const value = { deep: corpus.map(({ text }, index) => ({ [`k${index}`]: [text] })) };
  expect(left(JSON.stringify(redacted(value, publicText)), all)).toEqual([]);
});

test('a quick look misses nothing that is a credential, and passes what is plain', () => {
  const texts = [
    ...[...corpus, ...published].map(each => each.text),
    ...tokens.slice(0, -2),
    'https:\\/\\/a:b@c',
    'auth: x1',
    'x -u a:b',
  ];
  const missed = texts.filter(each => !mayHoldSecret(each));
  expect(missed.filter(each => withoutSecrets(`bearer abcd ${each}`) !== `bearer ${censored} ${each}`)).toEqual([]);
  expect(['maya_geometry__create_sphere', '{"radius":1.5,"name":"ball"}', 'tools/call'].filter(mayHoldSecret)).toEqual(
    [],
  );
});

test('the quick look knows each sign of a credential', () => {
  const signs =
    'passw passphrase pwd secret key authorization cookie credential bearer token x_auth a-auth auth basic digest negotiate ' +
    ':// :\\/\\/ :/\\/ sig= signature= code= sid= session= auth= x-amz- ghp_ gho_ ghu_ ghs_ ghr_ github_ glpat- glsa_ xox xapp- sk- ' +
    'sk_ pk_ rk_ whsec_ akia0 asiaa agpab aidac aroad aiza ya29. 1//0 gocspx npm_ pypi- hf_ sg. shpa doo_ dop_ dor_ hvs. ' +
    'hvb. lin_ ntn_ sq0 dapi0 dapif dp. pmak- 1: nrak- eyj $apr1$ $2b$';
  const missed = [...signs.split(' '), ' -u x', '\n-u\t'].filter(each => !mayHoldSecret(`x ${each}`));
  expect(missed).toEqual([]);
  expect(signs.split(' ').filter(each => !mayHoldSecret(`x ${each.toUpperCase()}`))).toEqual([]);
});

test('a text that stays here loses its credentials and nothing else', () => {
  for (const token of tokens.slice(0, -2)) expect(withoutSecrets(`got ${token}, then`)).not.toContain(token.slice(-16));
  expect(withoutSecrets('GET https://ada:hunter2@host.corp/x?a=1&token=abc /home/ada pid 12')).toBe(
    `GET https://${censored}@host.corp/x?a=1&token=${censored} /home/ada pid 12`,
  );
  expect(withoutSecrets('Authorization: Basic YWRhOmh1bnRlcjI=\nHost: x')).toBe(`Authorization: ${censored}\nHost: x`);
  expect(JSON.parse(withoutSecrets('{"token":"a\\"b","n":1,"Authorization":"x, y"}'))).toEqual({
    ...{ token: censored, n: 1, Authorization: censored },
  });
});

test.each([
  'Tool "maya_geometry__create_sphere" failed at 10:30:15: the value 3/4 and/or x was not 1.2.3; try tools/list',
  'svc 0.1.0 on Node v20.20.2 (linux-x64) failed with SVC_TOOLS_FAILED -32002',
  `fingerprint sha256:${'a1'.repeat(32)}`,
  'total_tokens: 15, token_accounting: 5, completion_tokens=3',
  'std::vector, a ? b : c, {"x":1,"y":[2]} and "maximum": 5',
  'Bearer tokens need a password of 12 characters; basic operations work',
  'it started 2026-11-22T10:15:30.123Z with 4 workers and 16 threads, 1,920 of 65,536 frames (2026), process 1.2',
  'maya.ab12cd34.make_sphere of dcc-mcp-maya 1.2.3 on 3dsmax 2026.1 (win32), Python 3.11.4, Qt 6.5.3',
  'mesh01_v003 has 12000 faces; layer2_diffuse is 4096x2048; pCube12.translateX = 3.5e-05',
  'error_kind gateway_timeout at step 3 of 12: retry after 1500 ms, 75% done',
])('a sentence with nothing in it stays: %s', text => {
  expect(publicText(text)).toBe(text);
  expect(isMarked(text)).toBe(false);
});

test('words that are told are taken out, whatever is in them', () => {
  expect(publicText('BOX-7 of a.d+a', ['box-7', 'a.d+a', 'of'])).toBe('[id-redacted] of [id-redacted]');
});

test('keys that name secrets, and what stands under them', () => {
  const secret = [
    'token',
    'accessToken',
    'X-Auth-Token',
    'apiKey',
    'client_secret',
    'Set-Cookie',
    'PASSWORD',
    'x-auth',
  ];
  expect(secret.filter(each => !isSecretKey(each))).toEqual([]);
  expect(
    ['tokens', 'total_tokens', 'token_accounting', 'progressToken', 'key', 'author', 'keyframe'].filter(isSecretKey),
  ).toEqual([]);
  expect(redacted({ token: 'a', nested: { password: { x: 1 } }, cookie: null, n: 1, list: ['Bearer abcd'] })).toEqual({
    ...{ token: censored, nested: { password: censored }, cookie: null, n: 1, list: [`Bearer ${censored}`] },
  });
});

test.each(['[redacted]', '<redacted>', '{redacted}', '[path-redacted]', 'x [AUTH-REDACTED] y'])(
  '%s is a mark',
  text => {
    expect(isMarked(text)).toBe(true);
  },
);

test('a long text of anything does not hold the thread', () => {
  const unit = ['a-', '/a', ' C:\\a b c', 'token=', '//', 'a@', 'aA1', '\\"', 'x ', '.a', 'pid ', ':', '[', 'bearer '];
  for (const each of unit) {
    const text = each.repeat(200_000 / each.length);
    const begun = performance.now();
    publicText(text);
    expect(performance.now() - begun, each).toBeLessThan(1000);
  }
});

test('a value without end is cut', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  expect(JSON.stringify(redacted(deep))).toContain(censored);
});

test('what stands in JSON inside a text, however deep, is found line by line; a harmless value hides none', () => {
  const secrets = [
    `ghp_${'a1'.repeat(10)}`,
    `password=${'b2'.repeat(8)}`,
    `Cookie: session=${'c3'.repeat(8)}; theme=dark`,
  ];
  let text = ['theme=dark', ...secrets, `size=2 x-auth=${'d4'.repeat(8)}`, `--api-key ${'e5'.repeat(8)}`].join('\n');
  for (let depth = 0; depth < 4; depth += 1) {
    const clean = withoutSecrets(text);
    expect(clean).not.toMatch(/(?:a1|b2|c3|d4|e5){8}/);
    expect(clean).toContain('theme=dark');
    text = JSON.stringify({ content: [{ text }] });
  }
});
