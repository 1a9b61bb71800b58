import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { revision, sessionlessServer } from './sessionless-wire.ts';

const modes = { 'that probes first': 'auto', 'pinned to the revision': { pin: revision } } as const;

describe.each(Object.entries(modes))('the official client %s', (_name, mode) => {
  const connect = async (url: string, asked: Record<string, unknown> = {}) => {
    const client = new Client({ name: 'oracle', version: '1' }, { versionNegotiation: { mode }, capabilities: asked });
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    onTestFinished(() => client.close());
    return { client, transport };
  };

  test('speaks the sessionless revision and needs no session', async () => {
    const { app, url } = await sessionlessServer();
    const { client, transport } = await connect(url);
    expect(client.getServerVersion()).toMatchObject({ name: 'svc' });
    expect([transport.protocolVersion, transport.sessionId]).toEqual([revision, undefined]);
    expect(await client.callTool({ name: 'one' }).catch((error: Error) => error.message)).toContain('elicitation');
    expect(app.mcp.sessions.size).toBe(0);
  });

  test('is asked and answers: one question, several at once, one after the other', async () => {
    const { url, runs } = await sessionlessServer();
    const { client } = await connect(url, { elicitation: {}, roots: {} });
    const asked: string[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { name: params.message.replace('?', '') } };
    });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///home' }] }));
    const text = async (name: string) => (await client.callTool({ name })).content[0] as { text: string };
    expect((await text('one')).text).toBe('Hello, Who');
    expect(JSON.parse((await text('two')).text)).toMatchObject([
      { content: { name: 'Who' } },
      { content: { name: 'Whose' } },
      { roots: [{ uri: 'file:///home' }] },
    ]);
    expect((await text('rounds')).text).toBe('First Second');
    expect(asked).toEqual(['Who?', 'Who?', 'Whose?', 'First?', 'Second?']);
    expect(runs).toHaveLength(3);
  });

  test('receives progress before the result, and gives a call up by going away', async () => {
    const { app, url, runs, failures } = await sessionlessServer();
    const { client } = await connect(url);
    app.kernel.rpc.method('prompts/get', async (params, context) => {
      const { progressToken } = params._meta as { progressToken: number };
      for (const progress of [1, 2, 3]) context.notify('notifications/progress', { progressToken, progress });
      return { messages: [] };
    });
    const seen: number[] = [];
    await client.getPrompt({ name: 'x' }, { onprogress: ({ progress }) => seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);
    const controller = new AbortController();
    const failed = client.callTool({ name: 'wait' }, { signal: controller.signal }).catch((error: Error) => error);
    await waitFor(() => runs[0], 'the call');
    controller.abort('changed my mind');
    expect(await failed).toBeInstanceOf(Error);
    await waitFor(() => failures[0], 'the cancellation');
  });

  test('hears of changes that it listens for', async () => {
    const { app, url } = await sessionlessServer();
    app.mcp.capability('tools', { listChanged: true });
    const { client } = await connect(url);
    const heard: string[] = [];
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
    const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true });
    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true });
    app.mcp.broadcast('notifications/tools/list_changed');
    app.mcp.broadcast('notifications/prompts/list_changed');
    await waitFor(() => heard.length > 0, 'the notification');
    await app.close();
    expect(await subscription.closed).toBe('graceful');
    expect(heard).toEqual(['tools']);
  });
});
