/** Tool calls through a real gateway to a real instance, by every door, and what a capture has of them. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { proxyPlugin } from '../../../plugins/gateway/proxy/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { storagePlugin } from '../../../plugins/storage/index.ts';
import { trafficPlugin } from '../../../plugins/traffic/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { wholeLines } from '../../whole-lines.ts';
import { gatewayRig } from '../gateway/rig.ts';

/** JSON of any shape: an expectation says which. */
type Data = { [name: string]: Data } & { [index: number]: Data };

interface Listed {
  frames: Row[];
  next_cursor: string;
}

interface Row {
  name: string;
  source: Record<string, unknown>;
  correlation: Record<string, string>;
  attributes: {
    capture_id: string;
    leg: string;
    direction: string;
    transport: string;
    instance_id?: string;
    http: { url: string; status?: number; headers: Record<string, string> };
    mcp: { kind: string; method: string; id: unknown };
    body: { data?: Data; size_bytes: number; redacted_paths: string[]; truncated?: boolean };
  };
}

const echo = {
  definition: { name: 'echo', description: 'Says it again.', input_schema: { type: 'object' } },
  handler: (args: Record<string, unknown>) => ({
    said: args.text ?? null,
    api_key: 'sk-abcdefghijklmnop1234',
    script: 'x = 1',
  }),
};

/** A gateway that captures as `yaml` says and into a quick file; `rows` waits for so many frames of it. */
async function captured(yaml = 'enabled: false') {
  const folder = await tempDir();
  await writeFile(join(folder, 'traffic.yaml'), yaml);
  const quick = join(folder, 'quick.jsonl');
  const rig = await gatewayRig(
    [storagePlugin, proxyPlugin, gatewayRestPlugin, trafficPlugin],
    [{ dcc_type: 'maya', tools: [echo] }],
    { traffic_capture: `jsonl:${quick}`, traffic_config: join(folder, 'traffic.yaml') },
  );
  await rig.app.capabilities.refresh();
  const [instance] = rig.instances;
  const slug = `maya.${instance?.id8}.echo`;
  const rows = async (count: number): Promise<Row[]> => {
    const enough = async (): Promise<Row[] | undefined> => {
      const all = await wholeLines<Row>(quick);
      return all.length >= count ? all : undefined;
    };
    return waitFor(enough, `${count} frames`);
  };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${rig.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { ...rig, folder, quick, slug, id: String(instance?.id), rows, post };
}

const legs = ['client_to_gateway', 'gateway_to_adapter', 'adapter_to_gateway', 'gateway_to_client'];

test('every door: four legs of each call, in order, under one capture [spec:traffic:legs] [spec:traffic:quick] [spec:traffic:frame] [spec:event:traffic.frame]', async () => {
  const { url, slug, id, rows, post, quick, app } = await captured();
  const heard: unknown[] = [];
  app.kernel.bus.on('traffic.frame', event => heard.push(event));
  // What is no call is none.
  await post('/v1/search', { query: 'echo' });
  await (await post('/v1/call', { tool_slug: slug, arguments: { text: 'rest' } }, { 'x-request-id': 'r-1' })).text();
  const door = async (path: string, name: string, args: Record<string, unknown>): Promise<void> => {
    const client = new Client({ name: 'tester', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(path, url)));
    await client.callTool({ name, arguments: args });
    await client.close();
  };
  await door('/mcp', 'call', { tool_slug: slug, arguments: { text: 'mcp' } });
  await door(`/mcp/${id}`, 'echo', { text: 'proxy' });
  await door('/mcp/dcc/maya', 'echo', { text: 'type' });

  const all = await rows(16);
  // On the bus it is the very event that is in the file.
  await waitFor(() => heard.length === 16, 'the events');
  expect(heard).toEqual(all);
  const captures = [...new Set(all.map(each => each.attributes.capture_id))];
  expect(captures).toHaveLength(4);
  const calls = captures.map(capture => all.filter(each => each.attributes.capture_id === capture));
  for (const call of calls) {
    expect(call.map(each => each.attributes.leg)).toEqual(legs);
    expect(call.map(each => each.attributes.direction)).toEqual(['inbound', 'outbound', 'inbound', 'outbound']);
    expect(call.map(each => each.attributes.mcp.kind)).toEqual(['request', 'request', 'response', 'response']);
    expect(call.every(each => each.attributes.mcp.method === 'tools/call' && each.name === 'traffic.frame')).toBe(true);
    expect(call.slice(1, 3).every(each => each.attributes.instance_id === id)).toBe(true);
    expect(call[3]?.attributes.http.status).toBe(200);
  }
  const [rest, mcp, proxied, typed] = calls;
  expect(rest?.map(each => each.correlation.request_id)).toEqual(['r-1', 'r-1', 'r-1', 'r-1']);
  expect(rest?.[0]?.attributes).toMatchObject({
    transport: 'http',
    http: { method: 'POST', url: '/v1/call', headers: { 'x-request-id': 'r-1', accept: 'application/json' } },
    body: { data: { tool_slug: slug, arguments: { text: 'rest' } }, redacted_paths: [] },
  });
  expect(rest?.[1]?.attributes.body.data).toMatchObject({
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'rest' } },
  });
  expect(rest?.[3]?.attributes.body.data?.structuredContent).toMatchObject({ said: 'rest' });
  expect(mcp?.[0]?.attributes.mcp.id).toBe(mcp?.[3]?.attributes.mcp.id);
  expect(mcp?.[0]?.correlation.session_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(proxied?.map(each => each.attributes.http.url)).toEqual([`/mcp/${id}`, '/mcp', '/mcp', `/mcp/${id}`]);
  expect(typed?.[3]?.attributes.body.data?.result?.content?.[0]?.text).toContain('type');
  expect(all[0]?.source).toMatchObject({ service: 'svc-gateway', port: Number(new URL(url).port) });
  // No credential and no code, in what the tool answered neither.
  const text = await readFile(quick, 'utf8');
  expect(text).not.toContain('abcdefghijklmnop1234');
  expect(text).not.toContain('x = 1');
  if (process.platform !== 'win32') expect((await stat(quick)).mode & 0o777).toBe(0o600);
});

test('batches, refusals, compact answers and bodies that are too long', async () => {
  const { slug, rows, post, url } = await captured('enabled: true\nmax_body_bytes: 2000');
  await (await post('/v1/call_batch', { calls: [{ tool_slug: slug }, { tool_slug: slug }] })).text();
  expect((await rows(6)).map(each => each.attributes.leg)).toEqual([
    legs[0],
    legs[1],
    legs[2],
    legs[1],
    legs[2],
    legs[3],
  ]);
  expect(new Set((await rows(6)).map(each => each.attributes.capture_id)).size).toBe(1);

  await (await post('/v1/call', { tool_slug: 'maya.00000000.nothing' })).text();
  const refused = (await rows(8)).slice(6);
  expect(refused.map(each => [each.attributes.leg, each.attributes.http.status])).toEqual([
    [legs[0], undefined],
    [legs[3], 404],
  ]);
  expect(refused[1]?.attributes.body.data?.error?.kind).toBe('instance-offline');

  const answer = await post(
    '/v1/call',
    { tool_slug: slug, arguments: { text: 'toon' } },
    { accept: 'application/toon' },
  );
  expect(answer.headers.get('content-type')).toContain('toon');
  await answer.text();
  expect((await rows(12)).at(-1)?.attributes.body.data?.content?.[0]?.type).toBe('text');

  await (await post('/v1/call', { tool_slug: slug, arguments: { text: 'long '.repeat(500) } })).text();
  const long = (await rows(16)).slice(12);
  for (const { attributes } of long) {
    expect(attributes.body).toMatchObject({ data: null, truncated: true });
    expect(attributes.body.size_bytes).toBeGreaterThan(2000);
  }
  // A batch of JSON-RPC: each call has its own capture, and its own answer.
  const init = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'b', version: '1' } },
  };
  const opened = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(init),
  });
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const call = (id: string, text: string) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'call', arguments: { tool_slug: slug, arguments: { text } } },
  });
  await (
    await post('/mcp', [call('a', 'one'), { jsonrpc: '2.0', id: 'p', method: 'ping' }, call('b', 'two')], session)
  ).text();
  const batch = (await rows(24)).slice(16).filter(each => each.attributes.leg.includes('client'));
  expect(batch.map(each => [each.attributes.leg, each.attributes.mcp.id])).toEqual([
    [legs[0], 'a'],
    [legs[0], 'b'],
    [legs[3], 'a'],
    [legs[3], 'b'],
  ]);
  expect(batch[3]?.attributes.body.data?.result?.content?.[0]?.text).toContain('two');
  // No frame bears the name of another call.
  expect(batch.slice(2).map(each => each.correlation.request_id)).toEqual(['a', 'b']);
  for (const { correlation, attributes } of batch.slice(0, 2)) {
    expect([undefined, attributes.mcp.id]).toContain(correlation.request_id);
  }

  // A batch over REST is the request that its client named; what goes to the instances are requests of their own.
  const named = { 'x-request-id': 'shots', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  await (await post('/v1/call_batch', { calls: [{ tool_slug: slug }, { tool_slug: slug }] }, named)).text();
  const asOne = (await rows(30)).slice(24);
  const ids = asOne.map(each => each.correlation.request_id);
  expect([ids[0], ids.at(-1)]).toEqual(['shots', 'shots']);
  expect(new Set(asOne.map(each => each.correlation.trace_id))).toEqual(new Set(['a'.repeat(32)]));
  expect([ids[1] === ids[2], ids[3] === ids[4], new Set(ids).size]).toEqual([true, true, 3]);
});

test('the file: filters, replacements, sqlite and the live ring, all of the same frames [spec:traffic:config] [spec:traffic:paths] [spec:traffic:redaction]', async () => {
  const yaml = `
sinks:
  - { kind: jsonl, path: 'own-\${TIMESTAMP}.jsonl' }
  - { kind: sqlite, path: frames.db }
  - { kind: admin_live, ring_buffer: 3 }
filters:
  include: [{ http.url: '/v1/*' }, { leg: adapter_to_gateway }]
  exclude: [{ body.data.arguments.text: 'quiet*' }, { leg: gateway_to_adapter }]
redact:
  - body.data.arguments.text: '<text>'
`;
  const { slug, rows, post, folder, quick, url, app } = await captured(yaml);
  await (await post('/v1/call', { tool_slug: slug, arguments: { text: 'loud', password: 'hunter2' } })).text();
  const seen = await rows(3);
  expect(seen.map(each => each.attributes.leg)).toEqual([legs[0], legs[2], legs[3]]);
  expect(seen[0]?.attributes.body).toMatchObject({
    data: { arguments: { text: '<text>', password: '[REDACTED_CREDENTIAL]' } },
    redacted_paths: ['body.data.arguments.text', 'body.data.arguments.password'],
  });
  await (await post('/v1/call', { tool_slug: slug, arguments: { text: 'quieter' } })).text();
  await rows(5);
  const list = (await (await fetch(`${url}/v1/debug/traffic?limit=2`)).json()) as Listed;
  expect(list).toMatchObject({
    schema_version: 1,
    total: 3,
    capture_status: {
      state: 'capturing',
      capture_enabled: true,
      sink_count: 4,
      retained_frames: 3,
      captured_decision_count: 5,
      skipped_decision_count: 3,
      skip_reasons: { excluded: 3 },
      retention: { admin_live_configured: true, ring_buffer_capacity: 3 },
    },
  });
  expect(list.frames.map((each: Row) => each.attributes.leg)).toEqual([legs[3], legs[2]]);
  expect(JSON.stringify(list.frames)).not.toContain('said');
  const next = (await (await fetch(`${url}/v1/debug/traffic?bodies=1&cursor=${list.next_cursor}`)).json()) as Listed;
  expect(next.frames.map((each: Row) => each.attributes.leg)).toEqual([legs[3]]);
  expect(next.frames[0]?.attributes.body.data?.structuredContent?.said).toBe('loud');
  const exported = await fetch(`${url}/v1/debug/traffic/export?leg=adapter*`);
  expect(exported.headers.get('content-type')).toContain('application/x-ndjson');
  expect(exported.headers.get('content-disposition')).toBe('attachment; filename="traffic-adapter_.jsonl"');
  const lines = (await exported.text())
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.map((each: Row) => each.attributes.leg)).toEqual([legs[2]]);
  for (const [search, found] of [
    ['V1/CALL', [legs[3], legs[3]]],
    ['v1/call nothing', []],
  ] as const) {
    const answer = await fetch(`${url}/v1/debug/traffic/export?search=${encodeURIComponent(search)}`);
    const shown = (await answer.text()).split('\n').filter(Boolean);
    const listed = (await (
      await fetch(`${url}/v1/debug/traffic?search=${encodeURIComponent(search)}`)
    ).json()) as Listed;
    expect(shown.map(line => (JSON.parse(line) as Row).attributes.leg)).toEqual(found);
    expect(listed.frames.length).toBe(found.length);
  }
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
    for (const at of ['', '/export', '/events']) {
      const passedOn = await fetch(`${url}/v1/debug/traffic${at}`, { headers: { [name]: '10.0.0.9' } });
      expect([name, at, passedOn.status]).toEqual([name, at, 403]);
      // As every refusal of the gateway.
      expect(await passedOn.json()).toMatchObject({
        error: { code: 'SVC_TRAFFIC_NOT_LOCAL', kind: 'policy-denied', candidates: [] },
      });
    }
  }
  expect((await fetch(`${url}/v1/debug/traffic?limit=0`)).status).toBe(400);
  // A filter that nobody knows would be none at all.
  const misspelt = await fetch(`${url}/v1/debug/traffic/export?capture=x`);
  expect([misspelt.status, await misspelt.json()]).toEqual([
    400,
    { error: expect.objectContaining({ message: expect.stringContaining('"capture"') }) },
  ]);
  for (const [asked, accept] of [
    ['response_format=toon', '*/*'],
    ['compact=true', '*/*'],
    ['limit=1', 'application/toon'],
  ]) {
    const compact = await fetch(`${url}/v1/debug/traffic?${asked}`, { headers: { accept: String(accept) } });
    expect([asked, compact.headers.get('content-type')]).toEqual([asked, 'application/toon']);
    expect(await compact.text()).toMatch(/^schema_version: 1\n/);
  }

  const stop = new AbortController();
  const stream = await fetch(`${url}/v1/debug/traffic/events?kind=request`, { signal: stop.signal });
  await (await post('/v1/call', { tool_slug: slug, arguments: { text: 'streamed' } })).text();
  let told = '';
  for await (const chunk of stream.body as unknown as AsyncIterable<Uint8Array>) {
    told += Buffer.from(chunk).toString();
    if (told.includes('event: traffic.frame')) break;
  }
  expect(told).toMatch(/^: live\n\nid: \d+\nevent: traffic\.frame\ndata: \{.*"leg":"client_to_gateway"/);
  expect(told).not.toContain('streamed');
  stop.abort();

  await rows(8);
  await app.close();
  const { default: Sqlite } = await import('better-sqlite3');
  const database = new Sqlite(join(folder, 'frames.db'), { readonly: true });
  const stored = database.prepare('SELECT leg, http_status, envelope_json FROM traffic_frames ORDER BY id').all() as {
    leg: string;
    envelope_json: string;
  }[];
  database.close();
  const own = (
    await readFile(
      join(folder, (await import('node:fs')).readdirSync(folder).find(each => each.startsWith('own-')) ?? ''),
      'utf8',
    )
  ).trimEnd();
  expect(stored.map(each => each.envelope_json).join('\n')).toBe(own);
  await rows(8);
  expect((await readFile(quick, 'utf8')).trimEnd()).toBe(own);
  if (process.platform !== 'win32') expect((await stat(join(folder, 'frames.db'))).mode & 0o777).toBe(0o600);
});

test('off: nothing is captured, the routes say how to switch it on, and nobody hears of calls [spec:traffic:off]', async () => {
  const { app, url } = await gatewayRig([gatewayRestPlugin, trafficPlugin], [], {});
  expect(app.kernel.bus.wants('internal.hop.begun')).toBe(false);
  expect(app.server.listenerCount('request')).toBe(1);
  const list = await (await fetch(`${url}/v1/debug/traffic`)).json();
  expect(list).toMatchObject({
    total: 0,
    frames: [],
    capture_status: { state: 'off', message: expect.stringContaining('SVC_TRAFFIC_CAPTURE') },
  });
  const exported = await fetch(`${url}/v1/debug/traffic/export`);
  expect([exported.status, await exported.text()]).toEqual([404, expect.stringContaining('admin_live')]);
});
