import { expect, test } from 'vitest';
import { answerChallenge, compareVersions } from '../../../plugins/sentinel/handover.ts';

test.each([
  ['1.2.3', '1.2.3', 0],
  ['1.2.4', '1.2.3', 1],
  ['1.10.0', '1.9.9', 1],
  ['2', '1.99.99', 1],
  ['0.9', '0.10', -1],
  ['1.0.0', '1.0.0-rc.1', 1],
  ['1.0.0-rc.1', '1.0.0', -1],
  ['1.0.0-rc.2', '1.0.0-rc.1', 1],
])('%s against %s is %d', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});

test('a newer challenger gets the port, an equal or older one does not', () => {
  expect(answerChallenge({ challenger_version: '0.2.0' }, '0.1.0')).toMatchObject({
    status: 200,
    body: { ok: true, handoff: true, message: expect.any(String) },
  });
  for (const challenger_version of ['0.1.0', '0.0.9']) {
    expect(answerChallenge({ challenger_version, reason: 'x' }, '0.1.0')).toMatchObject({
      status: 409,
      body: { ok: false, capability: 'cooperative_yield', fallback: 'polling' },
    });
  }
});

test.each([undefined, null, 'x', {}, { challenger_version: 9 }, { challenger_version: 'newest' }])(
  'a challenge without a version is refused: %j',
  body => {
    expect(answerChallenge(body, '0.1.0')).toMatchObject({ status: 400, body: { kind: 'bad-request' } });
  },
);
