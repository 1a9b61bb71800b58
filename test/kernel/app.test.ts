import { expect, test } from 'vitest';
import { definePlugin, rpcErrors } from '../../kernel/index.ts';
import { kernelApp, listeningKernel } from './support.ts';

const failing = definePlugin({ name: 'failing' }, app => {
  app.get('/known', () => {
    throw rpcErrors.TIMEOUT({ what: 'it', timeout_ms: 5 });
  });
  app.get('/unknown', async () => {
    throw new Error('secret path /x/y');
  });
  app.post('/json', request => ({ got: request.body }));
});

test('an application without plugins starts, answers 404 as a REST error, and closes', async () => {
  const app = await kernelApp([]);
  const answer = await app.inject('/nothing?token=abc');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toEqual({ kind: 'not-found', message: 'No route GET /nothing' });
});

test('the one error handler gives status and body of the error table', async () => {
  const { url } = await listeningKernel([failing]);
  const answer = await fetch(`${url}/known`);
  expect(answer.status).toBe(504);
  expect(await answer.json()).toEqual({
    kind: 'rpc-timeout',
    message: 'it did not answer within 5 ms',
    code: 'SVC_RPC_TIMEOUT',
    context: { what: 'it', timeout_ms: 5 },
  });
  const unknown = await fetch(`${url}/unknown`);
  expect([unknown.status, await unknown.json()]).toMatchObject([500, { code: 'SVC_RPC_INTERNAL' }]);
});

test('what Fastify refuses keeps its 4xx: malformed JSON 400, body cap 413, content type 415', async () => {
  const { url } = await listeningKernel([failing], { max_request_body_bytes: 2048 });
  const post = (body: string, type = 'application/json') =>
    fetch(`${url}/json`, { method: 'POST', body, headers: { 'content-type': type } });
  expect((await post('{"a":1}')).status).toBe(200);
  expect((await post('{oops')).status).toBe(400);
  expect((await post('{"__proto__":{"a":1}}')).status).toBe(400);
  expect((await post('<x/>', 'application/xml')).status).toBe(415);
  const big = await post(JSON.stringify('x'.repeat(5000)));
  expect([big.status, Object.keys((await big.json()) as object)]).toEqual([413, ['kind', 'message']]);
});
