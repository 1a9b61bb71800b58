import * as Errors from '@oclif/core/errors';
import { expect, test } from 'vitest';
import { cliErrors } from '../../cli/errors.ts';
import { describeFailure, exitRows } from '../../cli/exit-codes.ts';
import { defineErrors } from '../../kernel/index.ts';

const row = (http: number) => ({ rpc: null, http, template: 'x' });
const errors = defineErrors('SVC_EXITTEST', {
  E400: row(400),
  E401: row(401),
  E403: row(403),
  E404: row(404),
  E408: row(408),
  E409: row(409),
  E413: row(413),
  E429: row(429),
  E499: row(499),
  E500: row(500),
  E503: row(503),
  E504: row(504),
});

test.each([
  ['E400', 2],
  ['E401', 6],
  ['E403', 6],
  ['E404', 2],
  ['E408', 4],
  ['E409', 7],
  ['E413', 2],
  ['E429', 3],
  ['E499', 5],
  ['E500', 1],
  ['E503', 3],
  ['E504', 4],
] as const)('exit codes: status %s of the error table ends with %i', (key, code) => {
  expect(describeFailure(errors[key]())).toMatchObject({ exit_code: code, code: exitRows[code]?.name });
});

test.each([
  ['EADDRINUSE', 7],
  ['EACCES', 6],
  ['ENOENT', 2],
  ['ETIMEDOUT', 4],
  ['ECONNREFUSED', 3],
  ['EWHATEVER', 1],
])('exit codes: system error %s ends with %i', (code, exit) => {
  expect(describeFailure(Object.assign(new Error('x'), { code })).exit_code).toBe(exit);
});

test('exit codes: what is thrown otherwise is a general error', () => {
  for (const thrown of [new Error('boom'), 'boom', null, undefined, 5]) {
    expect(describeFailure(thrown)).toMatchObject({ exit_code: 1, code: 'GENERAL_ERROR', retryable: false });
  }
});

test('exit codes: a flag that oclif refuses is invalid input, on one line, without colours', () => {
  const failure = describeFailure(
    new Errors.CLIError('\u001b[31mNonexistent flag: --x\u001b[0m\nSee more help with --help'),
  );
  expect(failure).toEqual({
    code: 'INVALID_INPUT',
    message: 'Nonexistent flag: --x (see --help)',
    exit_code: 2,
    retryable: false,
  });
});

test('error envelope: code, message, exit_code, retryable and details with our code', () => {
  expect(describeFailure(cliErrors.PATH_MISSING({ what: 'Skill path', path: '/x' }))).toEqual({
    code: 'INVALID_INPUT',
    message: 'Skill path /x does not exist: check the spelling',
    exit_code: 2,
    retryable: false,
    details: { code: 'SVC_CLI_PATH_MISSING', what: 'Skill path', path: '/x' },
  });
  expect(exitRows.map(each => each.code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
