/** What a tool of an instance asks reaches the client of the gateway that called it, and only what that client declared. */
import { describe, expect, test } from 'vitest';
import { isSvcError, type Server } from '../../../plugins/index.ts';
import { type Answers, askedClient, everyKind, inSession, type Kind } from '../../asked-client.ts';
import { waitFor } from '../../helper.ts';
import { messagesOf, post } from '../../spec/wire.ts';
import { gatewayOver } from '../gateway/support.ts';
import { capabilities, headersOf, modern } from '../mcp/sessionless-wire.ts';

const form = { properties: { name: { type: 'string' } }, required: ['name'] };

function setup(server: Server): void {
  const tool = (name: string, handler: Parameters<Server['registerTool']>[1], more = {}) =>
    void server.registerTool({ name, description: 'Asks.', ...more }, handler);
  tool('form', (_args, call) => call.elicit({ message: 'Name?', schema: form, key: 'user_name' }));
  tool('page', (_args, call) => call.elicit({ message: 'Go there', url: 'https://a.example' }));
  tool('model', async (_args, call) => ({ said: (await call.sample({ messages: 'Hi' })).content }));
  tool('both', async (_args, call) => {
    const answers = await Promise.all([call.elicit({ message: 'A', schema: form }), call.roots()]);
    return { answers };
  });
  tool('caught', async (_args, call) => {
    try {
      return await call.sample({ messages: 'x' });
    } catch (error) {
      return { code: isSvcError(error) ? error.code : undefined };
    }
  });
  tool('forever', (_args, call) => call.elicit({ message: 'x', schema: form }));
  const job = async (_args: unknown, call: Parameters<NonNullable<Parameters<Server['registerTool']>[1]>>[1]) => {
    // The receipt has been given by then.
    await new Promise(resolve => setTimeout(resolve, 300));
    return call.elicit({ message: 'Still there?', schema: form });
  };
  tool('job', job, { execution: 'async' });
  void server.registerPrompt({ name: 'asks', description: 'Asks.' }, async (_args, call) => {
    const { content } = await call.elicit({ message: 'Which?', schema: form });
    return `For ${content?.name}`;
  });
}

const accept = () => ({ action: 'accept', content: { name: 'Ada' } });

async function asking(kind: Kind, answers: Answers = {}, options = {}) {
  const over = await gatewayOver([{ dcc_type: 'maya', setup, options }], options);
  const short = over.hosts[0]?.short;
  const client = await askedClient(kind, `${over.url}/mcp`, answers);
  const slug = (tool: string) => ({ tool_slug: `maya.${short}.${tool}`, arguments: {} });
  const call = (tool: string, rest = {}) => client.call('call', slug(tool), rest);
  return { ...over, client, call, slug, short };
}

describe.each(everyKind)('%s', kind => {
  test('is asked by a tool behind the gateway', async () => {
    const roots = [{ uri: 'file:///a' }];
    const sample = () => ({ role: 'assistant', content: { type: 'text', text: 'hello' }, model: 'm' });
    const { call, client } = await asking(kind, { elicit: accept, sample, roots: () => ({ roots }) });
    expect((await call('form')).structuredContent).toEqual({ action: 'accept', content: { name: 'Ada' } });
    expect(client.asked[0]?.params).toMatchObject({ message: 'Name?', requestedSchema: form });
    expect(JSON.stringify(client.asked)).not.toContain('svc/client');
    expect((await call('page')).structuredContent).toMatchObject({ action: 'accept' });
    expect((await call('model')).structuredContent).toEqual({ said: { type: 'text', text: 'hello' } });
    expect((await call('both')).structuredContent).toMatchObject({ answers: [{ action: 'accept' }, roots] });
  });

  test('is not asked what it did not declare, whatever another client of the gateway did', async () => {
    const { url, call, client, slug } = await asking(kind, { roots: () => ({ roots: [] }) });
    const other = await askedClient('SDK 1.x', `${url}/mcp`, { elicit: accept });
    expect((await call('caught')).structuredContent).toEqual({ code: 'SVC_MCP_CAPABILITY_MISSING' });
    expect((await other.call('call', slug('form'))).structuredContent).toMatchObject({ action: 'accept' });
    expect(await client.failure('call', slug('form'))).toMatch(/has not declared the capability elicitation/);
    // Nor because it says so in a place where only a gateway may.
    const meta = { 'svc/client': { capabilities: { elicitation: {} } } };
    expect(await client.failure('call', { ...slug('form'), meta })).toMatch(/has not declared/);
    expect(client.asked).toEqual([]);
  });

  test('is asked by a prompt behind the gateway', async () => {
    const { client, short } = await asking(kind, { elicit: accept });
    const { messages } = await client.prompt(`i_${short}__asks`);
    expect(messages[0]?.content).toEqual({ type: 'text', text: 'For Ada' });
  });
});

describe.each(inSession)('%s', kind => {
  test('may take longer than a call may: the deadlines stand still', async () => {
    const elicit = () => new Promise(resolve => setTimeout(() => resolve(accept()), 3500));
    const { call } = await asking(kind, { elicit }, { request_timeout_ms: 500 });
    expect((await call('form')).structuredContent).toMatchObject({ action: 'accept' });
  });

  test('hears that a question is off when it cancels its call', async () => {
    const signals: AbortSignal[] = [];
    const elicit = (_params: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const { call } = await asking(kind, { elicit });
    const cancel = new AbortController();
    const called = call('forever', { signal: cancel.signal });
    await waitFor(() => signals[0], 'the question');
    cancel.abort();
    await expect(called).rejects.toThrow();
    await waitFor(() => signals[0]?.aborted, 'the question to be off');
  });

  test('is asked by a job whose receipt it has', async () => {
    const { call, client } = await asking(kind, { elicit: accept });
    const { structuredContent } = await call('job');
    expect(structuredContent).toMatchObject({ status: 'pending' });
    await waitFor(() => client.asked.length === 1, 'the question of the job');
  });
});

test('a caller over REST cannot be asked', async () => {
  const { post, slug } = await asking('SDK 1.x');
  const { text } = await post('call', slug('form'));
  expect(text).toContain('has not declared the capability elicitation');
});

test('an instance takes the word of a gateway for others, and of nobody else', async () => {
  const { hosts } = await asking('SDK 1.x');
  const client = await askedClient('SDK 2.x', `${hosts[0]?.url}/mcp`, { roots: () => ({ roots: [] }) });
  const forged = { _meta: { 'svc/client': { capabilities: { elicitation: {} } } } };
  expect(await client.failure('form', forged)).toMatch(/has not declared/);
});

test('a question has the key that its tool gave it, behind the gateway too', async () => {
  const { url, slug } = await asking('SDK 1.x');
  const message = modern(1, 'tools/call', { name: 'call', arguments: slug('form') }, capabilities({ elicitation: {} }));
  const answer = await post(`${url}/mcp`, message, headersOf(message));
  const result = messagesOf(answer).find(each => each.id === 1)?.result;
  expect(result?.inputRequests).toEqual({
    user_name: { method: 'elicitation/create', params: expect.not.objectContaining({ _meta: expect.anything() }) },
  });
});
