import { expect, test } from 'vitest';
import { createScope } from '../../kernel/index.ts';

test('dispose runs the disposers in reverse order and awaits each', async () => {
  const scope = createScope('s');
  const ran: string[] = [];
  scope.add('first', () => void ran.push('first'));
  scope.add('second', async () => {
    await new Promise(resolve => setTimeout(resolve, 5));
    ran.push('second');
  });
  scope.add('third', () => void ran.push('third'));
  await scope.dispose();
  expect(ran).toEqual(['third', 'second', 'first']);
  expect(scope.disposed).toBe(true);
  expect(scope.list()).toEqual([]);
});

test('dispose is idempotent: every call gives the same promise and each disposer runs once', async () => {
  const scope = createScope('s');
  let runs = 0;
  scope.add('a', () => {
    runs += 1;
  });
  expect(scope.dispose()).toBe(scope.dispose());
  await scope.dispose();
  expect(runs).toBe(1);
});

test('errors are collected: every disposer runs, then dispose rejects naming the failed ones', async () => {
  const scope = createScope('s');
  const ran: string[] = [];
  scope.add('good', () => void ran.push('good'));
  scope.add('throws', () => {
    throw new Error('one');
  });
  scope.add('rejects', () => Promise.reject(new Error('two')));
  const failure = await scope.dispose().catch((error: unknown) => error as AggregateError);
  expect(failure).toBeInstanceOf(AggregateError);
  expect((failure as AggregateError).errors.map(each => (each as Error).message)).toEqual([
    'disposer "rejects" of scope "s" failed',
    'disposer "throws" of scope "s" failed',
  ]);
  expect(ran).toEqual(['good']);
});

test('the disposer that add returns runs its undo once and takes it out of the scope', async () => {
  const scope = createScope('s');
  let runs = 0;
  const undo = scope.add('a', () => {
    runs += 1;
  });
  await undo();
  await undo();
  expect(scope.list()).toEqual([]);
  await scope.dispose();
  expect(runs).toBe(1);
});

test('a disposed scope refuses new registrations by name, also while it disposes', async () => {
  const scope = createScope('s');
  let refused: unknown;
  scope.add('late', () => {
    try {
      scope.add('more', () => undefined);
    } catch (error) {
      refused = error;
    }
  });
  await scope.dispose();
  expect(String(refused)).toContain('scope "s" is disposed: cannot register "more"');
  expect(() => scope.child('c')).toThrow('cannot register "c"');
});

test('a child is disposed by its parent, in its place of the order', async () => {
  const scope = createScope('s');
  const ran: string[] = [];
  scope.add('before', () => void ran.push('before'));
  const child = scope.child('child');
  child.add('inside', () => void ran.push('inside'));
  scope.add('after', () => void ran.push('after'));
  expect(scope.list()).toEqual(['before', 'child', 'child/inside', 'after']);
  await scope.dispose();
  expect(ran).toEqual(['after', 'inside', 'before']);
  expect(child.disposed).toBe(true);
});

test('a child disposed on its own is forgotten by its parent', async () => {
  const scope = createScope('s');
  let runs = 0;
  const child = scope.child('child');
  child.add('inside', () => {
    runs += 1;
  });
  await child.dispose();
  expect(scope.list()).toEqual([]);
  await child.dispose();
  await scope.dispose();
  expect(runs).toBe(1);
});

test('a failing child is one error of its parent, and its siblings are still disposed', async () => {
  const scope = createScope('s');
  let sibling = false;
  scope.child('good').add('x', () => {
    sibling = true;
  });
  scope.child('bad').add('x', () => {
    throw new Error('no');
  });
  await expect(scope.dispose()).rejects.toThrow('disposing scope "s" failed');
  expect(sibling).toBe(true);
});
