import { expect, test } from 'vitest';
import { columns, since } from '../../cli/columns.ts';
import { nearest } from '../../schemas/nearest.ts';

test('nearest: a third of the letters may be wrong; case and separators do not count', () => {
  const known = ['max_sessions', 'port', 'skill_paths', 'log_level'];
  expect(
    ['maxSessions', 'MAX-SESSION', 'prot', 'skill_path', 'loglevle', 'log'].map(each => nearest(each, known)),
  ).toEqual(['max_sessions', 'max_sessions', 'port', 'skill_paths', 'log_level', undefined]);
  expect(nearest('gateway', known)).toBeUndefined();
  expect(nearest('', known)).toBeUndefined();
});

test('columns are as wide as their widest cell; a span of time is in its largest unit', () => {
  expect(
    columns([
      ['A', 'B'],
      ['long', 'x'],
    ]),
  ).toBe('A     B\nlong  x');
  const spans = [3, 60, 7199, 7200, 200_000].map(each =>
    since('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:00Z') + each * 1000),
  );
  expect(spans).toEqual(['3 s', '1 min', '1 h', '2 h', '2 d']);
});
