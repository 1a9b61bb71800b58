/** Calls and answers in bodies: what the gateway has read and made itself is not read again, everything else is. */
import { expect, test } from 'vitest';
import { answersIn, callsIn } from '../../../plugins/traffic/messages.ts';

const call = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'x' } });
const type = 'application/json; charset=utf-8';

test('a call that the gateway has read is that call; a batch, another method and foreign spelling are read', () => {
  expect(callsIn('mcp', call(7), 7)).toEqual([{ id: 7, data: undefined, json: call(7) }]);
  expect(callsIn('mcp', call(7))).toEqual([{ id: 7, data: JSON.parse(call(7)), json: call(7) }]);
  expect(callsIn('mcp', `[${call('a')},${call('b')}]`, 'b').map(each => each.id)).toEqual(['a', 'b']);
  const spaced = call(7).replaceAll(':', ': ');
  expect(callsIn('mcp', spaced, 7)).toEqual([{ id: 7, data: JSON.parse(spaced), json: spaced }]);
  expect(callsIn('mcp', '{"id":7,"method":"ping","why":"tools/call"}', 7)).toEqual([]);
});

test("an answer of the gateway's own is taken as it is; one that was cut off or passed on is read", () => {
  const text = '{"jsonrpc":"2.0","id":"a","result":{"content":[]}}';
  expect(answersIn('mcp', { type, text, own: true }, ['a'])).toEqual([{ data: undefined, json: text }]);
  expect(answersIn('mcp', { type, text, own: false }, ['a'])).toEqual([{ data: JSON.parse(text), json: text }]);
  const cut = '{"jsonrpc":"2.0","id":"a","result":{"content":[{}';
  expect(answersIn('mcp', { type, text: cut, own: false }, ['a'])).toEqual([{ data: cut, json: undefined }]);
  const error = '{"jsonrpc":"2.0","id":"a","error":{"code":1,"message":"no"}}';
  expect(answersIn('mcp', { type, text: error, own: true }, ['a'])).toEqual([{ data: JSON.parse(error), json: error }]);
  const events = `event: message\ndata: ${text}\n\n`;
  const stream = { type: 'text/event-stream', text: events, own: true };
  expect(answersIn('mcp', stream, ['a'])).toEqual([{ data: JSON.parse(text), json: text }]);
});
