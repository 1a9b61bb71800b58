/** Schemas that would freeze whoever checks them: the call of that tool ends with a reason, its neighbours go on. */
import { expect, test } from 'vitest';
import { context, rig, tool } from './support.ts';

const evil = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', pattern: '^(a+)+$' }, n: { type: 'number' } },
};
const freezing = { name: `${'a'.repeat(40)}!` };

test('arguments that freeze their check: the call is refused, another one is answered meanwhile', async () => {
  const { app, call } = await rig();
  let ran = 0;
  app.tools.publish('skill:evil', [tool('evil', { input_schema: evil }, () => (ran += 1))], {
    source: 'skill',
    skill_name: 'evil',
  });
  app.tools.publish('h', [tool('echo')], { source: 'host' });
  const order: string[] = [];
  const slow = call('evil', freezing).then(answer => {
    order.push('evil');
    return answer;
  });
  expect((await call('echo', { a: 1 })).result?.structuredContent).toEqual({ a: 1 });
  order.push('echo');
  const told = JSON.stringify(await slow);
  expect(order).toEqual(['echo', 'evil']);
  expect(told).toContain('SVC_TOOLS_UNCHECKED');
  expect(told).toContain('The arguments of tool \\"evil\\" cannot be checked: it took longer than');
  expect(ran).toBe(0);
  // The next call is checked by a new thread.
  expect(JSON.stringify(await call('evil', { name: 'aaa', n: 'x' }))).toContain('\\"n\\" must be number');
  expect((await call('evil', { name: 'aaa' })).result?.isError).not.toBe(true);
  expect(ran).toBe(1);
});

test('a call that is cancelled while its arguments are checked never runs', async () => {
  const { app, call } = await rig();
  let ran = 0;
  app.tools.publish('h', [tool('evil', { input_schema: evil }, () => (ran += 1))], { source: 'host' });
  const rpc = context(app);
  const answer = call('evil', { name: 'aaa' }, rpc);
  rpc.cancel();
  expect(JSON.stringify(await answer)).toMatch(/cancelled/);
  expect(ran).toBe(0);
});

test('a result that freezes its check fails the call; one that does not is answered', async () => {
  const { app, call } = await rig();
  const output_schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
  app.tools.publish('h', [tool('made', { output_schema })], { source: 'host' });
  expect((await call('made', { name: 'aaa' })).result?.structuredContent).toEqual({ name: 'aaa' });
  expect(JSON.stringify(await call('made', { name: 'b' }))).toContain('does not match its output_schema');
  expect(JSON.stringify(await call('made', freezing))).toContain('The result of tool \\"made\\" cannot be checked');
});

test('a schema that is too large or too deep is refused by name', async () => {
  const { app } = await rig();
  const publish = (input_schema: Record<string, unknown>) =>
    app.tools.publish('h', [tool('huge', { input_schema })], { source: 'host' });
  const properties = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { type: 'string' }]));
  expect(() => publish({ type: 'object', properties })).toThrow(
    /input_schema of tool "huge" is not valid: it has \d+ characters, at most 262144 are served/,
  );
  let deep: Record<string, unknown> = {};
  for (let n = 0; n < 200; n += 1) deep = { properties: { a: deep } };
  expect(() => publish({ type: 'object', ...deep })).toThrow(/nested deeper than 128 levels/);
});
