import { expect, test } from 'vitest';
import { failureOfStatus } from '../../cli/exit-codes.ts';
import { formatOf } from '../../cli/svc-cli/format.ts';

test('svc-cli prints text on a terminal and JSON otherwise, unless the command line says more', () => {
  expect([formatOf([], true), formatOf([], false)]).toEqual(['human', 'json']);
  expect(formatOf(['--json'], true)).toBe('json');
  expect(formatOf(['--output', 'ndjson'], true)).toBe('ndjson');
  expect([formatOf(['--output=human'], false), formatOf(['--output', 'pretty'], false)]).toEqual(['human', 'human']);
  expect(formatOf(['--output', 'json', '--output', 'human'], false)).toBe('human');
  expect(formatOf(['--output', 'no such form'], true)).toBe('human');
  expect(formatOf(['--', '--json'], true)).toBe('human');
});

test('exit codes of what a gateway answers', () => {
  const codes = [400, 404, 401, 403, 408, 409, 429, 500, 502, 503, 504, 410, 405].map(
    status => failureOfStatus(status, 'said').exit_code,
  );
  expect(codes).toEqual([2, 2, 6, 6, 4, 7, 3, 3, 3, 3, 3, 1, 1]);
  expect(failureOfStatus(503, 'busy')).toEqual({
    ...{ code: 'UNAVAILABLE', message: 'busy', exit_code: 3, retryable: true },
    details: { status: 503 },
  });
});
