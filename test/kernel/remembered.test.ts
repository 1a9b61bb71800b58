import { expect, test } from 'vitest';
import { remembered, rememberedBy } from '../../schemas/remembered.ts';

test('what comes again is not made again; what is too much or too long is made again, and never another', () => {
  let made = 0;
  const length = remembered(text => {
    made += 1;
    return { text };
  });
  for (const text of ['a', 'b', 'a', '', '', '__proto__', '__proto__']) expect(length(text)).toEqual({ text });
  expect(made).toBe(4);
  expect(length('a')).toBe(length('a'));
  for (let number = 0; number < 5000; number += 1) expect(length(String(number)).text).toBe(String(number));
  expect(length('a').text).toBe('a');
  const long = 'x'.repeat(2001);
  expect(length(long)).not.toBe(length(long));
});

test('what has the same key is the same', () => {
  const of = rememberedBy(
    ({ id }: { id: number }) => String(id),
    ({ id }) => ({ id }),
  );
  expect(of({ id: 1 })).toBe(of({ id: 1 }));
  expect(of({ id: 2 })).toEqual({ id: 2 });
});
