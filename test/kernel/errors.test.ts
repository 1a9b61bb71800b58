import { expect, test } from 'vitest';
import { reviveError, SvcError } from '../../kernel/errors.ts';
import {
  codecOf,
  defineErrors,
  errorTable,
  isSvcError,
  messageOf,
  plain,
  rpcErrors,
  sendableError,
  toHttpError,
  toRpcError,
  toSvcError,
} from '../../kernel/index.ts';

const errors = defineErrors('SVC_ERRTEST', {
  LOST: { rpc: -32000, sessionless: -32602, http: 404, template: '"{name}" is lost in {place}' },
  REST_ONLY: { rpc: null, http: 418, template: 'No tea' },
  OWN_NAME: { rpc: -1, http: 400, template: 'x', bare: true },
});

test('errors: every row is in the table under prefix and key, a bare one under its key', () => {
  expect(errorTable.get('SVC_ERRTEST_LOST')).toMatchObject({ rpc: -32000, http: 404 });
  expect(errorTable.has('OWN_NAME')).toBe(true);
  expect(() => defineErrors('SVC_ERRTEST', { LOST: { rpc: 0, http: 400, template: '' } })).toThrow('declared twice');
});

test('errors: the template is filled from the details; what is missing stays visible', () => {
  const error = errors.LOST({ name: 'key', extra: 1 });
  expect(error.message).toBe('"key" is lost in {place}');
  expect(isSvcError(error)).toBe(true);
});

test('errors: the session era has our numbers, the sessionless era its own', () => {
  const error = errors.LOST({ name: 'a', place: 'b' });
  expect(toRpcError(error)).toMatchObject({ code: -32000, data: { code: 'SVC_ERRTEST_LOST', name: 'a' } });
  expect(toRpcError(error, 'sessionless').code).toBe(-32602);
  expect(toRpcError(errors.REST_ONLY()).code).toBe(-32603);
  expect(toRpcError(rpcErrors.PARSE({ reason: 'x' }), 'sessionless').code).toBe(-32700);
});

test('errors: a detail named code never hides the code of the row', () => {
  expect(toRpcError(errors.LOST({ code: 'EVIL' })).data.code).toBe('SVC_ERRTEST_LOST');
});

test('errors: over HTTP the status is the row’s and the kind is kebab-case', () => {
  expect(toHttpError(errors.REST_ONLY({ cup: 1 }))).toEqual({
    status: 418,
    body: { kind: 'errtest-rest-only', message: 'No tea', code: 'SVC_ERRTEST_REST_ONLY', context: { cup: 1 } },
  });
});

test.each([new Error('boom'), 'boom', undefined, null, Object.create(null), Symbol('boom'), 7n])(
  'errors: any thrown value (case %#) becomes SVC_RPC_INTERNAL with a message',
  thrown => {
    const error = toSvcError(thrown);
    expect(error.code).toBe('SVC_RPC_INTERNAL');
    expect(error.message.length).toBeGreaterThan(16);
    expect(error.cause).toBe(thrown);
    expect(toRpcError(thrown).code).toBe(-32603);
  },
);

test('errors: an error of ours passes unchanged; an errno error is not taken for one', () => {
  const known = errors.LOST();
  expect(toSvcError(known)).toBe(known);
  expect(isSvcError(Object.assign(new Error('x'), { code: 'ENOENT' }))).toBe(false);
});

test('errors: what crosses a thread comes back with code, message, row and details', () => {
  const sent = structuredClone(sendableError(errors.LOST({ name: 'a', place: 'b', when: new Date(0) })));
  const back = reviveError(sent);
  expect(isSvcError(back)).toBe(true);
  expect([back.code, back.message, back.row.rpc]).toEqual(['SVC_ERRTEST_LOST', '"a" is lost in b', -32000]);
  expect(back.details.when).toBe('1970-01-01T00:00:00.000Z');
});

test('errors: one whose plugin is not loaded on the other side keeps its row', () => {
  const row = { rpc: -32001, http: 409, template: 'taken' };
  const back = reviveError({ code: 'ELSEWHERE_TAKEN', message: 'taken', details: {}, row });
  expect([back.row, back.message]).toEqual([row, 'taken']);
});

test('errors: details that JSON cannot carry are left out, not thrown over', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(sendableError(errors.LOST(cycle)).details).toEqual({});
  expect(plain({ big: 1n })).toEqual({});
});

test.each([undefined, null, 5, 'text', {}, { code: 1, message: 'x' }])(
  'errors: rubbish from another thread (case %#) becomes SVC_RPC_INTERNAL',
  rubbish => {
    expect(reviveError(rubbish).code).toBe('SVC_RPC_INTERNAL');
  },
);

test('errors: an unknown code from another thread keeps its code and message', () => {
  const back = reviveError({ code: 'OTHER', message: 'hello' });
  expect([back.code, back.message, back.row.http, back.details]).toEqual(['OTHER', 'hello', 500, {}]);
});

test('errors: messageOf never throws', () => {
  const hostile = new Error('x');
  Object.defineProperty(hostile, 'message', {
    get() {
      throw new Error('gotcha');
    },
  });
  expect(messageOf(hostile)).toContain('without a message');
});
test('codecs: 2025-03-26 has the number of the row, later revisions theirs and none of those left to old implementations', () => {
  const numbers = (row: object) => {
    const error = new SvcError('X', { rpc: -32000, http: 500, template: 'x', ...row });
    return ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].map(each => toRpcError(error, codecOf(each)).code);
  };
  expect(numbers({})).toEqual([-32000, -32603, -32603, -32603]);
  expect(numbers({ session: -32602 })).toEqual([-32000, -32602, -32602, -32602]);
  expect(numbers({ rpc: -32002, session: -32002, sessionless: -32602 })).toEqual([-32002, -32002, -32002, -32602]);
  expect(numbers({ rpc: -32002, session: -32002 })).toEqual([-32002, -32002, -32002, -32603]);
  expect(numbers({ rpc: -32603, sessionless: -32021 })).toEqual([-32603, -32603, -32603, -32021]);
  expect(numbers({ rpc: null })).toEqual([-32603, -32603, -32603, -32603]);
});
