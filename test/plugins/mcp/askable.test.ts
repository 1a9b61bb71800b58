import { expect, test } from 'vitest';
import { assertAskable } from '../../../plugins/mcp/sessions/askable.ts';

const [roots, sample, elicit] = ['roots/list', 'sampling/createMessage', 'elicitation/create'];

test.each([
  [roots, {}, { roots: {} }],
  [roots, {}, { roots: { listChanged: true } }],
  [sample, {}, { sampling: {} }],
  [sample, { tools: [] }, { sampling: { tools: {} } }],
  [elicit, {}, { elicitation: {} }],
  [elicit, { mode: 'form' }, { elicitation: { form: {} } }],
  [elicit, { mode: 'url' }, { elicitation: { url: {} } }],
  ['vendor/question', {}, {}],
])('%s %j is asked of a client with %j', (method, params, capabilities) => {
  expect(() => assertAskable(method, params, capabilities)).not.toThrow();
});

test.each([
  [roots, {}, { sampling: {} }, { roots: {} }],
  [roots, {}, { roots: true }, { roots: {} }],
  [sample, {}, {}, { sampling: {} }],
  [sample, { tools: [] }, { sampling: {} }, { sampling: { tools: {} } }],
  [sample, { toolChoice: {} }, { sampling: {} }, { sampling: { tools: {} } }],
  [elicit, {}, {}, { elicitation: { form: {} } }],
  [elicit, {}, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  [elicit, { mode: 'url' }, { elicitation: {} }, { elicitation: { url: {} } }],
])('%s %j is not asked of a client with %j', (method, params, capabilities, requiredCapabilities) => {
  expect(() => assertAskable(method, params, capabilities)).toThrow(
    expect.objectContaining({
      code: 'SVC_MCP_CAPABILITY_MISSING',
      details: expect.objectContaining({ method, requiredCapabilities }),
    }),
  );
});
