import { expect, test } from 'vitest';
import { createEnvelope } from '../../kernel/events.ts';
import { createHooks } from '../../kernel/hooks.ts';
import { toRpcError, vetoError } from '../../kernel/index.ts';
import { vetoableEvents } from '../../schemas/vetoable-events.ts';

const event = createEnvelope('tool.dispatched', {}, 'ev_1', 0);
const checkWith = (hook: () => unknown) => {
  const hooks = createHooks();
  hooks.before('tool.dispatched', hook);
  return hooks.check(event);
};

test('vetoes: only the named events can be vetoed', () => {
  const hooks = createHooks();
  const named = ['skill.loading', 'tool.dispatched', 'resource.subscribed', 'client.initialize'];
  expect([...vetoableEvents].sort()).toEqual(named.sort());
  for (const name of named) expect(() => hooks.before(name, () => undefined)).not.toThrow();
  expect(() => hooks.before('tool.completed', () => undefined)).toThrow(
    /"tool.completed" cannot be vetoed: use one of skill.loading, tool.dispatched/,
  );
});

test.each([undefined, null, false, 0, ''])('vetoes: %j allows', async answer => {
  expect(await checkWith(() => answer)).toBeUndefined();
});

test('vetoes: a reason and a {reason, code} forbid', async () => {
  expect(await checkWith(() => 'not today')).toEqual({ reason: 'not today', code: 'vetoed' });
  expect(await checkWith(() => ({ reason: 'r', code: 'c' }))).toEqual({ reason: 'r', code: 'c' });
  expect(await checkWith(() => ({ reason: 'r', code: 5 }))).toEqual({ reason: 'r', code: 'vetoed' });
  expect(await checkWith(async () => ({ reason: 'r', code: 'c' }))).toEqual({ reason: 'r', code: 'c' });
});

test.each([
  [true, 'boolean'],
  [7, 'number'],
  [{}, 'object'],
  [[], 'object'],
  [() => 1, 'function'],
])('vetoes: an answer of another kind (%s) forbids', async (answer, kind) => {
  expect(await checkWith(() => answer)).toEqual({ reason: `hook returned an unsupported ${kind}`, code: 'vetoed' });
});

test.each([new Error('broken'), 'broken', null, Object.create(null), Symbol('s')])(
  'vetoes: a hook that throws (case %#) forbids',
  async thrown => {
    const throwing = await checkWith(() => {
      throw thrown;
    });
    expect(throwing?.reason).toMatch(/^hook failed: /);
    expect(await checkWith(() => Promise.reject(thrown))).toEqual(throwing);
  },
);

test('vetoes: hooks run in order and the first veto ends the question', async () => {
  const hooks = createHooks();
  const asked: number[] = [];
  hooks.before('tool.dispatched', () => void asked.push(1));
  const lift = hooks.before('tool.dispatched', () => {
    asked.push(2);
    return 'no';
  });
  hooks.before('tool.dispatched', () => void asked.push(3));
  expect(await hooks.check(event)).toMatchObject({ reason: 'no' });
  expect(asked).toEqual([1, 2]);
  expect(hooks.guards('tool.dispatched')).toBe(true);
  expect(hooks.guards('skill.loading')).toBe(false);
  void lift();
  void lift();
  expect(await hooks.check(event)).toBeUndefined();
});

test('vetoes: the error is EVENT_VETOED, -32002, with the reason and the code of the veto', () => {
  const error = toRpcError(vetoError('tool.dispatched', { reason: 'locked', code: 'busy' }));
  expect(error).toEqual({
    code: -32002,
    message: 'tool.dispatched was vetoed: locked',
    data: { code: 'EVENT_VETOED', event: 'tool.dispatched', veto_code: 'busy', veto_reason: 'locked' },
  });
});

test('vetoes: one function registered twice is two hooks, each with its own undo', async () => {
  const hooks = createHooks();
  let asked = 0;
  const hook = (): void => {
    asked += 1;
  };
  const lift = hooks.before('tool.dispatched', hook);
  hooks.before('tool.dispatched', hook);
  await hooks.check(event);
  void lift();
  await hooks.check(event);
  expect(asked).toBe(3);
});
