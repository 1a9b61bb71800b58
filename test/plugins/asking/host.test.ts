/** Handlers of the host ask the client of their call, in both spawn modes; so do those of plugins. */
import { describe, expect, test } from 'vitest';
import { type HostCall, isSvcError } from '../../../plugins/index.ts';
import { type Answers, askedClient, inSession } from '../../asked-client.ts';
import { waitFor } from '../../helper.ts';
import { modes, testServer } from '../../server.ts';

type Handler = (args: Record<string, unknown>, call: HostCall) => unknown;

const empty = { properties: {} };

const handlers: Record<string, Handler> = {
  form: (_args, { elicit }) => elicit({ message: 'Name?', schema: { properties: { name: { type: 'string' } } } }),
  model: (_args, call) => call.sample({ messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }] }),
  folders: async (_args, call) => ({ roots: await call.roots() }),
  caught: async (_args, call) => {
    try {
      return await call.elicit({ message: 'x', schema: empty });
    } catch (error) {
      return { code: isSvcError(error) ? error.code : 'not of the table' };
    }
  },
  slow: async (_args, call) => {
    const before = call.deadline ?? 0;
    const { action } = await call.elicit({ message: 'Take your time', schema: empty });
    return { action, later: (call.deadline ?? 0) - before > 500, aborted: call.signal.aborted };
  },
  late: async (_args, call) => {
    await call.elicit({ message: 'First', schema: empty });
    await new Promise(resolve => setTimeout(resolve, 3000));
  },
  hasty: async (_args, call) => {
    const taken = new AbortController();
    setTimeout(() => taken.abort(), 100);
    await call.elicit({ message: 'x', schema: empty, signal: taken.signal }).catch(() => undefined);
    return { went_on: true };
  },
  // Nobody waits for the answer, and nothing breaks when the call ends before it.
  careless: (_args, call) => {
    void call.elicit({ message: 'x', schema: empty });
    return new Promise(resolve => setTimeout(() => resolve({ careless: true }), 200));
  },
};

const said = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm1' };
const never = () => new Promise(() => undefined);

describe.each(modes)('%s', mode => {
  describe.each(inSession)('%s', kind => {
    async function asking(answers: Answers = {}, options = {}) {
      const server = testServer(mode, options);
      const service = await server.start();
      for (const [name, handler] of Object.entries(handlers)) {
        await server.registerTool({ name, description: 'Asks.' }, handler);
      }
      return askedClient(kind, service.mcpUrl(), answers);
    }

    test('a handler asks the user, the model and for the roots', async () => {
      const roots = [{ uri: 'file:///a' }];
      const elicit = () => ({ action: 'accept', content: { name: 'Ada' } });
      const client = await asking({ elicit, sample: () => said, roots: () => ({ roots }) });
      expect((await client.call('form')).structuredContent).toEqual({ action: 'accept', content: { name: 'Ada' } });
      expect((await client.call('model')).structuredContent ?? {}).toMatchObject({ model: 'm1' });
      expect((await client.call('folders')).structuredContent).toEqual({ roots });
      expect(client.asked.map(each => each.method)).toEqual([
        ...['elicitation/create', 'sampling/createMessage', 'roots/list'],
      ]);
    });

    test('what was not declared is an error of the table on the thread of the host', async () => {
      const client = await asking({ roots: () => ({ roots: [] }) });
      expect((await client.call('caught')).structuredContent).toEqual({ code: 'SVC_MCP_CAPABILITY_MISSING' });
      expect(await client.failure('form')).toMatch(/has not declared the capability elicitation/);
    });

    test('the deadline stands still while a question is open, and runs on afterwards', async () => {
      const elicit = () => new Promise(resolve => setTimeout(() => resolve({ action: 'decline' }), 900));
      const client = await asking({ elicit }, { request_timeout_ms: 400 });
      expect((await client.call('slow')).structuredContent).toEqual({ action: 'decline', later: true, aborted: false });
      const began = performance.now();
      expect(await client.failure('late')).toMatch(/did not/);
      expect(performance.now() - began).toBeGreaterThan(1200);
      expect(performance.now() - began).toBeLessThan(2500);
    });

    test('a question that is taken back, or that its call outlived, is off', async () => {
      const signals: AbortSignal[] = [];
      const elicit = (_params: unknown, signal: AbortSignal) => {
        signals.push(signal);
        return never();
      };
      const client = await asking({ elicit });
      expect((await client.call('hasty')).structuredContent).toEqual({ went_on: true });
      expect((await client.call('careless')).structuredContent).toEqual({ careless: true });
      await waitFor(() => signals.length === 2 && signals.every(each => each.aborted), 'both to be off');
    });
  });
});
