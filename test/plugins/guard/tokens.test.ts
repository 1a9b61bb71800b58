import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createSchemas } from '../../../kernel/index.ts';
import { guardPlugin } from '../../../plugins/guard/index.ts';
import { Account } from '../../../plugins/guard/limits.ts';
import { openTokenFile } from '../../../plugins/guard/token-file.ts';
import { bearerOf, callerOf, createTokens } from '../../../plugins/guard/tokens.ts';
import { createVerdicts } from '../../../plugins/guard/verdicts.ts';
import { digestOf } from '../../../schemas/tokens.ts';
import { mcpPlugin } from '../../contracts/rooms.ts';
import { listeningApp, tempDir, testApp, waitFor } from '../../helper.ts';

const [one, two, set] = ['a-token-of-the-tests', 'another-token-of-the-tests', 'a-token-of-the-settings'];
const names = (entry: Parameters<typeof callerOf>[0]) => [...callerOf(entry).scopes].sort();

test('a token is known by itself or by its digest, and by nothing like it', () => {
  const tokens = createTokens([
    { label: 'one', token: one },
    { label: 'two', sha256: digestOf(two).toUpperCase() },
  ]);
  expect(tokens.find(one)?.label).toBe('one');
  expect(tokens.find(two)?.label).toBe('two');
  for (const wrong of ['', `${one}x`, one.slice(1), digestOf(one), digestOf(two)])
    expect(tokens.find(wrong)).toBeUndefined();
});

test('an entry with both or neither of token and sha256 is refused by its label', () => {
  expect(() => createTokens([{ label: 'farm' }])).toThrow(/"farm".*either/);
  expect(() => createTokens([{ label: 'farm', token: one, sha256: digestOf(one) }])).toThrow(/"farm".*either/);
});

test('a scope includes what it takes to use it; who names host types gets a token for them and no more', () => {
  expect(names({ label: 'x' })).toEqual(['call', 'read', 'register']);
  expect(names({ label: 'x', scopes: ['read'] })).toEqual(['read']);
  expect(names({ label: 'x', scopes: ['call'] })).toEqual(['call', 'read']);
  expect(names({ label: 'x', scopes: ['admin'] })).toEqual(['admin', 'call', 'read', 'register']);
  expect(names({ label: 'x', allowed_dcc: ['maya'] })).toEqual(['register']);
  expect(names({ label: 'x', allowed_dcc: ['maya'], scopes: ['read'] })).toEqual(['read', 'register']);
});

test('the scheme is Bearer in any case, and the token one word', () => {
  expect(bearerOf('bEaReR abc')).toBe('abc');
  expect(bearerOf('Bearer   abc ')).toBe('abc');
  for (const wrong of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'abc']) {
    expect(bearerOf(wrong)).toBeUndefined();
  }
});

test('a file of tokens is read again when it changes; what is wrong in it changes nothing and quotes nothing', async () => {
  const file = join(await tempDir(), 'tokens.yaml');
  const said: string[] = [];
  const log = { info: () => undefined, error: (_about: unknown, text?: string) => void said.push(text ?? '') };
  const write = (text: string) => writeFile(file, text, { mode: 0o600 });
  const known = (label: string, token: string) => JSON.stringify([{ label, sha256: digestOf(token) }]);
  await write(known('one', one));
  const entries = [{ label: 'set', token: set }];
  const opened = await openTokenFile({ file, entries, schemas: createSchemas(), log, onChange: () => undefined });
  onTestFinished(opened.close);
  expect([one, two, set].map(each => opened.find(each)?.label)).toEqual(['one', undefined, 'set']);
  await write(known('second', two));
  await waitFor(() => opened.find(two), 'the new token');
  expect([one, set].map(each => opened.find(each)?.label)).toEqual([undefined, 'set']);
  await write(`[{ label: two, token: ${one} `);
  await waitFor(() => said.length > 0, 'the word');
  expect(said.join()).toMatch(/neither JSON nor YAML.*still hold/);
  expect(said.join()).not.toContain(one);
  expect(opened.find(two)?.label).toBe('second');
});

test('a file that cannot be used is a start that fails with the reason, and without what stands in it', async () => {
  const file = join(await tempDir(), 'tokens.yaml');
  const failing = async (text: string, says: RegExp, mode = 0o600) => {
    await writeFile(file, text);
    await chmod(file, mode);
    const failure = await testApp([guardPlugin], { auth_tokens_file: file }).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(failure).toMatch(says);
    expect(failure).not.toContain(one);
  };
  await failing(`[{ label: farm, token: ${one} }]`, /sha256.*farm/);
  await failing(`{{ ${one}`, /neither JSON nor YAML/);
  await failing(`{ label: farm, token: ${one} }`, /list of tokens/);
  await failing(`[{ label: farm, sha256: ${one} }]`, /sha256/);
  if (process.getuid) await failing('[]', /others may write/, 0o622);
});

test('a token that was used is refused as soon as the file no longer has it', async () => {
  const file = join(await tempDir(), 'tokens.json');
  const write = (label: string, token: string) =>
    writeFile(file, JSON.stringify([{ label, sha256: digestOf(token), scopes: ['read'] }]), { mode: 0o600 });
  await write('one', one);
  const { url } = await listeningApp([mcpPlugin], { auth_tokens_file: file });
  const status = async (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status;
  };
  expect([await status(one), await status(one), await status(two)]).toEqual([400, 400, 401]);
  await write('two', two);
  await waitFor(async () => (await status(two)) === 400, 'the new token');
  expect(await status(one)).toBe(401);
});

test('on a connection the header of its last request counts again: that one alone, while it holds', () => {
  let now = 1000;
  const verdicts = createVerdicts(() => now);
  const connection = { remoteAddress: '127.0.0.1' };
  const verdict = { caller: callerOf({ label: 'x' }), account: new Account(), until: 2000 };
  expect(verdicts.again(connection, 'Bearer one')).toBeUndefined();
  verdicts.keep(connection, 'Bearer one', verdict);
  expect(verdicts.again(connection, 'Bearer one')).toBe(verdict);
  for (const other of ['Bearer onf', 'Bearer on', 'Bearer one ', '']) {
    expect(verdicts.again(connection, other)).toBeUndefined();
  }
  expect(verdicts.again({ remoteAddress: '127.0.0.1' }, 'Bearer one')).toBeUndefined();
  now = 2000;
  expect(verdicts.again(connection, 'Bearer one')).toBeUndefined();
  now = 1000;
  verdicts.forget();
  expect(verdicts.again(connection, 'Bearer one')).toBeUndefined();
});

test('a verdict ends with its time, is forgotten when tokens change, and is not remembered when they did meanwhile', () => {
  let now = 1000;
  const verdicts = createVerdicts(() => now);
  const caller = callerOf({ label: 'x' });
  const account = new Account();
  const key = verdicts.keyOf(`Bearer ${one}`);
  expect([key === verdicts.keyOf(`Bearer ${one}`), key === createVerdicts().keyOf(`Bearer ${one}`)]).toEqual([
    true,
    false,
  ]);
  verdicts.remember(key, { caller, account, until: 2000 }, verdicts.edition);
  expect(verdicts.find(key)?.caller).toBe(caller);
  now = 2000;
  expect(verdicts.find(key)).toBeUndefined();
  const since = verdicts.edition;
  verdicts.remember(key, { caller, account, until: 9000 }, since);
  verdicts.forget();
  expect(verdicts.find(key)).toBeUndefined();
  verdicts.remember(key, { caller, account, until: 9000 }, since);
  expect(verdicts.find(key)).toBeUndefined();
});
