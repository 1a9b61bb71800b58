import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as ClassicClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as ClassicTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { decode } from '@toon-format/toon';
import { expect, onTestFinished, test } from 'vitest';
import { assertDescriptions } from '../../descriptions.ts';
import { waitFor } from '../../helper.ts';
import { verifies } from '../../spec/verifies.ts';
import { answering } from '../skills/support.ts';
import { gatewayOver, type Json, toolsOfHost } from './support.ts';

const maya = { dcc_type: 'maya', setup: toolsOfHost };
const blender = { dcc_type: 'blender', setup: toolsOfHost, packages: { rig: answering('rig', 'yes') } };

/** What a result says, from its first text. */
const said = (result: Json): Json => JSON.parse(String((result.content as Json[])[0]?.text)) as Json;

verifies(
  ['gateway-tool:four', 'gateway-tool:older', 'gateway-tool:call'],
  'tools/list shows exactly four tools; the older names are answered and not listed',
  async () => {
    const { client, hosts } = await gatewayOver([maya]);
    const wire = await client();
    const listed = (await wire.result('tools/list')).tools as Json[];
    expect(listed.map(each => each.name)).toEqual(['search', 'describe', 'load_skill', 'call']);
    for (const { name, description, inputSchema } of listed) {
      assertDescriptions({ name: String(name), description: String(description), input_schema: inputSchema as Json });
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(inputSchema).not.toHaveProperty('additionalProperties');
    }
    expect(listed.map(each => each.annotations)).toEqual([
      { readOnlyHint: true, openWorldHint: true },
      { readOnlyHint: true, openWorldHint: true },
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    ]);
    const { capabilities } = wire.initialized.result as { capabilities: Json };
    expect(wire.initialized.result?.instructions).toContain('tool_slug');
    expect(capabilities).toMatchObject({
      tools: { listChanged: true },
      experimental: { svc: { compactResponses: true } },
    });

    const slug = `maya.${hosts[0]?.short}.echo`;
    const args = { tool_slug: slug, arguments: { text: 'hi' } };
    expect(said(await wire.call('search_tools', { query: 'echo' }))).toMatchObject({ total: 1 });
    expect(said(await wire.call('describe_tool', { tool_slug: slug }))).toMatchObject({
      required: ['text'],
      properties: ['text'],
    });
    expect(await wire.call('call_tool', args)).toMatchObject({ structuredContent: { text: 'hi' } });
    expect(said(await wire.call('call_tools', { calls: [args] }))).toMatchObject({
      success: true,
      results: [{ ok: true }],
    });
    expect((await wire.request('tools/call', { name: 'echo', arguments: {} })).error).toMatchObject({
      code: -32000,
      message: expect.stringContaining('search, describe, load_skill and call'),
    });
    const newer = await client({ protocolVersion: '2025-11-25' });
    expect((await newer.request('tools/call', { name: 'echo', arguments: {} })).error?.code).toBe(-32602);
    expect(await newer.call('describe')).toMatchObject({ isError: true });
    expect((await wire.request('tools/list', { cursor: '33' })).error?.code).toBe(-32602);
    expect((await wire.request('no/such')).error?.code).toBe(-32601);
  },
);

verifies(
  ['gateway-tool:workflow'],
  'next_step.mcp is executable as it stands, from the search to the call',
  async () => {
    const { client } = await gatewayOver([blender]);
    const wire = await client();
    const send = async ({ mcp }: Json) => {
      const { tool, arguments: args, _meta } = mcp as { tool: string; arguments: Json; _meta: Json };
      return wire.result('tools/call', { name: tool, arguments: args, _meta });
    };
    const stream = await wire.stream();
    const { hits } = said(await wire.call('search', { query: 'rig_answer' })) as { hits: Json[] };
    const loaded = said(await send(hits[0]?.next_step as Json));
    expect(loaded).toMatchObject({ loaded: true, skill_name: 'rig', next_step: { action: 'describe' } });
    await stream.next(({ method }) => method === 'notifications/tools/list_changed');
    const described = said(await send(loaded.next_step as Json));
    expect(described).toMatchObject({
      record: { callable: true },
      next_step: { action: 'call' },
      hint: expect.any(String),
    });
    expect(await send(described.next_step as Json)).toMatchObject({ structuredContent: { answer: 'yes' } });
  },
);

verifies(
  ['gateway-tool:describe'],
  'skills are searched, listed and described across instances; several that fit are not guessed among [spec:shape:gateway-tools]',
  async () => {
    const { client, hosts } = await gatewayOver([maya, blender, blender]);
    const wire = await client();
    const skills = said(await wire.call('search', { kind: 'skill', query: 'rig' }));
    expect(skills).toMatchObject({ total: 2, search_id: expect.any(String) });
    expect(skills.skills).toMatchObject([
      { name: 'rig', rank: 1, _dcc_type: 'blender', _instance_short: expect.any(String) },
      { name: 'rig', rank: 2 },
    ]);
    expect((skills.instances as Json[]).map(each => each.skill_count).sort()).toEqual([0, 1, 1]);
    const some = said(await wire.call('search', { kind: 'skill', dcc: 'blender', limit: 1 }));
    expect(some).toMatchObject({ total: 1, instances: [{ dcc_type: 'blender' }, { dcc_type: 'blender' }] });
    const all = said(await wire.call('search', { kind: 'all', query: 'rig' }));
    expect(all).toMatchObject({ tools: { total: 2, capped: false }, skills: { total: 2, capped: false } });

    const ambiguous = await wire.call('describe', { skill_name: 'rig' });
    expect(ambiguous.isError).toBe(true);
    expect(said(ambiguous)).toMatchObject({ error: { kind: 'ambiguous-instance' } });
    expect((said(ambiguous).error as { candidates: unknown[] }).candidates.length).toBeGreaterThan(1);
    const meant = said(await wire.call('describe', { skill_name: 'rig', instance_id: hosts[1]?.short }));
    expect(meant).toMatchObject({ name: 'rig', instance_id: hosts[1]?.id, dcc_type: 'blender' });
    for (const args of [{}, { tool_slug: 3 }]) {
      expect(said(await wire.call('describe', args))).toMatchObject({ error: { kind: 'bad-request' } });
      expect(said(await wire.call('call', args))).toMatchObject({ error: { kind: 'bad-request' } });
    }
    expect(said(await wire.call('call', { calls: [] }))).toMatchObject({
      success: false,
      error: { kind: 'bad-request' },
    });
  },
);

test('in 2025-03-26 TOON over MCP is asked for in _meta; the framing stays JSON [spec:shape:encoding]', async () => {
  const { client, hosts } = await gatewayOver([maya]);
  const wire = await client();
  const meta = { response_format: 'toon' };
  const found = await wire.call('search', { query: 'echo' }, meta);
  const [item] = found.content as Json[];
  expect(item).toMatchObject({ type: 'text', mimeType: 'application/toon' });
  expect(decode(String(item?.text))).toMatchObject({ total: 1, hits: [{ next_step: 'describe' }] });
  expect(found._meta).toMatchObject({ token_accounting: { estimator: 'svc-byte4-v1' } });
  const args = { tool_slug: `maya.${hosts[0]?.short}.echo`, arguments: { text: 'hi' } };
  const called = await wire.call('call', args, { compact: true });
  expect(decode(String((called.content as Json[])[0]?.text))).toEqual({ text: 'hi' });
  expect(called).toMatchObject({ _meta: { dcc: { dcc_type: 'maya' }, token_accounting: {} } });
  expect(called).not.toHaveProperty('structuredContent');
  const failed = await wire.call('call', { tool_slug: 'maya.ffffffff.echo' }, meta);
  expect(failed.isError).toBe(true);
  expect(decode(String((failed.content as Json[])[0]?.text))).toMatchObject({
    error: { previous_status: 'never-registered' },
  });
  const listed = await wire.result('tools/list', { _meta: meta });
  expect(listed).toMatchObject({
    response_format: 'toon',
    mimeType: 'application/toon',
    _meta: { token_accounting: {} },
  });
  expect((decode(String(listed.text)) as { tools: unknown[] }).tools).toHaveLength(4);
});

test('progress of a call reaches the client that made it, under its own token', async () => {
  const { client, hosts } = await gatewayOver([
    {
      dcc_type: 'maya',
      setup: server =>
        void server.registerTool(
          { name: 'steps', description: 'Reports steps.', execution: 'sync' },
          async (_args, call) => {
            call.progress(1, 2);
            await new Promise(resolve => setTimeout(resolve, 30));
            call.progress(2, 2);
            return 'done';
          },
        ),
    },
  ]);
  const wire = await client({ protocolVersion: '2025-06-18' });
  const slug = `maya.${hosts[0]?.short}.steps`;
  const params = { name: 'call', arguments: { tool_slug: slug }, _meta: { progressToken: 7 } };
  const answer = await wire.request('tools/call', params);
  expect(answer.result).toMatchObject({ content: [{ text: 'done' }] });
  const progress = answer.notifications.filter(each => each.method === 'notifications/progress');
  expect(progress.map(each => each.params)).toMatchObject([
    { progressToken: 7, progress: 1 },
    { progressToken: 7, progress: 2 },
  ]);
});

test('an instance that is lost while its job is waited for is an error of the protocol that names both', async () => {
  let begun = false;
  const setup: typeof toolsOfHost = server =>
    void server.registerTool({ name: 'endless', description: 'Renders on.', execution: 'async' }, () => {
      begun = true;
      return new Promise(() => undefined);
    });
  const { client, hosts } = await gatewayOver([{ dcc_type: 'maya', setup }]);
  const [host] = hosts;
  const wire = await client();
  const args = { tool_slug: `maya.${host?.short}.endless`, arguments: {} };
  const waiting = wire.request('tools/call', {
    name: 'call',
    arguments: args,
    _meta: { dcc: { wait_for_terminal: true } },
  });
  await waitFor(() => begun, 'the job');
  await host?.server.close();
  const { error } = await waiting;
  expect(error).toMatchObject({ code: -32000, message: expect.stringContaining(String(host?.id)) });
  expect(error?.data).toMatchObject({ job_id: expect.any(String) });
});

verifies(
  ['gateway-tool:forwards'],
  'the calls that pass are events of the gateway, with what a subscriber needs',
  async () => {
    const { app, client, hosts } = await gatewayOver([maya]);
    const events: { name: string; attributes: Json; source: Json; correlation: Json }[] = [];
    app.kernel.bus.on('tool.*', event => void events.push(event as never));
    const wire = await client();
    const slug = (tool: string) => `maya.${hosts[0]?.short}.${tool}`;
    await wire.call('call', {
      tool_slug: slug('echo'),
      arguments: { text: 'x' },
      meta: { dcc: { rationale: 'why not' } },
    });
    await wire.call('call', { tool_slug: slug('fails') });
    await wire.call('call', { tool_slug: slug('nothing') });
    await waitFor(() => events.length === 5, 'five events');
    expect(events).toMatchObject([
      { name: 'tool.dispatched', attributes: { tool_slug: slug('echo'), rationale: 'why not' } },
      {
        name: 'tool.completed',
        source: { dcc_type: 'maya', instance_id: hosts[0]?.id },
        correlation: { session_id: wire.sessionId, request_id: expect.any(String) },
        attributes: { tool_slug: slug('echo'), tool_name: 'echo', result_success: true, rationale: 'why not' },
      },
      { name: 'tool.dispatched', attributes: { tool_slug: slug('fails') } },
      { name: 'tool.completed', attributes: { tool_name: 'fails', result_success: false } },
      {
        name: 'tool.failed',
        attributes: { tool_slug: slug('nothing'), error_kind: 'metadata_not_found', result_success: false },
      },
    ]);
  },
);

const sdks = {
  'SDK 1.x': { Client: ClassicClient, Transport: ClassicTransport },
  'SDK 2.x': { Client: ModernClient, Transport: ModernTransport },
} as const;

test.each(Object.keys(sdks) as (keyof typeof sdks)[])(
  '%s finds, describes and calls through the gateway',
  async name => {
    const { url } = await gatewayOver([maya]);
    const { Client, Transport } = sdks[name];
    const client = new Client({ name: 'oracle', version: '1' }) as ModernClient;
    await client.connect(new Transport(new URL(`${url}/mcp`)) as never);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(each => each.name)).toEqual(['search', 'describe', 'load_skill', 'call']);
    const json = { response_format: 'json' };
    const call = async (tool: string, args: Json) =>
      (await client.callTool({ name: tool, arguments: args, _meta: json })) as Json;
    const { hits } = said(await call('search', { query: 'echo' })) as { hits: { tool_slug: string }[] };
    const tool_slug = hits[0]?.tool_slug;
    expect(said(await call('describe', { tool_slug }))).toMatchObject({ tool: { name: 'echo' } });
    const args = { tool_slug, arguments: { text: 'hi' } };
    expect(await call('call', args)).toMatchObject({ structuredContent: { text: 'hi' } });
  },
);

test('GET /mcp begins with the endpoint, and tells who does not accept a stream what to do [spec:shape:instance]', async () => {
  const { url, client } = await gatewayOver([]);
  const refused = await fetch(`${url}/mcp`, { headers: { accept: 'application/json' } });
  expect(refused.status).toBe(406);
  expect(await refused.json()).toMatchObject({
    error: { data: { code: 'SVC_MCP_NOT_ACCEPTABLE' } },
    auth_required: false,
    hint: expect.stringContaining('text/event-stream'),
  });
  const { sessionId } = await client();
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const answer = await fetch(`${url}/mcp`, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': sessionId },
    signal: abort.signal,
  });
  const first = await answer.body?.getReader().read();
  expect(new TextDecoder().decode(first?.value)).toBe('event: endpoint\ndata: /mcp\n\n');
});
