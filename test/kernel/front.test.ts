import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import { definePlugin, rpcErrors } from '../../kernel/index.ts';
import { listeningKernel } from './support.ts';

/** An application whose POST /hot answers `direct` by the short way and `routed` through the router. */
async function rig(before: Promise<unknown> = Promise.resolve()) {
  const plugin = definePlugin({ name: 'hot' }, (app, { kernel, scope }) => {
    app.post('/hot', () => 'routed');
    kernel.front.holdUntil(before);
    scope.add(
      'direct',
      kernel.front.direct('POST', '/hot', (_request, response) => void response.end('direct')),
    );
    scope.add(
      'guard',
      kernel.front.guard(({ headers }) =>
        headers['x-bad'] === undefined ? undefined : rpcErrors.INVALID_REQUEST({ reason: 'x-bad is refused' }),
      ),
    );
  });
  const { app, url } = await listeningKernel([plugin]);
  const ask = (path: string, method = 'POST', headers: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const sent = httpRequest(url + path, { method, headers }, response => {
        let text = '';
        response.on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      sent.on('error', reject).end();
    });
  return { app, ask };
}

test('a direct route answers its method and exact path; everything else takes the router', async () => {
  const { ask } = await rig();
  expect(await ask('/hot')).toEqual({ status: 200, text: 'direct' });
  expect(await ask('/hot?a=1')).toEqual({ status: 200, text: 'routed' });
  expect((await ask('/hot', 'GET')).status).toBe(404);
  expect((await ask('/none')).status).toBe(404);
});

test('guards stand before both ways, and their refusal is an answer of the error table', async () => {
  const { ask } = await rig();
  for (const path of ['/hot', '/hot?a=1', '/none']) {
    const { status, text } = await ask(path, 'POST', { 'x-bad': '1' });
    expect(status).toBe(400);
    expect(text).toContain('x-bad is refused');
  }
});

test('while held, and once removed, a direct route takes the router', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  const { app, ask } = await rig(held);
  expect((await ask('/hot')).text).toBe('routed');
  release();
  await held;
  expect((await ask('/hot')).text).toBe('direct');
  const again = app.kernel.front.direct('POST', '/hot', (_request, response) => void response.end('other'));
  expect((await ask('/hot')).text).toBe('other');
  await again();
  expect((await ask('/hot')).text).toBe('routed');
});

test('of two methods of a path one that is removed leaves the other, and an older one that was replaced the newer', async () => {
  const { app, ask } = await rig(Promise.resolve());
  await Promise.resolve();
  const { front } = app.kernel;
  const other = front.direct('PUT', '/hot', (_request, response) => void response.end('put'));
  await other();
  expect((await ask('/hot')).text).toBe('direct');
  const older = front.direct('POST', '/hot', (_request, response) => void response.end('older'));
  front.direct('POST', '/hot', (_request, response) => void response.end('newer'));
  await older();
  expect((await ask('/hot')).text).toBe('newer');
});
