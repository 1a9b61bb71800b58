/** `gateway_backend_tokens_file`: what the gateway says of itself to instances of other machines, and to nobody else. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenFor } from '../../../../plugins/gateway/backends/authorization.ts';
import { tempDir, waitFor } from '../../../helper.ts';
import { startGateway, startStranger } from './support.ts';

const [one, two] = ['a-token-of-the-tests', 'another-token-of-the-tests'];

test('a token is for addresses that begin with its own, the longest first, and for no host that only looks like it', () => {
  const entries = [
    { url: 'http://farm.example', token: 'all' },
    { url: 'http://farm.example/maya/', token: 'maya' },
  ];
  expect(tokenFor(entries, 'http://farm.example/mcp')).toBe('all');
  expect(tokenFor(entries, 'http://farm.example/maya/mcp')).toBe('maya');
  for (const other of [
    'http://farm.example.evil/mcp',
    'http://farm.example:81/mcp',
    'https://farm.example/mcp',
    'http://farm.example@evil/mcp',
  ])
    expect(tokenFor(entries, other)).toBeUndefined();
});

test.skipIf(process.platform === 'win32')(
  'a file that others may read, or that is no list, is a start that fails and quotes nothing',
  async () => {
    const file = join(await tempDir(), 'tokens.yaml');
    const failing = async (text: string, mode: number, says: RegExp) => {
      await writeFile(file, text);
      await chmod(file, mode);
      const failure = await startGateway({ gateway_backend_tokens_file: file }).then(
        () => 'started',
        (error: Error) => error.message,
      );
      expect(failure).toMatch(says);
      expect(failure).not.toContain(one);
    };
    await failing('[]', 0o644, /others may read it: chmod 600/);
    await failing(`[{ url: http://x, token: ${one} `, 0o600, /no YAML/);
    await failing(`[{ url: x, token: ${one} }]`, 0o600, /url/);
    await failing(`{ url: http://x, token: ${one} }`, 0o600, /array|list/);
  },
);

test('an instance hears the token of the file, and the next one once the file has it; the client’s own never', async () => {
  const file = join(await tempDir(), 'tokens.yaml');
  await writeFile(file, '[]', { mode: 0o600 });
  const gateway = await startGateway({ gateway_backend_tokens_file: file });
  const heard: unknown[] = [];
  const { instance_id, port } = await startStranger(gateway, (request, response) => {
    heard.push(request.headers.authorization);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":{}}');
  });
  const ask = async (): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: 'Bearer of-the-client' };
    const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    await (await fetch(`${gateway.url}/mcp/${instance_id}`, { method: 'POST', headers, body })).text();
    return heard.at(-1);
  };
  expect(await ask()).toBeUndefined();
  for (const token of [one, two]) {
    await writeFile(file, JSON.stringify([{ url: `http://127.0.0.1:${port}`, token }]), { mode: 0o600 });
    await waitFor(async () => (await ask()) === `Bearer ${token}`, 'the token');
  }
  expect(heard.join()).not.toContain('of-the-client');
});
