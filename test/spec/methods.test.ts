/** MCP methods: handshake, lists, calls, progress, cancellation, logging, roots, completion, rationale. */
import { describe, expect } from 'vitest';
import * as entry from '../../plugins/index.ts';
import { waitFor } from '../helper.ts';
import { namesOf, startConnected, startInside } from './fixture.ts';
import { verifies } from './verifies.ts';
import type { Json } from './wire.ts';

const { extractRationale, rationaleMeta } = entry as unknown as {
  extractRationale(params: unknown): string | undefined;
  rationaleMeta(text: string): Json;
};

describe('handshake and lists', () => {
  verifies(['mcp:initialize'], 'initialize returns capabilities', async () => {
    const { client } = await startConnected();
    expect(client.initialized.result).toMatchObject({
      protocolVersion: '2025-03-26',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'svc' },
    });
  });

  verifies(['mcp:tools-list', 'builtin:always-listed'], 'tools/list lists tools and every built-in', async () => {
    const { client } = await startConnected({}, server => {
      server.registerTool({ name: 'mine', description: 'My own.' }, () => ({}));
    });
    const names = namesOf(await client.tools());
    // biome-ignore format: one list
    expect(names).toEqual(expect.arrayContaining(['mine', 'search_skills', 'list_skills', 'get_skill_info', 'load_skill',
      'unload_skill', 'activate_tool_group', 'deactivate_tool_group', 'search_tools', 'list_roots', 'jobs_get_status',
      'jobs_cleanup', 'jobs_poll_contract']));
    expect(new Set(names).size).toBe(names.length);
  });

  verifies(['mcp:tools-list-pages', 'mcp:tools-list-cursor'], 'pages cover every tool once', async () => {
    const { client } = await startConnected({ tools_page_size: 4 }, server => {
      for (let index = 0; index < 17; index += 1) server.registerTool({ name: `tool_${index}` }, () => ({}));
    });
    const first = await client.result('tools/list');
    expect(first.tools).toHaveLength(4);
    const names = namesOf(await client.tools());
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter(name => name.startsWith('tool_'))).toHaveLength(17);
    expect(namesOf(await client.tools())).toEqual(names);
    for (const cursor of ['zz', '-1', 'ffffffffffffffff', 7, {}]) {
      const refused = await client.request('tools/list', { cursor });
      expect(refused.error?.code, JSON.stringify(cursor)).toBe(-32602);
    }
  });
});

describe('calls', () => {
  verifies(['mcp:tools-call', 'mcp:rationale-sent'], 'tools/call takes name, arguments and _meta', async () => {
    const { client } = await startConnected({}, server => {
      server.registerTool({ name: 'echo' }, args => args);
    });
    expect(await client.callJson('echo', { a: [1, 'zwei'] })).toEqual({ a: [1, 'zwei'] });
    const result = await client.call('echo', { b: 1 }, { dcc: { rationale: 'because' } });
    expect(result.isError).not.toBe(true);
    const [text] = result.content as { type: string; text: string }[];
    expect(text).toMatchObject({ type: 'text' });
    expect(JSON.parse(text?.text ?? '')).toEqual({ b: 1 });
  });

  verifies(['mcp:rationale'], 'the rationale helpers read and build', () => {
    expect(extractRationale({ name: 't', _meta: { dcc: { rationale: 'why' } } })).toBe('why');
    for (const params of [undefined, {}, { _meta: null }, { _meta: { dcc: { rationale: 1 } } }]) {
      expect(extractRationale(params)).toBeUndefined();
    }
    expect(extractRationale({ _meta: rationaleMeta('round trip') })).toBe('round trip');
  });

  verifies(['mcp:progress'], 'progress arrives under the token before the answer', async () => {
    const { connect } = await startConnected({}, server => {
      server.registerTool({ name: 'steps', execution: 'sync' }, async (_args, call) => {
        for (const step of [1, 2, 3]) {
          call.progress(step, 3, `step ${step}`);
          await new Promise(resolve => setTimeout(resolve, 10));
        }
        return { done: true };
      });
    });
    // In the revision of the specification the token makes a job of every call, whose progress has a stream of its own.
    const client = await connect({ protocolVersion: '2025-06-18' });
    const answer = await client.request('tools/call', {
      name: 'steps',
      arguments: {},
      _meta: { progressToken: 'tok' },
    });
    expect(answer.result).toBeDefined();
    const progress = answer.notifications.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params?.progress)).toEqual([1, 2, 3]);
    expect(progress[0]?.params).toEqual({ progressToken: 'tok', progress: 1, total: 3, message: 'step 1' });
    const untold = await client.request('tools/call', { name: 'steps', arguments: {} });
    expect(untold.notifications).toEqual([]);
  });

  verifies(['mcp:cancel'], 'notifications/cancelled aborts the running call', async () => {
    let signal: AbortSignal | undefined;
    const { client } = await startConnected({}, server => {
      server.registerTool({ name: 'wait' }, (_args, call) => {
        signal = call.signal;
        return new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      });
    });
    const pending = client.send({
      jsonrpc: '2.0',
      id: 'w',
      method: 'tools/call',
      params: { name: 'wait', arguments: {} },
    });
    await waitFor(() => signal, 'the call');
    await client.notify('notifications/cancelled', { requestId: 'w', reason: 'enough' });
    await waitFor(() => signal?.aborted, 'the abort');
    await pending;
    expect(await client.result('ping')).toEqual({});
  });

  verifies(['mcp:logging'], 'messages below the level of the session are not sent', async () => {
    const { client } = await startConnected({}, server => {
      server.registerTool({ name: 'talk', execution: 'sync' }, (_args, call) => {
        call.log('info', 'quietly');
        call.log('error', { loud: true });
        return {};
      });
    });
    expect(await client.result('logging/setLevel', { level: 'error' })).toEqual({});
    const answer = await client.request('tools/call', { name: 'talk', arguments: {} });
    const logs = answer.notifications.filter(({ method }) => method === 'notifications/message');
    expect(logs.map(({ params }) => params?.level)).toEqual(['error']);
    expect(logs[0]?.params?.data).toEqual({ loud: true });
    const refused = await client.request('logging/setLevel', { level: 'shouting' });
    expect(refused.error?.code).toBe(-32602);
  });

  verifies(['mcp:roots-list', 'builtin:list_roots'], 'list_roots returns what the client advertised', async () => {
    const { connect: open } = await startConnected();
    const roots = [{ uri: 'file:///shots/shot-010', name: 'shot 010' }];
    const client = await open({
      capabilities: { roots: { listChanged: true } },
      answer: ({ method }) => (method === 'roots/list' ? { roots } : {}),
    });
    const stream = await client.stream();
    expect(await client.callJson('list_roots')).toMatchObject({ supports_roots: true, count: 1, roots });
    stream.close();
    const without = await open();
    expect(await without.callJson('list_roots')).toMatchObject({ supports_roots: false, count: 0, roots: [] });
  });

  verifies(['mcp:completion'], 'completion/complete asks the provider of the reference', async () => {
    const { app, connect } = await startInside();
    app.mcp.completion('ref/prompt', ({ argument }) => ['maya', 'max'].filter(each => each.startsWith(argument.value)));
    const client = await connect();
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'dcc', value: 'ma' } };
    expect(await client.result('completion/complete', params)).toMatchObject({
      completion: { values: ['maya', 'max'] },
    });
    const refused = await client.request('completion/complete', { ref: 1 });
    expect(refused.error?.code).toBe(-32602);
  });

  verifies(['admission:timeout-hint'], 'timeout_hint_secs changes nothing about the call', async () => {
    const { client } = await startConnected({}, server => {
      server.registerTool({ name: 'hinted', timeout_hint_secs: 0.01 }, async () => {
        await new Promise(resolve => setTimeout(resolve, 100));
        return { answered: 'in place' };
      });
    });
    expect(await client.callJson('hinted')).toEqual({ answered: 'in place' });
  });
});
