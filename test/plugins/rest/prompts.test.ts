import fc from 'fast-check';
import { expect, test } from 'vitest';
import { prompting, promptsYaml } from '../prompts/support.ts';
import { raw, restApp } from './support.ts';

const packages = { alpha: prompting('alpha', { 'prompts.yaml': promptsYaml('review', 'a/b.c') }) };
const args = (value: unknown) => `?args=${encodeURIComponent(JSON.stringify(value))}`;

test('GET /v1/prompts lists with total and request_id [spec:shape:instance]', async () => {
  const { get, app } = await restApp(packages);
  expect((await get('/v1/prompts')).json).toMatchObject({ total: 0, prompts: [] });
  await app.skills.load('alpha');
  const answer = await get('/v1/prompts', { headers: { 'x-request-id': 'me' } });
  expect(answer.json).toEqual({
    total: 2,
    prompts: ['a/b.c', 'review'].map(name => ({
      name,
      description: `About ${name}.`,
      arguments: [{ name: 'path', required: true }],
    })),
    request_id: 'me',
  });
});

test('GET /v1/prompts/{name}?args= renders [spec:shape:instance]', async () => {
  const { get, app } = await restApp(packages);
  await app.skills.load('alpha');
  const answer = await get(`/v1/prompts/review${args({ path: 'a & b=c/ü', other: [1] })}`);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    description: 'About review.',
    messages: [{ role: 'user', content: { type: 'text', text: 'review of a & b=c/ü' } }],
  });
  expect((await get(`/v1/prompts/${encodeURIComponent('a/b.c')}${args({ path: 1 })}`)).status).toBe(200);
});

test('args that are no JSON object, or lack an argument, are 400 invalid-params; an unknown prompt is 404 [spec:shape:instance]', async () => {
  const { get, app } = await restApp(packages);
  await app.skills.load('alpha');
  for (const query of [
    '',
    '?args=',
    '?args={',
    args([]),
    args(null),
    args('x'),
    args({}),
    args({ path: null }),
    args({ path: ['x'] }),
    '?args={}&args={}',
    '?args=%7B%22__proto__%22%3A%7B%22path%22%3A%22x%22%7D%7D',
  ]) {
    const answer = await get(`/v1/prompts/review${query}`);
    expect(answer.status, query).toBe(400);
    expect(answer.json, query).toMatchObject({ kind: 'invalid-params', request_id: expect.any(String) });
  }
  for (const name of ['gone', '__proto__', 'constructor', encodeURIComponent('../x'), '%20']) {
    const answer = await get(`/v1/prompts/${name}${args({})}`);
    expect(answer.status, name).toBe(404);
    expect(answer.json).toMatchObject({ kind: 'not-found', code: 'SVC_PROMPTS_NOT_FOUND' });
  }
});

test('property: any args and any name get an answer of the table', async () => {
  const { url, app } = await restApp(packages);
  await app.skills.load('alpha');
  const query = fc.oneof(
    fc.jsonValue().map(args),
    fc.record({ path: fc.string({ unit: 'binary' }) }).map(args),
    fc.stringMatching(/^[!-~]{0,20}$/).map(text => `?args=${text.replaceAll('#', '')}`),
  );
  const name = fc.oneof(
    fc.constant('review'),
    fc.stringMatching(/^[!-~]{1,10}$/).map(each => each.replaceAll(/[#?]/g, '')),
  );
  await fc.assert(
    fc.asyncProperty(name, query, async (prompt, text) => {
      const answer = await raw(url, `/v1/prompts/${prompt}${text}`);
      expect([200, 400, 404]).toContain(answer.status);
      if (answer.status !== 200) expect(answer.json.kind).toEqual(expect.any(String));
    }),
    { numRuns: 200 },
  );
});
