import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeResult,
  idOf,
  RawBytes,
  RawJson,
  type Reply,
  type RpcContext,
  replyText,
  requestProblem,
  rpcErrors,
} from '../../kernel/index.ts';
import { createRpc } from '../../kernel/rpc.ts';

const context: RpcContext = {
  era: 'session',
  protocolVersion: '2025-06-18',
  requestId: undefined,
  session: undefined,
  clientInfo: {},
  clientCapabilities: {},
  signal: new AbortController().signal,
  onCancel: () => undefined,
  notify: () => undefined,
  request: () => Promise.reject(new Error('no client')),
};

function makeRpc() {
  const failures: string[] = [];
  const rpc = createRpc(method => void failures.push(method));
  const ask = async (message: unknown): Promise<unknown> => {
    const reply: Reply | undefined = await rpc.dispatch(message, context);
    return reply === undefined ? undefined : JSON.parse(replyText(reply));
  };
  return { rpc, ask, failures };
}

const request = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

test('JSON-RPC: a method answers with its value, its promise, RawJson or RawBytes', async () => {
  const { rpc, ask } = makeRpc();
  rpc.method('value', params => ({ got: params }));
  rpc.method('promise', async () => [1]);
  rpc.method('nothing', () => undefined);
  rpc.method('text', () => new RawJson('{"a":1}'));
  rpc.method('bytes', async () => new RawBytes('{"ü":2}'));
  expect(await ask(request('value', { x: 1 }))).toEqual({ jsonrpc: '2.0', id: 1, result: { got: { x: 1 } } });
  expect(await ask(request('value'))).toMatchObject({ result: { got: {} } });
  expect(await ask({ jsonrpc: '2.0', id: 1, method: 'value', params: null })).toMatchObject({ result: { got: {} } });
  expect(await ask(request('promise', {}, 'é"'))).toEqual({ jsonrpc: '2.0', id: 'é"', result: [1] });
  expect(await ask(request('nothing'))).toMatchObject({ result: {} });
  expect(await ask(request('text'))).toMatchObject({ result: { a: 1 } });
  expect(await ask(request('bytes'))).toMatchObject({ result: { ü: 2 } });
});

test.each([
  [null, 'a message must be an object', null],
  [[], 'a message must be an object', null],
  ['text', 'a message must be an object', null],
  [5, 'a message must be an object', null],
  [{}, '"jsonrpc" must be "2.0"', null],
  [{ jsonrpc: '1.0', id: 1, method: 'x' }, '"jsonrpc" must be "2.0"', 1],
  [{ jsonrpc: '2.0', id: 1 }, '"method" must be a non-empty string', 1],
  [{ jsonrpc: '2.0', id: 'a', method: '' }, '"method" must be a non-empty string', 'a'],
  [{ jsonrpc: '2.0', id: 1, method: {} }, '"method" must be a non-empty string', 1],
  [{ jsonrpc: '2.0', id: 1, method: 'x', params: [] }, '"params" must be an object', 1],
  [{ jsonrpc: '2.0', id: 1, method: 'x', params: 'p' }, '"params" must be an object', 1],
  [{ jsonrpc: '2.0', id: null, method: 'x' }, '"id" must be a string or a whole number up to 2^53 - 1', null],
  [{ jsonrpc: '2.0', id: {}, method: 'x' }, '"id" must be a string or a whole number up to 2^53 - 1', null],
  [{ jsonrpc: '2.0', id: 2 ** 53, method: 'x' }, '"id" must be a string or a whole number up to 2^53 - 1', null],
  [{ jsonrpc: '2.0', id: 1.5, method: 'x' }, '"id" must be a string or a whole number up to 2^53 - 1', null],
  [{ jsonrpc: '2.0', id: true, method: 'x' }, '"id" must be a string or a whole number up to 2^53 - 1', null],
])('JSON-RPC: malformed message %j is -32600 and says why', async (message, reason, id) => {
  const { ask } = makeRpc();
  expect(await ask(message)).toMatchObject({ id, error: { code: -32600, message: `Invalid request: ${reason}` } });
});

test.each(['absent', '__proto__', 'constructor', 'toString', ' '])(
  'JSON-RPC: unknown method %j is -32601 and is named',
  async method => {
    const { ask } = makeRpc();
    expect(await ask(request(method))).toMatchObject({
      error: { code: -32601, message: `Method not found: ${method}`, data: { code: 'SVC_RPC_METHOD_NOT_FOUND' } },
    });
  },
);

test('JSON-RPC: a very long method name is not echoed whole', async () => {
  const { ask } = makeRpc();
  expect(JSON.stringify(await ask(request('x'.repeat(100_000)))).length).toBeLessThan(1000);
});

test('JSON-RPC: what a handler throws or rejects with is an error answer', async () => {
  const { rpc, ask, failures } = makeRpc();
  rpc.method('known', () => {
    throw rpcErrors.INVALID_PARAMS({ reason: 'no' });
  });
  rpc.method('unknown', () => Promise.reject(new Error('boom')));
  rpc.method('odd', () => {
    throw null;
  });
  rpc.method('cancelled', () => Promise.reject(rpcErrors.CANCELLED({ reason: 'nobody waits' })));
  expect(await ask(request('known'))).toMatchObject({ error: { code: -32602, message: 'Invalid params: no' } });
  expect(await ask(request('unknown'))).toMatchObject({ error: { code: -32603, message: 'Internal error: boom' } });
  expect(await ask(request('odd'))).toMatchObject({ error: { code: -32603 } });
  expect(await ask(request('cancelled'))).toMatchObject({ error: { data: { code: 'SVC_RPC_CANCELLED' } } });
  expect(failures).toEqual(['unknown', 'odd']);
});

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

test.each([[1n], [cycle]])(
  'JSON-RPC: a result that JSON cannot carry (case %#) is -32603, sync or async',
  async value => {
    const { rpc, ask } = makeRpc();
    rpc.method('sync', () => value);
    rpc.method('async', async () => value);
    expect(await ask(request('sync'))).toMatchObject({ error: { code: -32603 } });
    expect(await ask(request('async'))).toMatchObject({ error: { code: -32603 } });
  },
);

test('JSON-RPC: a function as result is an empty object, and details that JSON cannot carry are dropped', async () => {
  const { rpc, ask } = makeRpc();
  rpc.method('function', () => () => 1);
  rpc.method('details', () => {
    throw rpcErrors.INTERNAL({ reason: 'x', cycle });
  });
  expect(await ask(request('function'))).toMatchObject({ result: {} });
  expect(await ask(request('details'))).toMatchObject({ error: { data: { code: 'SVC_RPC_INTERNAL' } } });
});

test('JSON-RPC: notifications are never answered, whatever their handler does', async () => {
  const { rpc, ask, failures } = makeRpc();
  const got: unknown[] = [];
  rpc.notification('n', params => void got.push(params));
  rpc.notification('bad', () => Promise.reject(new Error('x')));
  rpc.method('m', () => void got.push('a method was called by a notification'));
  for (const method of ['n', 'bad', 'm', 'absent']) {
    expect(await ask({ jsonrpc: '2.0', method, params: { a: 1 } })).toBeUndefined();
  }
  expect(got).toEqual([{ a: 1 }]);
  expect(failures).toEqual(['bad']);
});

test('JSON-RPC: a method registered twice is refused; its disposer makes room', () => {
  const { rpc } = makeRpc();
  const undo = rpc.method('m', () => 1);
  expect(() => rpc.method('m', () => 2)).toThrow('JSON-RPC method "m" is registered twice');
  expect(rpc.has('m')).toBe(true);
  undo();
  expect(rpc.has('m')).toBe(false);
  rpc.method('m', () => 3);
});

test('JSON-RPC: any value at all gets an answer or none, never a throw or a rejection (property)', async () => {
  const { rpc, ask } = makeRpc();
  rpc.method('echo', params => params);
  const almost = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
      method: fc.oneof(fc.constant('echo'), fc.string(), fc.jsonValue()),
      params: fc.oneof(fc.object(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(almost, fc.anything()), async message => {
      const reply = (await ask(message)) as { jsonrpc: string; id: unknown } | undefined;
      if (reply === undefined) return requestProblem(message) === undefined;
      return reply.jsonrpc === '2.0' && JSON.stringify(reply.id) === JSON.stringify(idOf(message));
    }),
    { numRuns: 500 },
  );
});

test('JSON-RPC: an encoded reply is the JSON that the parts say (property)', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.integer()), fc.jsonValue(), (id, value) => {
      const text = JSON.stringify(value);
      for (const result of [value, new RawJson(text), new RawBytes(text)]) {
        const decoded = JSON.parse(replyText(encodeResult(id, result)));
        expect(decoded).toEqual({ jsonrpc: '2.0', id, result: JSON.parse(JSON.stringify(value ?? {})) ?? null });
        if (value === null) break;
      }
    }),
  );
});

test('a recovery gives the result that a failed request answers with, or leaves the error', async () => {
  const { rpc, ask, failures } = makeRpc();
  const fail = (): never => {
    throw rpcErrors.TIMEOUT({ what: 'x', timeout_ms: 1 });
  };
  const remove = rpc.method(
    'sync',
    Object.assign(() => fail(), { recovered: () => ({ told: true }) }),
  );
  rpc.method(
    'async',
    Object.assign(async () => fail(), { recovered: () => new RawJson('{"told":1}') }),
  );
  rpc.method(
    'leaves',
    Object.assign(() => fail(), { recovered: () => undefined }),
  );
  expect(await ask(request('sync'))).toEqual({ jsonrpc: '2.0', id: 1, result: { told: true } });
  expect(await ask(request('async'))).toEqual({ jsonrpc: '2.0', id: 1, result: { told: 1 } });
  expect(failures).toEqual([]);
  expect(await ask(request('leaves'))).toMatchObject({ error: { code: -32603 } });
  void remove();
  rpc.method('sync', fail);
  expect(await ask(request('sync'))).toMatchObject({ error: { code: -32603 } });
});
