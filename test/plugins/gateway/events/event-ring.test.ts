import { expect, test } from 'vitest';
import { createBus } from '../../../../kernel/bus.ts';
import { createIds } from '../../../../kernel/index.ts';
import { createEventRing } from '../../../../plugins/gateway/events/event-ring.ts';

function rig() {
  const bus = createBus(createIds(), () => undefined);
  return { bus, ring: createEventRing(bus, () => 0) };
}

const instance = {
  instance_id: 'aaaa1111-0000-4000-8000-000000000000',
  instance_short: 'aaaa1111',
  dcc_type: 'maya',
  source: 'file',
  mcp_url: 'http://127.0.0.1:1/mcp',
  status: 'available',
  routable: false,
} as const;

test('an event is a line with the contract’s five members', () => {
  const { bus, ring } = rig();
  bus.emit('instance.left', { attributes: { ...instance, reason: 'host-died', message: 'r' } });
  bus.emit('gateway.noted', { attributes: { event: 'feedback_reported', reason: 'two\nlines' } });
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

test('exits of every kind, failed probes and elections each have their kind of entry', () => {
  const { bus, ring } = rig();
  for (const reason of ['exited', 'host-died', 'heartbeat-timeout', 'deregistered', 'goodbye']) {
    bus.emit('instance.left', { attributes: { ...instance, reason, message: `because ${reason}` } });
  }
  bus.emit('instance.unreachable', { attributes: { ...instance, message: 'refused' } });
  bus.emit('instance.booting', { attributes: { ...instance, message: 'starting' } });
  const gateway = { dcc_type: '__gateway__', instance_id: 'bbbb2222-0000-4000-8000-000000000000' };
  bus.emit('gateway.elected', { attributes: { ...gateway, reason: 'won' } });
  bus.emit('gateway.yielded', { attributes: { ...gateway, reason: 'gave way' } });
  expect(ring.list().map(each => [each.event, each.dcc_type, each.instance_id, each.reason])).toEqual([
    ['ghost_reaped', 'maya', 'aaaa1111', 'because exited'],
    ['host_died', 'maya', 'aaaa1111', 'because host-died'],
    ['auto_deregister', 'maya', 'aaaa1111', 'because heartbeat-timeout'],
    ['deregistered', 'maya', 'aaaa1111', 'because deregistered'],
    ['deregistered', 'maya', 'aaaa1111', 'because goodbye'],
    ['probe_unreachable', 'maya', 'aaaa1111', 'refused'],
    ['probe_booting', 'maya', 'aaaa1111', 'starting'],
    ['election_won', '__gateway__', 'bbbb2222', 'won'],
    ['voluntary_yield', '__gateway__', 'bbbb2222', 'gave way'],
  ]);
});

test('the newest thousand are kept; followers hear of each, whatever another one does', () => {
  const failures: unknown[] = [];
  const bus = createBus(createIds(), (_, error) => void failures.push(error));
  const ring = createEventRing(bus, Date.now);
  const heard: string[] = [];
  bus.on('internal.gateway.recorded', () => {
    throw new Error('follower');
  });
  const stop = bus.on('internal.gateway.recorded', ({ attributes }) => void heard.push(attributes.reason));
  const note = (reason: string) => bus.emit('gateway.noted', { attributes: { event: 'operator_note', reason } });
  for (let index = 0; index < 1005; index += 1) note(String(index));
  expect(ring.list()).toHaveLength(1000);
  expect(ring.list()[0]?.reason).toBe('5');
  expect([heard.length, failures.length]).toEqual([1005, 1005]);
  void stop();
  note('unheard');
  expect(heard).toHaveLength(1005);
  void ring.dispose();
  note('not kept');
  expect(ring.list().at(-1)?.reason).toBe('unheard');
});
