import { expect, test } from 'vitest';
import { createEnvelope } from '../../kernel/events.ts';

test('event envelope: schema_version, name, id, timestamp_ns, source, correlation, attributes', () => {
  const envelope = createEnvelope('a.b', { attributes: { x: 1 } }, 'ev_1', 12);
  expect(envelope).toEqual({
    schema_version: 1,
    name: 'a.b',
    id: 'ev_1',
    timestamp_ns: 12,
    source: {},
    correlation: {},
    attributes: { x: 1 },
  });
});
