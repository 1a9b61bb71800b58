/**
 * What goes out when a tool fails: a gateway and a server as programs, set up by files and variables alone, and everything
 * that is told of one call: to a chat robot, into files and a ring, onto the page of metrics, to a collector of spans.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { collector } from '../plugins/telemetry/collector.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { wholeLines } from '../whole-lines.ts';
import { listening, runProgram } from './program.ts';

const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

/** A chat robot: what it is sent, as it came. */
async function robot(): Promise<{ url: string; messages: { headers: IncomingMessage['headers']; body: string }[] }> {
  const messages: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    messages.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    response.end('{"errcode":0}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/robot?key=chat-key-0123456789`,
    messages,
  };
}

const webhooksYaml = `# who is told
webhooks:
  - name: team-chat
    kind: chatrobot
    url: \${ROBOT_URL}
    events: [tool.failed]
    message_template: '**$tool-slug** failed ($attributes.error_kind)'
`;

const trafficYaml = `enabled: true
sinks:
  - { kind: sqlite, path: traffic.db }
  - { kind: jsonl, path: traffic.jsonl }
  - { kind: admin_live, ring_buffer: 50 }
redact:
  - body.data.arguments.shot: '<shot>'
`;

interface Frame {
  leg: string;
  capture_id: string;
  body: { redacted_paths: string[] };
}

interface Row {
  request_id: string;
  trace_id: string;
  span_id: string;
  instance_id: string;
  dcc_type: string;
}

test('a failing call through a running gateway is told everywhere that the operator asked for, and nowhere with its secret', async () => {
  const [folder, skills, port, chat, otlp] = await Promise.all([
    tempDir(),
    tempDir(),
    freePort(),
    robot(),
    collector(),
  ]);
  await writeSkill(skills, 'shots', {
    description: 'Publishes shots.',
    dcc: 'maya',
    tools: [
      {
        name: 'publish_shot',
        description: 'Publishes a shot.',
        body: `throw new Error('the review server is closed');`,
        input_schema: { type: 'object', properties: { shot: { type: 'string' }, token: { type: 'string' } } },
      },
    ],
  });
  const file = (name: string): string => join(folder, name);
  await writeFile(file('webhooks.yaml'), webhooksYaml);
  await writeFile(file('traffic.yaml'), trafficYaml);
  const registry = ['--registry-dir', file('registry')];
  const traced = {
    ...{
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  };
  const gateway = runProgram(['gateway', '--port', String(port), ...registry], {
    ...{ ...traced, ROBOT_URL: chat.url, SVC_WEBHOOKS_CONFIG: file('webhooks.yaml'), SVC_METRICS_ENABLED: '1' },
    ...{ SVC_TRAFFIC_CONFIG: file('traffic.yaml'), SVC_GATEWAY_AUDIT_DIR: file('audit') },
  });
  const origin = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${origin}/health`).then(
      each => each.ok,
      () => false,
    );
  await waitFor(isUp, 'the gateway', 30_000);
  const server = runProgram(
    ['serve', '--json', '--gateway-port', String(port), ...registry, '--dcc-type', 'maya', '--skill-paths', skills],
    { ...traced, OTEL_SERVICE_NAME: 'maya-of-ada' },
  );
  const { instance_id } = await listening(server);
  const post = async (path: string, body: unknown) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${secret}` },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      headers: response.headers,
      json: (await response.json()) as Record<string, never>,
    };
  };
  const slug = await waitFor(
    async () => {
      const { hits } = (await post('/v1/search', { query: 'publish shot' })).json as { hits?: { tool_slug: string }[] };
      return hits?.[0]?.tool_slug;
    },
    'the tool behind the gateway',
    30_000,
  );
  await post('/v1/load_skill', { skill_name: 'shots', dcc_type: 'maya' });

  const failed = await post('/v1/call', { tool_slug: slug, arguments: { shot: 'sh010', token: secret } });
  expect(JSON.stringify(failed.json)).toContain('the review server is closed');
  const requestId = String(failed.headers.get('x-request-id'));
  const traceId = String(failed.headers.get('x-svc-trace-id'));

  await waitFor(() => chat.messages.length > 0, 'the message of the chat robot');
  expect(JSON.parse(chat.messages[0]?.body ?? '')).toEqual({
    msgtype: 'markdown',
    markdown: { content: `**${slug}** failed (handler_error)` },
  });

  const page = await (await fetch(`${origin}/metrics`)).text();
  expect(page).toContain('svc_tool_calls_total{tool="publish_shot",dcc_type="maya",outcome="failure"} 1');
  expect(page).toContain('svc_tool_errors_total{dcc_type="maya",error_kind="handler_error"} 1');

  const ofTrace = () => otlp.spans.filter(each => each.traceId === traceId);
  await waitFor(() => ofTrace().length >= 4, 'the spans of the call', 20_000);
  expect(new Set(ofTrace().map(each => each.resource['service.name']))).toEqual(
    new Set(['svc-gateway', 'maya-of-ada']),
  );
  expect(ofTrace().map(each => each.name)).toContain('execute_tool publish_shot');
  expect(ofTrace().every(each => each.status === 2)).toBe(true);
  const [gatewaySpan] = ofTrace().filter(each => each.name === 'POST /v1/call');

  const row = { request_id: requestId, trace_id: traceId, span_id: gatewaySpan?.spanId, instance_id, dcc_type: 'maya' };
  for (const [name, failure] of [
    ['audit/audit.jsonl', { success: false }],
    ['audit/traces.jsonl', { ok: false, tool_slug: slug }],
  ] as const) {
    const find = async () => (await wholeLines<Row>(file(name))).find(each => each.request_id === requestId);
    expect(await waitFor(find, `the row in ${name}`), name).toMatchObject({ ...row, ...failure });
  }

  const legs = ['client_to_gateway', 'gateway_to_adapter', 'adapter_to_gateway', 'gateway_to_client'];
  const captured = async (): Promise<Frame[] | undefined> => {
    const frames = (await wholeLines<{ attributes: Frame }>(file('traffic.jsonl'))).map(each => each.attributes);
    const mine = frames.filter(each => each.capture_id === frames.at(-1)?.capture_id);
    return mine.length === 4 ? mine : undefined;
  };
  const frames = await waitFor(captured, 'the frames of the call');
  expect(frames.map(each => each.leg).sort()).toEqual(legs.toSorted());
  const [sent] = frames.filter(each => each.leg === 'client_to_gateway');
  expect(sent?.body.redacted_paths.sort()).toEqual(['body.data.arguments.shot', 'body.data.arguments.token']);
  const query = `/v1/debug/traffic?capture_id=${sent?.capture_id}&bodies=1`;
  const ring = await (await fetch(origin + query)).text();
  for (const leg of legs) expect(ring).toContain(leg);
  const database = new Database(file('traffic.db'), { readonly: true });
  const rows = database.prepare('select * from traffic_frames').all();
  database.close();
  expect(JSON.stringify(rows)).toContain(sent?.capture_id);

  const files = ['audit/audit.jsonl', 'audit/traces.jsonl', 'traffic.jsonl', 'traffic.db'];
  const texts = await Promise.all(files.map(name => readFile(file(name), 'latin1')));
  const told = [
    ...texts,
    ring,
    page,
    otlp.raw(),
    gateway.stderr(),
    server.stderr(),
    ...chat.messages.map(each => each.body),
  ];
  for (const [index, text] of told.entries()) expect(text, String(files[index] ?? index)).not.toContain(secret);
}, 120_000);
