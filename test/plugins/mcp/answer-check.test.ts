/** What a client answers is held against what it was asked; a form that could hold the thread is not. */
import { expect, test } from 'vitest';
import { assertAnswerable, checkedAnswer } from '../../../plugins/mcp/sessions/answer-check.ts';

const elicit = 'elicitation/create';
const form = (name: object) => ({ requestedSchema: { type: 'object', properties: { name }, required: ['name'] } });
const text = form({ type: 'string', minLength: 2 });

test.each([
  [elicit, text, 'yes', 'it is no object'],
  [elicit, text, { action: 'maybe' }, '"action" must be one of accept, decline, cancel'],
  [elicit, text, { action: 'accept' }, '"name" is required'],
  [elicit, text, { action: 'accept', content: { name: 'x' } }, '"name" must NOT have fewer than 2 characters'],
  ['sampling/createMessage', {}, { role: 'assistant' }, 'a message needs "role" and "content"'],
  ['roots/list', {}, { roots: {} }, '"roots" must be a list'],
])('%s: an answer that was not asked for is refused: %j %j', (method, params, answer, reason) => {
  expect(() => checkedAnswer(method, params, answer)).toThrow(
    expect.objectContaining({ code: 'SVC_MCP_BAD_ANSWER', details: { method, reason } }),
  );
});

test('answers that fit pass, a refusal of the user without content too', () => {
  for (const answer of [{ action: 'accept', content: { name: 'Ada' } }, { action: 'decline' }, { action: 'cancel' }]) {
    expect(checkedAnswer(elicit, text, answer)).toBe(answer);
  }
});

test('a form that is no schema is no question', () => {
  expect(() => assertAnswerable(elicit, { requestedSchema: { type: 'form' } })).toThrow(
    expect.objectContaining({ code: 'SVC_MCP_BAD_QUESTION' }),
  );
  expect(() => assertAnswerable(elicit, text)).not.toThrow();
});

test('a pattern that backtracks holds nobody: its answer passes unchecked', () => {
  const answer = { action: 'accept', content: { name: `${'a'.repeat(40)}!` } };
  expect(checkedAnswer(elicit, form({ type: 'string', pattern: '^(a+)+$' }), answer)).toBe(answer);
});
