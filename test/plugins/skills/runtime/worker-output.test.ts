import { expect, test } from 'vitest';
import { createLineSink } from '../../../../plugins/skills/runtime/worker-output.ts';

test('a private key that is printed is not logged line by line, whole or cut short', () => {
  const lines: string[] = [];
  const sink = createLineSink(
    line => lines.push(line),
    () => 0,
  );
  const begin = '-----BEGIN RSA PRIVATE KEY-----';
  sink.write(
    `before\n${begin}\nMIIB\nabcd\n-----END RSA PRIVATE KEY-----\nafter\n${begin}MIIB-----END RSA PRIVATE KEY-----\nsame\n`,
  );
  expect(lines).toEqual(['before', begin, 'after', `${begin}MIIB-----END RSA PRIVATE KEY-----`, 'same']);
  sink.write(`${begin}\n${'MIIB\n'.repeat(150)}`);
  expect(lines.slice(5)).toEqual([begin]);
});
