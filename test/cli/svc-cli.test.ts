import { expect, test } from 'vitest';
import { columns, plain, printable } from '../../cli/columns.ts';
import { argumentsOfCall } from '../../cli/programs.ts';
import { barText } from '../../cli/svc-cli/progress-bar.ts';

test.each([
  ['call t --json {"a":1}', 'call t --arguments {"a":1}'],
  ['call t --json @file', 'call t --arguments @file'],
  ['call t --json -', 'call t --arguments -'],
  ['call t --json=[1]', 'call t --arguments=[1]'],
  ['call t --json --arg a=1', 'call t --json --arg a=1'],
  ['call --json t', 'call --json t'],
  ['call t --json', 'call t --json'],
  ['call t -- --json {}', 'call t -- --json {}'],
  ['search --json {}', 'search --json {}'],
])('%s is meant as %s', (typed, meant) => {
  expect(argumentsOfCall(typed.split(' ')).join(' ')).toBe(meant);
});

test('the bar shows the share of a total, and without one only that something goes on', () => {
  expect(barText({ current: 6, total: 12, message: 'frame\u001b[31m 6' }, 1, 3)).toBe(
    '[############------------] 50% 6/12 frame 6',
  );
  expect(barText({ current: 15, total: 12 }, 1, 3)).toBe(`[${'#'.repeat(24)}]100% 15/12`);
  expect(barText({ current: 6 }, 1, 3)).toBe('/ 6 (3 s)');
  expect(barText(undefined, 2, 0)).toBe('- (0 s)');
});

test('nothing that a server says moves the cursor; a table keeps to its terminal', () => {
  expect(plain('a\u001b[2J\n b\u0007')).toBe('a b');
  expect(printable('a\u001b]0;title\u0007\n\tb\r')).toBe('a\n\tb');
  const rows = [
    ['A', 'B'],
    ['long', 'x'.repeat(40)],
  ];
  expect(columns(rows, { width: 20, colour: true }).split('\n')).toEqual([
    '\u001b[1mA     B\u001b[22m',
    `long  ${'x'.repeat(13)}…`,
  ]);
});
