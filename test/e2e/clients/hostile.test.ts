/** Bad input over raw sockets: an error of the table each, nothing crashes, nothing is left behind. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { definePlugin, type Kernel } from '../../../kernel/index.ts';
import { testEnv } from '../../environment.ts';
import { waitFor } from '../../helper.ts';
import { createServer, quiet, type Service } from '../../spec/fixture.ts';
import { connect, messagesOf, type RpcMessage, type Wire } from '../../spec/wire.ts';
import { exchange, halfOpen, type RawAnswer, rawPost } from './raw-socket.ts';

const codes = [-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002];
const runs = 60;

let service: Service;
let client: Wire;
let kernel: Kernel;
let sessions: { readonly size: number };
/** Labels of everything registered in the server, sockets of ours excluded. */
let before: { scope: string[]; sessions: number };

const state = () => ({ scope: kernel.scope.list(), sessions: sessions.size });

beforeAll(async () => {
  const spy = definePlugin({ name: 'spy', dependencies: ['mcp'] }, app => {
    kernel = app.kernel;
    sessions = app.mcp.sessions;
  });
  const server = createServer(quiet, { env: testEnv, add: [spy] });
  const input_schema = { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false };
  await server.registerTool({ name: 'strict', input_schema }, args => args);
  await server.registerTool({ name: 'echo' }, args => args);
  service = await server.start();
  client = await connect(service.mcpUrl());
  before = state();
});

afterAll(() => service.shutdown());

beforeEach(() => {
  expect(sessions.size).toBe(1);
});

const send = (body: Uint8Array | string): Promise<RawAnswer> =>
  exchange(service.port, rawPost(body, { 'mcp-session-id': client.sessionId }));

const messages = ({ body, headers }: RawAnswer): RpcMessage[] => {
  const type = /content-type: ([^\r\n]*)/i.exec(headers)?.[1] ?? '';
  return messagesOf({ status: 0, headers: new Headers({ 'content-type': type }), text: body });
};

/** The answer is an error of the table, as JSON-RPC. */
function expectTableError(answer: RawAnswer, among: readonly number[] = codes): void {
  for (const { error, jsonrpc } of messages(answer)) {
    expect(jsonrpc).toBe('2.0');
    expect(among).toContain(error?.code);
    expect(error?.message).toMatch(/\S/);
    expect(error?.message).not.toMatch(/ at .*\.[jt]s:\d+/);
  }
  expect(messages(answer).length).toBeGreaterThan(0);
}

/** The server still serves, with the sessions and registrations that it had. */
async function expectUnharmed(): Promise<void> {
  expect(await client.result('ping')).toEqual({});
  expect(await client.callJson('echo', { still: 'here' })).toEqual({ still: 'here' });
  await waitFor(() => JSON.stringify(state()) === JSON.stringify(before), 'the state to be as it was');
}

const request = (method: string, params?: unknown): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

describe('malformed bodies', () => {
  test('text that is not JSON is a parse error', async () => {
    const broken = fc.oneof(
      fc.string({ minLength: 1 }),
      fc
        .integer({ min: 1, max: 60 })
        .map(length => request('tools/call', { name: 'echo', arguments: {} }).slice(0, length)),
      fc.constantFrom('{', '[', '{"a":}', "{'a':1}", 'NaN', '{"a":1}}', '\u0000', '[1,]'),
    );
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    await fc.assert(
      fc.asyncProperty(
        broken.filter(text => !isJson(text)),
        async text => {
          const answer = await send(text);
          expect(answer.status).toBe(400);
          expectTableError(answer, [-32700, -32600]);
        },
      ),
      { numRuns: runs },
    );
    await expectUnharmed();
  });

  test('an invalid UTF-8 sequence is an error', async () => {
    const [head, tail] = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"',
      '"}}}',
    ];
    const invalid = fc.constantFrom(
      [0xff],
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xe2, 0x82],
      [0xf8, 0x88, 0x80, 0x80, 0x80],
    );
    await fc.assert(
      fc.asyncProperty(invalid, async bytes => {
        const answer = await send(
          Buffer.concat([Buffer.from(head as string), Buffer.from(bytes), Buffer.from(tail as string)]),
        );
        expect(answer.status).toBe(400);
        expectTableError(answer, [-32700, -32600]);
      }),
      { numRuns: 10 },
    );
    await expectUnharmed();
  });

  test('a body of 5 MB is 413', async () => {
    const answer = await send(request('tools/call', { name: 'echo', arguments: { pad: 'x'.repeat(5 * 1024 * 1024) } }));
    expect(answer.status).toBe(413);
    await expectUnharmed();
  });

  test('a batch of 10,000 is refused as a whole', async () => {
    const batch = Array.from({ length: 10_000 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
    expectTableError(await send(JSON.stringify(batch)), [-32600]);
    await expectUnharmed();
  });

  test('deep nesting is an answer, not a crash', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"strict","arguments":{"n":${deep}}}}`;
    expectTableError(await send(body));
    await expectUnharmed();
  });
});

describe('wrong messages', () => {
  test('wrong types of the members are invalid requests', async () => {
    const wrong = fc.record(
      {
        jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
        id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue()),
        method: fc.oneof(fc.constant('ping'), fc.jsonValue()),
        params: fc.oneof(fc.constant({}), fc.jsonValue()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(wrong, fc.jsonValue()), async message => {
        const answer = await send(JSON.stringify(message));
        expect([200, 202, 400, 404]).toContain(answer.status);
        if (answer.status === 202) expect(answer.body).toBe('');
        for (const { result, error } of messages(answer)) {
          if (error) expect(codes).toContain(error.code);
          else expect(result).toBeDefined();
        }
      }),
      { numRuns: runs * 2 },
    );
    await expectUnharmed();
  });

  test('an unknown method is -32601', async () => {
    const unknown = fc.string({ minLength: 1 }).map(text => `x/${text}`);
    await fc.assert(
      fc.asyncProperty(unknown, async method => {
        expectTableError(await send(request(method)), [-32601]);
      }),
      { numRuns: runs },
    );
    for (const method of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expectTableError(await send(request(method)), [-32601]);
    }
    await expectUnharmed();
  });

  test('an unknown tool is -32000', async () => {
    const unknown = fc.string({ minLength: 1 }).map(text => `no_${text}`);
    await fc.assert(
      fc.asyncProperty(unknown, async name => {
        expectTableError(await send(request('tools/call', { name, arguments: {} })), [-32000]);
      }),
      { numRuns: runs },
    );
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expectTableError(await send(request('tools/call', { name, arguments: {} })), [-32000]);
    }
    await expectUnharmed();
  });

  test('arguments of a wrong type are -32001 or -32602; with a forbidden key in them the request itself is refused', async () => {
    const args = fc.jsonValue().filter(value => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return true;
      return Object.keys(value).length > 0;
    });
    await fc.assert(
      fc.asyncProperty(args, async value => {
        const answer = await send(request('tools/call', { name: 'strict', arguments: value }));
        // What could poison a prototype is refused before anyone looks at the tool.
        const forbidden = /"__proto__":|"constructor":/.test(JSON.stringify(value));
        expectTableError(answer, forbidden ? [-32600, -32001, -32602] : [-32001, -32602]);
      }),
      { numRuns: runs, examples: [[JSON.parse('{"__proto__":1}')], [{ a: [{ constructor: { prototype: 1 } }] }]] },
    );
    await expectUnharmed();
  });

  test('__proto__ and constructor keys pollute nothing', async () => {
    const bodies = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"polluted":1}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"polluted":1},"name":"echo","arguments":{}}}',
      '{"__proto__":{"polluted":1},"jsonrpc":"2.0","id":1,"method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"constructor":{"prototype":{"polluted":1}}}}}',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"__proto__":{"polluted":1}}}}',
    ];
    for (const body of bodies) {
      const answer = await send(body);
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 400) expectTableError(answer);
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    }
    await expectUnharmed();
  });
});

describe('wrong connections', () => {
  test('half-open connections hold nobody up and are let go', async () => {
    const whole = rawPost(request('ping'), { 'mcp-session-id': client.sessionId });
    const sockets = await Promise.all(
      [0, 1, 20, whole.length - 5].map(length => halfOpen(service.port, whole.subarray(0, length))),
    );
    for (const socket of sockets.slice(1, 3)) socket.end();
    expect(await client.result('ping')).toEqual({});
    for (const socket of sockets) socket.destroy();
    await expectUnharmed();
  });

  test('a client that goes away in the middle of its call harms nothing', async () => {
    for (let round = 0; round < 20; round += 1) {
      const call = rawPost(request('tools/call', { name: 'echo', arguments: { pad: 'x'.repeat(10_000) } }), {
        'mcp-session-id': client.sessionId,
      });
      (await halfOpen(service.port, call)).destroy();
    }
    await expectUnharmed();
  });

  test('a request that is not HTTP is 400', async () => {
    const answer = await exchange(service.port, 'HELLO\r\n\r\n');
    expect([0, 400]).toContain(answer.status);
    await expectUnharmed();
  });

  test('initialize with rubbish opens a session only when it is answered with one', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async params => {
        const answer = await exchange(service.port, rawPost(request('initialize', params)));
        const id = /mcp-session-id: ([^\r\n]*)/i.exec(answer.headers)?.[1];
        const [message] = messages(answer);
        expect(message?.result !== undefined).toBe(id !== undefined);
        if (message?.error) expect(codes).toContain(message.error.code);
        if (id) await fetch(service.mcpUrl(), { method: 'DELETE', headers: { 'mcp-session-id': id } });
      }),
      { numRuns: runs },
    );
    await expectUnharmed();
  });
});
