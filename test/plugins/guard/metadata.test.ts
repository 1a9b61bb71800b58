/** Where a protected resource says who gives tokens for it, by the name that it was asked by. */
import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { listeningApp } from '../../helper.ts';

async function resource(options: object = {}) {
  const { url } = await listeningApp([], {
    oauth_issuer: 'https://issuer.example',
    oauth_audience: 'studio',
    ...options,
  });
  const { port } = new URL(url);
  const ask = (host: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const path = '/.well-known/oauth-protected-resource/mcp';
      const asked = httpRequest(
        { host: '127.0.0.1', port, path, headers: { host, ...headers }, agent: false },
        answer => {
          let text = '';
          answer.setEncoding('utf8').on('data', piece => {
            text += piece;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        },
      );
      asked.on('error', reject).end();
    });
  const named = async (host: string, headers?: Record<string, string>) => {
    const { status, text } = await ask(host, headers);
    return status === 200 ? (JSON.parse(text) as { resource: string }).resource : status;
  };
  return { port, named };
}

test('an audience that is no address: the resource is the Host, in figures too, and no name that is not served', async () => {
  const { port, named } = await resource();
  expect(await named(`127.0.0.1:${port}`)).toBe(`http://127.0.0.1:${port}/mcp`);
  expect(await named(`[::1]:${port}`)).toBe(`http://[::1]:${port}/mcp`);
  expect(await named(`localhost:${port}`)).toBe(`http://localhost:${port}/mcp`);
  for (const host of ['evil.example', `evil.example:${port}`, '[::1', 'localhost@evil.example'])
    expect(await named(host)).toBe(403);
  // Nobody is trusted to say how it was asked.
  expect(await named('localhost', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' })).toBe(
    'http://localhost/mcp',
  );
});

test('behind a proxy: its scheme where it is trusted, and the name that is allowed; an audience that is an address stands', async () => {
  const behind = await resource({ xff_trusted_depth: 1, allowed_hosts: ['studio.example'] });
  const proto = (value: string) => ({ 'x-forwarded-proto': value });
  expect(await behind.named('studio.example', proto('https'))).toBe('https://studio.example/mcp');
  expect(await behind.named('studio.example', proto('http, https'))).toBe('https://studio.example/mcp');
  for (const odd of ['javascript', '', 'https://evil.example/?'])
    expect(await behind.named('studio.example', proto(odd))).toBe('http://studio.example/mcp');
  const audience = 'https://tools.example/mcp';
  const stated = await resource({ oauth_audience: audience, allowed_hosts: ['studio.example'] });
  expect(await stated.named('studio.example', proto('http'))).toBe(audience);
});
