import { expect, test } from 'vitest';
import { answerChallenge, compareCandidates } from '../../../../plugins/daemon/sentinel/handover.ts';
import { compareVersions } from '../../../../schemas/version.ts';

const daemon = { version: '0.1.0' };

test.each([
  ['1.2.3', '1.2.3', 0],
  ['1.2.4', '1.2.3', 1],
  ['1.10.0', '1.9.9', 1],
  ['2', '1.99.99', 1],
  ['0.9', '0.10', -1],
  ['1.0.0', '1.0.0-rc.1', 1],
  ['1.0.0-rc.1', '1.0.0', -1],
  ['1.0.0-rc.2', '1.0.0-rc.1', 1],
  ['1.0.0-rc.10', '1.0.0-rc.9', 1],
  ['2025.1.0.3', '2025.1.0.2', 1],
])('%s against %s is %d', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});

test('a newer challenger gets the port, an equal or older one does not [spec:shape:election]', () => {
  expect(answerChallenge({ challenger_version: '0.2.0' }, daemon)).toMatchObject({
    status: 200,
    body: { ok: true, handoff: true, message: expect.any(String) },
  });
  for (const challenger_version of ['0.1.0', '0.0.9']) {
    expect(answerChallenge({ challenger_version, reason: 'x' }, daemon)).toMatchObject({
      status: 409,
      body: { ok: false, capability: 'cooperative_yield', fallback: 'polling' },
    });
  }
});

test.each([undefined, null, 'x', {}, { challenger_version: 9 }, { challenger_version: 'newest' }])(
  'a challenge without a version is refused: %j',
  body => {
    expect(answerChallenge(body, daemon)).toMatchObject({ status: 400, body: { kind: 'bad-request' } });
  },
);

const beside = (adapter_version: string | null, dcc_type: string | null, version = '0.1.0') => ({
  version,
  server: { adapter_version, dcc_type },
});

test.each([
  ['a newer product goes before a newer adapter', beside(null, null, '0.2.0'), beside('9.0.0', 'maya'), 1],
  ['a newer adapter goes first', beside('1.2.0', null), beside('1.1.9', 'maya'), 1],
  ['any adapter goes before none', beside('0.0.1', null), beside(null, 'maya'), 1],
  ['a real host goes before none', beside('1.0.0', 'maya'), beside('1.0.0', 'unknown'), 1],
  ['equals stay as they are', beside('1.0.0', 'maya'), beside('1.0.0', 'blender'), 0],
  ['a daemon does not give way to an adapter', beside('9.0.0', 'maya'), daemon, 0],
])('%s', (_what, a, b, sign) => {
  expect(Math.sign(compareCandidates(a, b))).toBe(sign);
  expect(Math.sign(compareCandidates(b, a))).toBe(sign === 0 ? 0 : -sign);
});

test('between equal versions the adapter of the challenger decides', () => {
  const challenge = { challenger_version: '0.1.0', challenger_adapter_version: '2.0.0', challenger_dcc_type: 'maya' };
  expect(answerChallenge(challenge, beside('1.0.0', 'maya')).status).toBe(200);
  expect(answerChallenge(challenge, beside('2.0.0', 'blender')).status).toBe(409);
  expect(answerChallenge(challenge, daemon).status).toBe(409);
});
