import { expect, test } from 'vitest';
import { isSecretName, maybeSecret, redacted, redactSecrets, redactText } from '../../schemas/redaction.ts';

/** Made up, and put together here so that no scanner takes them for real ones. */
const planted = {
  aws: ['AKIA', 'QWERTYUIOPASDFGH'],
  github: ['ghp', '_16C7e42F292c6912E7710c838347Ae178B4a'],
  github_fine: ['github', '_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz'],
  gitlab: ['glpat', '-ABCdef123456GHIjkl78'],
  slack: ['xoxb', '-123456789012-abcdefGHIJKL'],
  slack_hook: ['https://hooks.slack', '.com/services/T0000/B0000/XXXXyyyyZZZZ'],
  google: ['AIza', 'SyA1234567890abcdefghijklmnopqrstuv'],
  google_oauth: ['ya29', '.a0AfH6SMBxyz123_abc'],
  model: ['sk', '-ant-api03-abcdefghijklmnop1234'],
  stripe: ['sk', '_live_4eC39HqLyjWDarjtT1zdp7dc'],
  webhook_key: ['whsec', '_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  npm: ['npm', '_abcdefghijklmnopqrstuvwxyz0123456789'],
  pypi: ['pypi', '-AgEIcHlwaS5vcmcCJGZmZmZmZmZm'],
  hub: ['hf', '_abcdefghijklmnopqrstuvwxyzABCD'],
  mail: ['SG', '.abcdefghijklmnopqrst.uvwxyzABCDEFGHIJ'],
  jwt: ['eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN'],
  pem: ['-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----'],
  vault: ['hvs', '.CAESIJ1234567890abcdefghij'],
  ocean: ['dop', '_v1_0123456789abcdef0123456789abcdef'],
  robot: ['123456789', ':AAabcdefghijklmnopqrstuvwxyz0123456'],
};
const secrets = Object.entries(planted).map(([kind, parts]) => [kind, parts.join('')] as const);

test.each(secrets)('a credential is known by its look: %s', (_kind, secret) => {
  for (const text of [secret, `use ${secret} now`, JSON.stringify({ note: `x ${secret}` }), `a="${secret}"`]) {
    expect(maybeSecret(text)).toBe(true);
    expect(redactText(text)).toContain(redacted);
    expect(redactText(text)).not.toContain(secret);
  }
});

test('a credential is known by what stands before it', () => {
  const said = {
    'Authorization: Bearer abcdef1234': `Authorization: Bearer ${redacted}`,
    'basic dXNlcjpwYXNz': `basic ${redacted}`,
    'curl --token s3cr3tvalue -v': `curl --token ${redacted} -v`,
    'DB_PASSWORD=hunter22 run': `DB_PASSWORD=${redacted} run`,
    '{\\"api_key\\": \\"abc\\"}': `{\\"api_key\\": \\"${redacted}\\"}`,
    'https://x/y?a=1&sig=abc%2F&b=2': `https://x/y?a=1&sig=${redacted}&b=2`,
    'postgres://me:pw@host/db': `postgres://${redacted}@host/db`,
    'Endpoint=sb://x/;SharedAccessKey=abc=;': `Endpoint=sb://x/;SharedAccessKey=${redacted};`,
  };
  for (const [text, expected] of Object.entries(said)) expect(redactText(text)).toBe(expected);
});

test('what is no credential stays as it is', () => {
  const plain = [
    'the basic understanding of a token economy',
    'progressToken: 5, max_tokens: 100, next_page_token=abc',
    'author: bob, keyboard=qwerty, mapping: on',
    'tasks-ordered-by-priority-and-name',
    'see https://example.com/path?page=2',
    'token: null',
  ];
  for (const text of plain) expect(redactText(text)).toBe(text);
});

test('names of secrets, in any spelling', () => {
  for (const name of ['password', 'dbPassword', 'API-Key', 'X-Api-Key', 'access_token', 'accessToken', 'Set-Cookie'])
    expect(isSecretName(name), name).toBe(true);
  for (const name of ['progressToken', 'tool_name', 'token_count', 'keyboard', 'author', 'total_tokens', 'key'])
    expect(isSecretName(name), name).toBe(false);
});

test('values: what a secret name holds goes, whatever it is; the rest is the very same', () => {
  const paths: string[] = [];
  const value = { a: [{ password: 12345 }, 'ok'], credentials: { user: 'me', list: ['x'] }, note: 'plain', on: true };
  const kept = redactSecrets(value, path => paths.push(path));
  expect(kept).toEqual({
    a: [{ password: redacted }, 'ok'],
    credentials: { user: redacted, list: [redacted] },
    note: 'plain',
    on: true,
  });
  expect(paths).toEqual(['a.0.password', 'credentials.user', 'credentials.list.0']);
  expect(value.a[0]).toEqual({ password: 12345 });
  const plain = { deep: [{ text: 'nothing here' }] };
  expect(redactSecrets(plain)).toBe(plain);
});

test('a text of any make is looked through in time that grows with its length', () => {
  const texts = ['a:'.repeat(50_000), 'eyJ'.repeat(30_000), 'bearer '.repeat(15_000), 'http://'.repeat(15_000)];
  const began = performance.now();
  for (const text of [...texts, '-----BEGIN PRIVATE KEY-----'.repeat(4000), 'a'.repeat(100_000)]) redactText(text);
  expect(performance.now() - began).toBeLessThan(2000);
});
