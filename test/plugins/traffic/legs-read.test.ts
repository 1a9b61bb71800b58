/** What was taken down becomes legs, also where what belongs together comes in two batches. */
import { expect, test } from 'vitest';
import type { Headers, Item, Names, Place } from '../../../plugins/traffic/handed.ts';
import { createLegs } from '../../../plugins/traffic/legs.ts';
import type { Passed } from '../../../plugins/traffic/passed.ts';
import { shownHeaders } from '../../../plugins/traffic/safe-http.ts';

const trace = 'a'.repeat(32);
const headersOf = (given: Partial<Record<(typeof shownHeaders)[number], string>>): Headers =>
  shownHeaders.map(name => given[name]);
const asked = headersOf({ 'x-request-id': 'own', 'mcp-session-id': 's-1', 'content-type': 'application/json' });
const json = headersOf({ 'content-type': 'application/json' });
const call = '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}}';
const answer = '{"jsonrpc":"2.0","id":7,"result":{}}';
const place: Place = ['i-1', 'maya', 'http://127.0.0.1:1/mcp'];
const names: Names = ['given', trace, 's-1'];

const sent: Item = ['sent', 1, 'mcp', '/mcp', 10, asked, [call.length, call]];
const begun: Item = ['begun', 2, 1, 7, names, place, 20, [2, '{}']];
const ended: Item = ['ended', 2, 30, [2, '{}']];
const answered: Item = ['answered', 1, 200, 40, json, [answer.length, answer], true];
const passedOn: Item = ['passed on', 1, place];

/** What is told of each batch: leg, id of the request, id of the message, instance. */
function told(...batches: Item[][]) {
  const found: unknown[][] = [];
  const captures = new Set<string>();
  const legs = createLegs({
    uuid: () => String(captures.size),
    onPassed({ leg, capture_id, correlation, id, instance }: Passed) {
      captures.add(capture_id);
      const { request_id } = JSON.parse(correlation.json);
      found.at(-1)?.push([leg, request_id, id, instance !== '']);
    },
  });
  for (const each of batches) {
    found.push([]);
    for (const item of each) legs.read(item);
    legs.settle();
  }
  expect(captures.size).toBe(1);
  expect(legs.open()).toBe(0);
  return found;
}

const onward = [
  ['gateway_to_adapter', 'given', null, true],
  ['adapter_to_gateway', 'given', null, true],
  ['gateway_to_client', 'given', 7, false],
];

test('what the gateway calls itself: a request has the ids that its call got, where they come in time', () => {
  expect(told([sent, begun, ended, answered])).toEqual([[['client_to_gateway', 'given', 7, false], ...onward]]);
  expect(told([sent], [begun], [ended, answered])).toEqual([
    [['client_to_gateway', 'own', 7, false]],
    onward.slice(0, 1),
    onward.slice(1),
  ]);
});

test('what the proxy passes on is told twice, also where it is passed on later', () => {
  const first = ['client_to_gateway', 'own', 7];
  const second = ['gateway_to_adapter', 'own', 7, true];
  const back = [
    ['adapter_to_gateway', 'own', 7, true],
    ['gateway_to_client', 'own', 7, true],
  ];
  expect(told([sent, passedOn, answered])).toEqual([[[...first, true], second, ...back]]);
  expect(told([sent], [sent, passedOn], [answered])).toEqual([[[...first, false]], [second], back]);
});

test('a request that nothing came of is told with its answer, or at the end of its batch', () => {
  const first = ['client_to_gateway', 'own', 7, false];
  const last = ['gateway_to_client', 'own', 7, false];
  expect(told([sent, answered])).toEqual([[first, last]]);
  expect(told([sent], [answered])).toEqual([[first], [last]]);
});
