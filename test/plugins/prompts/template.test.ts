import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileTemplate, renderTemplate } from '../../../plugins/prompts/template.ts';
import { computing } from '../../helper.ts';

const render = (text: string, values: Record<string, string>, limit = 1e6) => {
  const given = new Map(Object.entries(values));
  return renderTemplate(compileTemplate(text, new Set(given.keys())), given, limit);
};

test('{{arg}} placeholders are filled, with blanks inside the braces too [spec:shape:prompts]', () => {
  expect(render('{{a}}-{{ b }}-{{a}}', { a: '1', b: '2' })).toBe('1-2-1');
  expect(render('{{{a}}}', { a: 'x' })).toBe('{x}');
});

test('what names no argument stays as it is: expressions, unclosed braces, unknown names', () => {
  for (const text of ['{{ 1 + 1 }}', '{{a', '{{}}', '{{other}}', '{{a\n}}', '{ {a} }', '{{constructor}}']) {
    expect(render(text, { a: 'x' })).toBe(text);
  }
});

test('an argument that was not given leaves nothing behind', () => {
  expect(renderTemplate(compileTemplate('<{{a}}>', new Set(['a'])), new Map(), 10)).toBe('<>');
});

test('a value is never looked into: placeholders and replacement patterns in it are text', () => {
  expect(render('{{a}}{{b}}', { a: '{{b}}', b: '$& $1 {{a}}' })).toBe('{{b}}$& $1 {{a}}');
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,20}$/);
const literal = fc.string({ unit: 'grapheme' }).map(text => text.replaceAll('{', '('));

test('property: rendering is the concatenation of literals and values, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(literal, fc.record({ name, value: fc.string({ unit: 'binary' }) }))), parts => {
      const values = new Map(parts.flatMap(each => (typeof each === 'string' ? [] : [[each.name, each.value]])));
      const text = parts.map(each => (typeof each === 'string' ? each : `{{${each.name}}}`)).join('');
      const wanted = parts.map(each => (typeof each === 'string' ? each : values.get(each.name))).join('');
      expect(renderTemplate(compileTemplate(text, new Set(values.keys())), values, 1e9)).toBe(wanted);
    }),
  );
});

test('property: without arguments every text is itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(render(text, {})).toBe(text);
    }),
  );
});

test('the limit holds before anything large is made, and hostile braces cost nothing', () => {
  const spent = computing();
  expect(render('{{a}}'.repeat(20000), { a: 'x'.repeat(1_000_000) }, 1e6)).toBeUndefined();
  const hostile = `${'{{ '.repeat(40000)}${' '.repeat(40000)}`;
  expect(render(hostile, { a: 'x' })).toBe(hostile);
  expect(spent()).toBeLessThan(1000);
});

test('a text as long as the limit is rendered, one longer is not', () => {
  expect(render('<{{a}}>', { a: 'xyz' }, 5)).toBe('<xyz>');
  expect(render('<{{a}}>', { a: 'xyz' }, 4)).toBeUndefined();
});
