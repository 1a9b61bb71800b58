/** What is kept of a call through the gateway: where it came from, when it was where, how its answer went out. */
import { expect, test } from 'vitest';
import type { CallRecord } from '../../../schemas/call-record.ts';
import { gatewayOver, type Json } from './support.ts';

test('a call tells where it came from, when it was where, and how its answer went out; its instance knows who asks', async () => {
  const records: CallRecord[] = [];
  const correlations: Json[] = [];
  const {
    app,
    hosts,
    post,
    client: connect,
  } = await gatewayOver([
    {
      async setup(server) {
        server.registerTool({ name: 'waits', description: 'Waits.' }, async ({ fail }) => {
          await new Promise(resolve => setTimeout(resolve, 20));
          if (fail) throw new Error('it broke');
          return { waited: true };
        });
        await server.bus.subscribe('tool.*', event => void correlations.push(event.correlation));
      },
    },
  ]);
  app.kernel.bus.on('internal.call.ended', ({ attributes }) => void records.push(attributes));
  const tool_slug = `maya.${hosts[0]?.short}.waits`;
  const last = (): CallRecord => records.at(-1) as CallRecord;

  // Over REST: moments in order, the time of the tool within that of its instance, bytes of both encodings.
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const body = { tool_slug, arguments: {}, meta: { agent_context: { agent_id: 'bot-7' } } };
  const answer = await post('call', body, {
    traceparent,
    accept: 'application/toon',
    'x-svc-agent-name': 'Bot',
  });
  expect(answer.status).toBe(200);
  const { arrived, began, sent, answered, ended, toldAt, toolMs = 0, answer: text = '' } = last();
  expect(last()).toMatchObject({ transport: 'rest', peer: '127.0.0.1', client: undefined });
  // Of its headers what tells who calls, no more.
  expect(last().headers).toEqual({ traceparent, 'x-svc-agent-name': 'Bot' });
  expect(last().traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/);
  const moments = [arrived, began, sent, answered, ended, toldAt];
  expect(moments).toEqual([...moments].sort((a, b) => a - b));
  expect(toolMs).toBeGreaterThan(15);
  expect(answered - sent).toBeGreaterThan(toolMs);
  expect(last()).toMatchObject({ format: 'toon', originalBytes: Buffer.byteLength(text) });
  expect(last().returnedBytes).toBe(Buffer.byteLength(answer.text));
  // What only the gateway is told stays with it.
  expect(text).not.toContain('svc/duration_ms');
  expect(correlations.at(-1)).toMatchObject({ trace_id: '0af7651916cd43dd8448eb211c80319c', agent_id: 'bot-7' });

  // Over MCP, and a tool that throws: it is timed too.
  const client = await connect();
  const failed = await client.call('call', { tool_slug, arguments: { fail: true } });
  expect(JSON.stringify(failed)).toContain('it broke');
  const failure = last();
  expect(failure).toMatchObject({ transport: 'mcp', peer: '127.0.0.1' });
  const { name } = failure.client as { name: string };
  expect(name).toBeTruthy();
  expect(correlations.at(-1)).toMatchObject({ client: name });
  expect([failure.answer, failure.answered > failure.sent]).toEqual([undefined, true]);
  expect(failure.toolMs).toBeGreaterThan(15);
});
