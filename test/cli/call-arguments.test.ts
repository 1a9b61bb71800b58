import { expect, test } from 'vitest';
import { readArguments } from '../../cli/call-arguments.ts';

const schema = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    share: { type: ['number', 'null'] },
    on: { type: 'boolean' },
    names: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    scene: { type: 'object', properties: { frame: { type: 'integer' }, name: { type: 'string' } } },
    'a.b': { type: 'string' },
    mode: { enum: [1, 2, 'auto'] },
    shape: { $ref: '#/$defs/shape' },
    either: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    free: {},
  },
  $defs: { shape: { type: 'object', properties: { sides: { type: 'integer' } } } },
};
const read = (...given: string[]) => readArguments(given, schema);

test('each argument is read as its schema says', () => {
  expect(read('text=12', 'count=12', 'share=0.5', 'on', 'mode=2', 'either=7')).toEqual({
    ...{ text: '12', count: 12, share: 0.5, on: true, mode: 2, either: 7 },
  });
  expect(read('text=a=b', 'share=null', 'on=no', 'mode=auto', 'either=x', 'a.b=c')).toEqual({
    ...{ text: 'a=b', share: null, on: false, mode: 'auto', either: 'x', 'a.b': 'c' },
  });
  expect(read('names=a', 'names=1', 'sizes=[1,2]', 'sizes=3')).toEqual({ names: ['a', '1'], sizes: [1, 2, 3] });
  expect(read('scene.frame=3', 'scene.name=4', 'shape.sides=6')).toEqual({
    scene: { frame: 3, name: '4' },
    shape: { sides: 6 },
  });
  expect(read('scene={"frame":1}', 'scene.name=x')).toEqual({ scene: { frame: 1, name: 'x' } });
});

test('what no schema tells is JSON where it is some, else a text; --arg goes over what was given as JSON', () => {
  expect(read('free=1', 'other=[1]', 'another=x y')).toEqual({ free: 1, other: [1], another: 'x y' });
  expect(readArguments(['count=2', 'names=b'], schema, { count: 1, names: ['a'], on: true })).toEqual({
    ...{ count: 2, names: ['b'], on: true },
  });
});

test('a value of the wrong type and an argument without a name are refused by name', () => {
  expect(() => read('count=x')).toThrow('Invalid value for --arg: count must be integer, "x" is none');
  expect(() => read('on=perhaps')).toThrow(/on must be boolean/);
  expect(() => read('=x')).toThrow(/is not <name>=<value>/);
});
