import { expect, test } from 'vitest';
import { createSchemas, type JsonSchema } from '../../../kernel/index.ts';
import { readHello } from '../../../plugins/host-link/handshake.ts';
import { HelloSchema } from '../../../schemas/host-link.ts';

const validate = createSchemas().compile(HelloSchema as object as JsonSchema, 'own');
const hello = {
  ...{ t: 'hello', protocol: 1, min_protocol: 1, module_version: '0.1.0', dcc_type: 'fake', dcc_version: '', pid: 1 },
  ...{ python: '3.7', background: true, options: {}, tools: [], state: {}, resume: null },
};

test('the newest protocol that both speak is taken', () => {
  expect(readHello({ ...hello, protocol: 7 }, validate, '1.0.0')).toMatchObject({ protocol: 1 });
});

test.each([
  [
    'an older module',
    { ...hello, protocol: 0, min_protocol: 0 },
    /0\.1\.0 speaks protocol 0, svc 1\.0\.0 needs 1 or newer/,
    /--install/,
  ],
  [
    'a newer module',
    { ...hello, protocol: 9, min_protocol: 8 },
    /needs protocol 8, svc .* speaks up to 1/,
    /Update svc/,
  ],
  ['another first line', { t: 'tool' }, /no hello/, /svc_host\.py/],
  ['a hello that is not valid', { ...hello, dcc_type: '' }, /dcc_type/, /bug/],
])('%s is refused with what to do', (_, first, reason, remedy) => {
  expect(readHello(first, validate, '1.0.0')).toEqual({
    reason: expect.stringMatching(reason),
    remedy: expect.stringMatching(remedy),
  });
});
