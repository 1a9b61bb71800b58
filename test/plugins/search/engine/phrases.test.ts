import { expect, test } from 'vitest';
import { readQuery } from '../../../../plugins/search/engine/query.ts';
import { stem } from '../../../../plugins/search/engine/stems.ts';
import { createLexicon } from '../../../../plugins/search/lexicon/lexicon.ts';
import { readRows } from '../../../../plugins/search/lexicon/rows.ts';

/** Rows of its own: those that ship may come and go. */
const rows = `
turn_down ; lower
freeze_frame ; hold
plane ; grid
transform transforms ; move
layer_style : estilo_de_capa calque_de_reglages
artboard : mesa_de_trabajo
drop_shadow shadow : ombra_esterna
clipping_mask : クリッピングマスク
create : создать
proxy : прокси
plane : plano
transform : transformer
light : licht
`;
const lexicon = createLexicon([readRows(rows, 'rows')]);
const { foreignPhraseAt, joinedTranslationsOf, phraseAt, translationsOf } = lexicon;
const termsOf = (query: string) => readQuery(query, ['any'], lexicon).terms;
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

test('a verb finds its particle behind the object', () => {
  const words = 'turn the loud music down now'.split(' ');
  expect(phraseAt(words, 0)).toEqual({ phrase: 'turn down', places: [0, 4] });
  expect(phraseAt('turn the music over there and then go down'.split(' '), 0)?.phrase).not.toBe('turn down');
});

test('articles may stand inside a phrase, other words may not', () => {
  expect(phraseAt('freeze the frame'.split(' '), 0)?.phrase).toBe('freeze frame');
  expect(phraseAt('freeze every odd frame'.split(' '), 0)).toBeUndefined();
});

test('fur is a word, the German preposition is none', () => {
  const texts = (query: string) => termsOf(query).map(each => each.text);
  expect(texts('fur for a toy')).toContain('fur');
  expect(texts('Licht für Szene')).not.toContain('fur');
});
