/** Errors and limits. */
import { describe, expect, onTestFinished } from 'vitest';
import { startConnected, startInside } from './fixture.ts';
import { verifies } from './verifies.ts';
import { messagesOf } from './wire.ts';

const served = () =>
  startConnected({}, server => {
    const input_schema = {
      type: 'object',
      properties: { radius: { type: 'number', minimum: 0 } },
      required: ['radius'],
      additionalProperties: false,
    };
    server.registerTool({ name: 'sphere', input_schema }, () => ({}));
    server.registerTool({ name: 'throws' }, () => {
      throw new Error('the mesh is open');
    });
    server.registerTool({ name: 'rejects' }, () => Promise.reject(new Error('the file is gone')));
    server.registerTool({ name: 'circular' }, () => {
      const loop: Record<string, unknown> = {};
      loop.self = loop;
      return loop;
    });
  });

describe('the table', () => {
  verifies(['error:-32700'], 'a body that is not JSON', async () => {
    const { client } = await served();
    const answer = await client.send('{"jsonrpc": "2.0", ');
    expect(answer.status).toBe(400);
    expect(messagesOf(answer)[0]).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
  });

  verifies(['error:-32600', 'error:object'], 'an invalid request', async () => {
    const { client } = await served();
    const wrong = [
      {},
      1,
      'text',
      null,
      { jsonrpc: '1.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 1, method: 1 },
      [],
    ];
    for (const body of wrong) {
      const [answer] = messagesOf(await client.send(JSON.stringify(body)));
      expect(answer?.error, JSON.stringify(body)).toMatchObject({
        code: -32600,
        message: expect.any(String),
        data: expect.any(Object),
      });
    }
  });

  verifies(['error:-32601'], 'an unknown method is named', async () => {
    const { client } = await served();
    const { error } = await client.request('tools/destroy');
    expect(error).toMatchObject({ code: -32601, message: expect.stringContaining('tools/destroy') });
  });

  verifies(['error:-32602'], 'invalid params name what is missing', async () => {
    const { client } = await served();
    const missing = await client.request('tools/call', { arguments: {} });
    expect(missing.error).toMatchObject({ code: -32602, message: expect.stringMatching(/name/) });
    const typed = await client.request('tools/call', { name: 'sphere', arguments: 'x' });
    expect(typed.error).toMatchObject({ code: -32602, message: expect.stringMatching(/arguments/) });
  });

  verifies(['error:-32000'], 'an unknown tool is named', async () => {
    const { client } = await served();
    const { error } = await client.request('tools/call', { name: 'cube', arguments: {} });
    expect(error).toMatchObject({ code: -32000, message: expect.stringContaining('cube') });
  });

  verifies(['error:-32001'], 'unfit arguments name the field', async () => {
    const { client } = await served();
    for (const [args, field] of [
      [{}, 'radius'],
      [{ radius: 'big' }, 'radius'],
      [{ radius: -1 }, 'radius'],
      [{ radius: 1, colour: 2 }, 'colour'],
    ] as const) {
      const { error } = await client.request('tools/call', { name: 'sphere', arguments: args });
      expect(error).toMatchObject({ code: -32001, message: expect.stringContaining(field) });
    }
  });

  verifies(['error:-32002'], 'a handler that throws or rejects', async () => {
    const { client } = await served();
    const thrown = await client.request('tools/call', { name: 'throws', arguments: {} });
    expect(thrown.error).toMatchObject({ code: -32002, message: expect.stringContaining('the mesh is open') });
    const rejected = await client.request('tools/call', { name: 'rejects', arguments: {} });
    expect(rejected.error).toMatchObject({ code: -32002, message: expect.stringContaining('the file is gone') });
    expect(JSON.stringify([thrown.error, rejected.error])).not.toMatch(/\.ts:\d+/);
  });

  verifies(['error:-32603'], 'a failure inside the server, told without its insides', async () => {
    const { app, connect } = await startInside();
    onTestFinished(
      app.kernel.rpc.method('test/breaks', () => {
        throw new TypeError('a mistake of ours');
      }),
    );
    const { error } = await (await connect()).request('test/breaks');
    expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(/\S/) });
    expect(JSON.stringify(error)).not.toMatch(/\.ts:\d+/);
  });
});

describe('limits', () => {
  verifies(['limit:request-body'], 'a body above the cap is 413 and nothing more', async () => {
    const { client } = await startConnected({ max_request_body_bytes: 2048 });
    const answer = await client.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: 'x'.repeat(4096) } });
    expect(answer.status).toBe(413);
    expect(await client.result('ping')).toEqual({});
  });

  verifies(['limit:batch-size'], 'a batch above the cap is refused', async () => {
    const { client } = await startConnected({ max_batch_size: 3 });
    const batch = (count: number) => Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    expect(messagesOf(await client.send(batch(3)))).toHaveLength(3);
    const [refused] = messagesOf(await client.send(batch(4)));
    expect(refused?.error).toMatchObject({ code: -32600, message: expect.stringMatching(/batch|3/) });
  });
});
