/** What plain speech is understood to ask for. */
import { expect, test } from 'vitest';
import { readQuery } from '../../../../plugins/gateway/index/engine/query.ts';
import { stem } from '../../../../plugins/gateway/index/engine/stems.ts';
import { situationsIn } from '../../../../plugins/gateway/index/lexicon/situations.ts';
import { phraseAt } from '../../../../plugins/gateway/index/lexicon/synonyms.ts';

const formsOf = (text: string) => text.split(' ').map(word => [stem(word)]);
const asked = (text: string) => situationsIn(formsOf(text)).flat();
const texts = (query: string) => readQuery(query, ['any']).terms.map(each => each.text);

test('words of a situation stand anywhere and in any order', () => {
  expect(asked('my footage is shaky')).toContain('stabilizer');
  expect(asked('shaky hands ruined the whole video')).toContain('stabilizer');
  expect(asked('shaky')).toEqual([]);
  expect(asked('the footage is nice')).not.toContain('stabilizer');
});

test('one word fills one slot', () => {
  // `mesh` is of both slots of a row, and alone is no situation.
  expect(asked('mesh mesh')).toEqual([]);
});

test('nothing stays from one query to the next', () => {
  expect(asked('shaky thing')).not.toContain('stabilizer');
  expect(asked('footage thing')).not.toContain('stabilizer');
});

test('other languages tell situations too', () => {
  const meant = (query: string) =>
    readQuery(query, ['any'])
      .terms.filter(each => each.text.startsWith('situation'))
      .flatMap(each => each.senses.map(sense => sense.word));
  expect(meant('mein Video ist verwackelt')).toContain('stabilizer');
  expect(meant('mon jeu est lent')).toContain('profiler');
});

test('a verb finds its particle behind the object', () => {
  const words = 'turn the loud music down now'.split(' ');
  expect(phraseAt(words, 0)).toEqual({ phrase: 'turn down', places: [0, 4] });
  expect(phraseAt('turn the music over there and then go down'.split(' '), 0)?.phrase).not.toBe('turn down');
});

test('articles may stand inside a phrase, other words may not', () => {
  expect(phraseAt('look through the camera'.split(' '), 0)?.phrase).toMatch(/^look through/);
  expect(phraseAt('freeze the frame'.split(' '), 0)?.phrase).toBe('freeze frame');
  expect(phraseAt('freeze every odd frame'.split(' '), 0)?.phrase).not.toBe('freeze frame');
});

test('fur is a word, the German preposition is none', () => {
  expect(texts('fur for a toy')).toContain('fur');
  expect(texts('Licht für Szene')).not.toContain('fur');
});
