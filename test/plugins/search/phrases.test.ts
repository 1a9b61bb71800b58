import { expect, test } from 'vitest';
import { readQuery } from '../../../../plugins/gateway/index/engine/query.ts';
import { stem } from '../../../../plugins/gateway/index/engine/stems.ts';
import {
  foreignPhraseAt,
  joinedTranslationsOf,
  translationsOf,
} from '../../../../plugins/gateway/index/lexicon/languages.ts';

const termsOf = (query: string) => readQuery(query, ['any']).terms;
const sensesOf = (query: string, word: string) =>
  termsOf(query)
    .find(each => each.text === word)
    ?.senses.map(each => each.word) ?? [];

test('a phrase of another language is one term, whatever its articles and its number', () => {
  expect(foreignPhraseAt(['calques', 'reglages'], 0)).toMatchObject({ length: 2 });
  expect(sensesOf('una mesa de trabajo nueva', 'mesatrabajo')).toContain('artboard');
  expect(sensesOf('la ombra esterna', 'ombraesterna')).toContain('shadow');
  expect(foreignPhraseAt(['mesa', 'redonda'], 0)).toBeUndefined();
});

test('a word that is two in English asks for both', () => {
  const texts = termsOf('クリッピングマスク').map(each => each.text);
  expect(texts).toEqual(expect.arrayContaining(['clipping', 'mask']));
});

test('the first of two words does not speak for the second', () => {
  expect(translationsOf('создатьпрокси')).toContain('create');
  expect(joinedTranslationsOf('создатьпрокси')).toEqual([]);
  expect(sensesOf('создать прокси', 'прокси')).toContain('proxy');
  expect(sensesOf('создать прокси', 'прокси')).not.toContain('create');
});

test('an English word of the field is no form of a word of another language', () => {
  expect(translationsOf('plano')).toContain('plane');
  expect(translationsOf('transforms')).toEqual([]);
});

test('what follows "without" counts little', () => {
  const weightOf = (query: string) => termsOf(query).find(each => each.text === 'shadows')?.weight;
  expect(weightOf('render without shadows')).toBeLessThan(weightOf('render soft shadows') as number);
});

test.each([
  ['erosion', 'erode'],
  ['conversion', 'convert'],
  ['simplification', 'simplify'],
  ['division', 'divide'],
  ['duplicating', 'duplicate'],
  ['separated', 'separate'],
  ['tileable', 'tile'],
])('%s falls together with %s', (one, other) => {
  expect(stem(one)).toBe(stem(other));
});

test.each([
  ['version', 'vert'],
  ['keying', 'key'],
  ['localization', 'local'],
  ['diffusion', 'diffud'],
])('%s does not with %s', (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});
