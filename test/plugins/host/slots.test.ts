import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlots, openSlots } from '../../../plugins/host/slots.ts';

test('a call given up before it began never begins; one that began cannot be given up', () => {
  const server = createSlots(2);
  const host = openSlots(server.memory);
  const [first, second] = [server.claim(), server.claim()] as [number, number];
  expect(server.giveUp(first)).toBe(true);
  expect(host.begin(first)).toBe(false);
  expect(host.begin(second)).toBe(true);
  expect(server.giveUp(second)).toBe(false);
});

test('the ring is full until the host has taken the oldest call, given up or not', () => {
  const server = createSlots(2);
  const host = openSlots(server.memory);
  const first = server.claim() as number;
  server.claim();
  expect(server.claim()).toBeUndefined();
  server.giveUp(first);
  expect(server.claim()).toBeUndefined();
  host.begin(first);
  expect(server.claim()).toBe(2);
});

test('a late giving up does not touch the call that has the place now', () => {
  const server = createSlots(1);
  const host = openSlots(server.memory);
  const first = server.claim() as number;
  host.begin(first);
  const second = server.claim() as number;
  expect(server.giveUp(first)).toBe(false);
  expect(host.begin(second)).toBe(true);
});

test('in any order of events no call both begins and is given up', () => {
  const event = fc.constantFrom('claim', 'begin', 'give up');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(event, fc.nat(8)), { maxLength: 60 }),
      (size, events) => {
        const server = createSlots(size);
        const host = openSlots(server.memory);
        const queue: number[] = [];
        const claimed: number[] = [];
        const begun = new Set<number>();
        const givenUp = new Set<number>();
        for (const [what, pick] of events) {
          if (what === 'claim') {
            const ticket = server.claim();
            expect(ticket === undefined).toBe(queue.length === size);
            if (ticket === undefined) continue;
            queue.push(ticket);
            claimed.push(ticket);
          } else if (what === 'begin') {
            const ticket = queue.shift();
            if (ticket !== undefined && host.begin(ticket)) begun.add(ticket);
          } else {
            const ticket = claimed[pick % Math.max(claimed.length, 1)];
            if (ticket !== undefined && !givenUp.has(ticket) && server.giveUp(ticket)) givenUp.add(ticket);
          }
        }
        expect([...begun].filter(each => givenUp.has(each))).toEqual([]);
      },
    ),
  );
});
