import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callArguments, callMeta, requiredText } from '../../../plugins/gateway/requests.ts';
import { sampleArguments } from '../../../plugins/gateway/sample.ts';

const bad = expect.objectContaining({ code: 'SVC_GATEWAY_BAD_REQUEST' });

test.each([
  [{}, {}],
  [{ arguments: null }, {}],
  [{ arguments: '' }, {}],
  [{ arguments: { a: 1 } }, { a: 1 }],
  [{ arguments: '{"a":1}' }, { a: 1 }],
  [{ params: { b: 2 } }, { b: 2 }],
  [{ arguments: { a: 1 }, params: { b: 2 } }, { a: 1 }],
])('the arguments of %j are %j [spec:shape:call]', (body, args) => {
  expect(callArguments(body)).toEqual(args);
});

test.each([[[]], [[1]], [true], [0], [3], ['text'], ['[1]'], ['null'], ['{']])(
  'arguments %j are a bad request, and so is such a meta [spec:shape:call]',
  given => {
    expect(() => callArguments({ arguments: given })).toThrow(bad);
    expect(() => callMeta({ meta: given })).toThrow(bad);
  },
);

test('meta is an object or JSON text of one', () => {
  expect(callMeta({})).toEqual({});
  expect(callMeta({ meta: '{"lease_owner":"me"}' })).toEqual({ lease_owner: 'me' });
  expect(callMeta({ _meta: { a: 1 } })).toEqual({ a: 1 });
});

test('a required text that is missing is named', () => {
  expect(requiredText({ tool_slug: ' a.b.c ' }, 'tool_slug')).toBe('a.b.c');
  for (const value of [undefined, '', ' ', 3, {}]) {
    expect(() => requiredText({ tool_slug: value }, 'tool_slug')).toThrow(/"tool_slug" is required/);
  }
});

test('a sample fills in what the schema proposes and names the rest', () => {
  const schema = {
    required: ['a', 'b', 'c', 'd', 'e'],
    properties: {
      a: { default: 1 },
      b: { const: 'x' },
      c: { examples: ['y', 'z'] },
      d: { enum: ['only'] },
      f: { default: 2 },
    },
  };
  expect(sampleArguments(schema)).toEqual({ arguments: { a: 1, b: 'x', c: 'y', d: 'only' }, missing: ['e'] });
  expect(sampleArguments(undefined)).toEqual({ arguments: {}, missing: [] });
  expect(sampleArguments({ required: 'all', properties: [] })).toEqual({ arguments: {}, missing: [] });
});

test('whatever is sent as arguments is an object afterwards, or a bad request', () => {
  fc.assert(
    fc.property(fc.anything(), given => {
      try {
        const args = callArguments({ arguments: given });
        expect(typeof args === 'object' && args !== null && !Array.isArray(args)).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'SVC_GATEWAY_BAD_REQUEST' });
      }
    }),
  );
});
