import { expect, test } from 'vitest';
import { paramsText } from '../../schemas/params-text.ts';

test.each([
  'token',
  'Password',
  'client_secret',
  'apiKey',
  'api_key',
  'Authorization',
  'cookie',
  'credentials',
  'private_key',
])('the value of %s is censored', key => {
  expect(JSON.parse(paramsText({ [key]: 'k', n: 1 }))).toEqual({ [key]: '[redacted]', n: 1 });
});
