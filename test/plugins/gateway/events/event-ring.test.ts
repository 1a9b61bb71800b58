import { expect, test } from 'vitest';
import { createEventRing } from '../../../../plugins/gateway/events/event-ring.ts';

test('an event is a line with the contract’s five members', () => {
  const ring = createEventRing(() => 0);
  ring.record({
    event: 'host_died',
    dcc_type: 'maya',
    instance_id: 'aaaa1111-0000-4000-8000-000000000000',
    reason: 'r',
  });
  ring.record({ event: 'feedback_reported', reason: 'two\nlines' });
  const lines = ring.lines().trimEnd().split('\n');
  expect(lines.map(each => JSON.parse(each))).toEqual([
    {
      timestamp: '1970-01-01T00:00:00.000Z',
      event: 'host_died',
      dcc_type: 'maya',
      instance_id: 'aaaa1111',
      reason: 'r',
    },
    {
      timestamp: '1970-01-01T00:00:00.000Z',
      event: 'feedback_reported',
      dcc_type: 'gateway',
      instance_id: 'unscoped',
      reason: 'two\nlines',
    },
  ]);
});

test('the newest thousand are kept; followers hear of each, whatever another one does', () => {
  const failures: unknown[] = [];
  const ring = createEventRing(Date.now, error => failures.push(error));
  const heard: string[] = [];
  ring.onRecord(() => {
    throw new Error('follower');
  });
  const stop = ring.onRecord(({ reason }) => void heard.push(reason));
  for (let index = 0; index < 1005; index += 1) ring.record({ event: 'operator_note', reason: String(index) });
  expect(ring.list()).toHaveLength(1000);
  expect(ring.list()[0]?.reason).toBe('5');
  expect([heard.length, failures.length]).toEqual([1005, 1005]);
  void stop();
  ring.record({ event: 'operator_note', reason: 'unheard' });
  expect(heard).toHaveLength(1005);
});
