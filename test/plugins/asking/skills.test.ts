/** Skill code asks the client of its call, in a thread and in a process of its own. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Answers, askedClient, everyKind, inSession, type Kind } from '../../asked-client.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { testServer } from '../../server.ts';
import { skillMd, writeSkill } from '../skills/support.ts';

const code: Record<string, string> = {
  form: `export default async (_args, ctx) => {
    const schema = { properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } }, required: ['name'] };
    return ctx.elicit({ message: 'Who are you?', schema, key: 'user_name' });
  };`,
  page: `export default (_args, ctx) => ctx.elicit({ message: 'Pay here', url: 'https://pay.example/1' });`,
  model: `export default async ({ tools }, ctx) => {
    const answer = await ctx.sample({ messages: 'Say hi', maxTokens: 9, systemPrompt: 'Short', ...(tools && { tools }) });
    return { said: answer.content.text, model: answer.model };
  };`,
  folders: `export default async (_args, ctx) => ({ roots: await ctx.roots() });`,
  any: `export default async (_args, ctx) => ({ answer: await ctx.ask('roots/list') });`,
  caught: `export default async (_args, ctx) => {
    try { return await ctx.sample({ messages: 'x' }); } catch (error) { return { code: error.code, message: error.message }; }
  };`,
  // Its own time is over long before the user has answered.
  slow: `export default async (_args, ctx) => {
    const { action } = await ctx.elicit({ message: 'Take your time', schema: { properties: {} } });
    return { action, aborted: ctx.signal.aborted };
  };`,
  late: `export default async (_args, ctx) => {
    await ctx.elicit({ message: 'First', schema: { properties: {} } });
    await new Promise(resolve => setTimeout(resolve, 5000));
  };`,
  impatient: `export default async (_args, ctx) => {
    try { return await ctx.elicit({ message: 'Quick', schema: { properties: {} }, timeoutMs: 100 }); }
    catch (error) { return { code: error.code }; }
  };`,
  outer: `export default (_args, ctx) => ctx.call('form');`,
  chatty: `export default (_args, { log }) => {
    for (const level of Object.keys(log)) log[level](level, { level });
    return { levels: Object.keys(log) };
  };`,
};

async function asking(kind: Kind, answers: Answers = {}, isolation = 'worker', options = {}) {
  const home = await tempDir();
  await writeSkill(join(home, 'skills'), 'asker', {
    'SKILL.md': skillMd('asker', { svc: `    isolation: ${isolation}\n    load: auto` }),
    'tools.yaml': `tools:\n${Object.keys(code)
      .map(name => `  - { name: ${name}, description: Asks. }\n`)
      .join('')}`,
    ...Object.fromEntries(Object.entries(code).map(([name, text]) => [`tools/${name}.js`, text])),
  });
  const server = testServer('ambient', {
    ...{ skill_paths: [join(home, 'skills')], cache_dir: join(home, 'cache') },
    ...options,
  });
  const service = await server.start();
  await server.loadSkill('asker');
  return askedClient(kind, service.mcpUrl(), answers);
}

const accept = (content: Record<string, unknown>) => () => ({ action: 'accept', content });
const said = { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm1' };

describe.each(everyKind)('%s', kind => {
  test.each(['worker', 'process'])('is asked by code that runs in a %s', async isolation => {
    const roots = [{ uri: 'file:///project', name: 'project' }];
    const answers = { elicit: accept({ name: 'Ada', age: 36 }), sample: () => said, roots: () => ({ roots }) };
    const client = await asking(kind, answers, isolation);
    const form = await client.call('form');
    expect(form.structuredContent).toEqual({ action: 'accept', content: { name: 'Ada', age: 36 } });
    expect(client.asked[0]).toMatchObject({
      method: 'elicitation/create',
      params: {
        message: 'Who are you?',
        requestedSchema: { type: 'object', required: ['name'], properties: { age: { type: 'integer' } } },
      },
    });
    expect((await client.call('model')).structuredContent).toEqual({ said: 'hi', model: 'm1' });
    expect(client.asked[1]?.params).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Say hi' } }],
      maxTokens: 9,
      systemPrompt: 'Short',
    });
    expect((await client.call('folders')).structuredContent).toEqual({ roots });
    expect((await client.call('any')).structuredContent).toEqual({ answer: { roots } });
  });

  test('is asked on behalf of a tool that another tool calls', async () => {
    const client = await asking(kind, { elicit: accept({ name: 'Ada' }) });
    const { structuredContent } = await client.call('outer');
    expect(structuredContent).toMatchObject({ action: 'accept', content: { name: 'Ada' } });
  });

  test('declines and dismisses', async () => {
    const actions = ['decline', 'cancel'];
    const client = await asking(kind, { elicit: () => ({ action: actions.shift() }) });
    expect((await client.call('form')).structuredContent).toEqual({ action: 'decline' });
    expect((await client.call('form')).structuredContent).toEqual({ action: 'cancel' });
  });

  test('hears what was wrong with an answer that does not match the form', async () => {
    const client = await asking(kind, { elicit: accept({ name: 'A' }) });
    expect(await client.failure('form')).toMatch(/with what was asked: "name" must NOT have fewer than 2/);
  });

  test('is not asked what it did not declare, and the tool can catch that', async () => {
    const client = await asking(kind, { roots: () => ({ roots: [] }) });
    expect((await client.call('caught')).structuredContent).toEqual({
      code: 'SVC_MCP_CAPABILITY_MISSING',
      message: expect.stringContaining('sampling'),
    });
    expect(await client.failure('form')).toMatch(/has not declared the capability elicitation/);
    expect(client.asked).toEqual([]);
  });

  test('may take longer than a call: the deadline stands still while a question is open', async () => {
    const answer = () => new Promise(resolve => setTimeout(() => resolve({ action: 'accept', content: {} }), 900));
    const client = await asking(kind, { elicit: answer }, 'worker', { request_timeout_ms: 400 });
    expect((await client.call('slow')).structuredContent).toEqual({ action: 'accept', aborted: false });
    // And runs on from where it stood.
    const began = performance.now();
    expect(await client.failure('late')).toMatch(/did not finish within 400 ms/);
    expect(performance.now() - began).toBeGreaterThan(1200);
    expect(performance.now() - began).toBeLessThan(2500);
  });
});

describe.each(inSession)('%s', kind => {
  test('is sent to a page, with an id of the visit', async () => {
    const client = await asking(kind, { elicit: () => ({ action: 'accept' }) });
    expect((await client.call('page')).structuredContent).toEqual({ action: 'accept' });
    expect(client.asked[0]?.params).toMatchObject({
      ...{ mode: 'url', url: 'https://pay.example/1' },
      elicitationId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  test('is not waited for any longer than the question says', async () => {
    const signals: AbortSignal[] = [];
    const elicit = (_params: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const client = await asking(kind, { elicit });
    expect((await client.call('impatient')).structuredContent).toEqual({ code: 'SVC_RPC_TIMEOUT' });
    await waitFor(() => signals[0]?.aborted, 'the question to be taken back');
  });

  test('takes a question back with its call', async () => {
    const signals: AbortSignal[] = [];
    const elicit = (_params: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const client = await asking(kind, { elicit });
    const cancel = new AbortController();
    const call = client.call('form', {}, { signal: cancel.signal });
    await waitFor(() => signals[0], 'the question');
    cancel.abort();
    await expect(call).rejects.toThrow();
    await waitFor(() => signals[0]?.aborted, 'the question to be taken back');
  });

  test('hears every level of ctx.log that it wants', async () => {
    const client = await asking(kind);
    const { structuredContent } = await client.call('chatty');
    expect(structuredContent?.levels).toHaveLength(8);
    await waitFor(() => client.logs.length === 7, 'the log messages');
    expect(client.logs.map(each => each.level)).toEqual([
      ...['info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'],
    ]);
  });
});
