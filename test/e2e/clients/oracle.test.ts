/** Every message that the server sends in a conversation has the members that its revision requires. */
import { describe, expect, test } from 'vitest';
import { type Running, skillFolder, startServer } from '../../spec/fixture.ts';
import { messagesOf, type RpcMessage } from '../../spec/wire.ts';
import { problemsOf, type Revision } from './oracle.ts';

const revisions: Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25'];

const asked: [string, Record<string, unknown>][] = [
  ['ping', {}],
  ['tools/list', {}],
  ['logging/setLevel', { level: 'debug' }],
  ['tools/call', { name: 'list_skills', arguments: {} }],
  ['tools/call', { name: 'load_skill', arguments: { skill_name: 'rig' } }],
  ['tools/call', { name: 'rig_echo', arguments: { a: 1 } }],
  ['tools/call', { name: 'search_tools', arguments: { query: 'skill' } }],
  ['tools/call', { name: 'get_skill_info', arguments: { skill_name: 'nobody' } }],
  ['tools/call', { name: 'steps', arguments: {}, _meta: { progressToken: 7 } }],
  ['tools/call', { name: 'typed', arguments: {} }],
  ['tools/call', { name: 'nobody', arguments: {} }],
  ['tools/list', { cursor: 'rubbish' }],
  ['no/such', {}],
];

const serve = async (): Promise<Running> =>
  startServer({ skill_paths: [await skillFolder({ rig: {} })] }, server => {
    server.registerTool({ name: 'steps', execution: 'sync' }, (_args, call) => {
      call.progress(1, 2, 'half');
      call.log('info', { half: true });
      call.progress(2, 2);
      return {};
    });
    const output_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    server.registerTool({ name: 'typed', title: 'Typed', output_schema }, () => ({ n: 1 }));
  });

describe.each(revisions)('revision %s', protocolVersion => {
  test('every message is well formed', async () => {
    const { connect } = await serve();
    const client = await connect({ protocolVersion });
    const stream = await client.stream();
    const found: string[] = [];
    const check = (message: RpcMessage, method: string): void => {
      for (const problem of problemsOf(message, protocolVersion, method)) found.push(`${method}: ${problem}`);
    };
    const { status: _s, headers: _h, notifications: _n, ...initialized } = client.initialized;
    check(initialized, 'initialize');
    for (const [index, [method, params]] of asked.entries()) {
      const messages = messagesOf(await client.send({ jsonrpc: '2.0', id: index, method, params }));
      expect(messages.filter(({ id }) => id === index)).toHaveLength(1);
      for (const message of messages) check(message, method);
    }
    await stream.next(({ method }) => method === 'notifications/tools/list_changed');
    for (const message of stream.messages) check(message, 'stream');
    stream.close();
    expect(found).toEqual([]);
  });
});

describe('the oracle', () => {
  test('finds what is wrong', () => {
    expect(problemsOf({ jsonrpc: '2.0', id: 1, result: {} }, '2025-03-26', 'tools/call')).toEqual([
      'content is not a list',
    ]);
    expect(problemsOf({ jsonrpc: '2.0', result: {} }, '2025-03-26')).toEqual(['a result without an id']);
    expect(problemsOf({ jsonrpc: '2.0', id: 1 }, '2025-03-26')).toContain('not exactly one of result and error');
    const tool = { name: 'a b', inputSchema: {} };
    expect(problemsOf({ jsonrpc: '2.0', id: 1, result: { tools: [tool] } }, '2025-11-25', 'tools/list')).toHaveLength(
      2,
    );
  });
});
