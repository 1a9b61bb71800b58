/**
 * What goes out when a tool fails: a gateway and a server as programs, set up by files and variables alone, and everything
 * that is told of one call: to a chat robot, onto the page of metrics, to a collector of spans.
 */
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { collector } from '../plugins/telemetry/collector.ts';
import { writeSkill } from '../spec/skill-package.ts';
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
  const registry = ['--registry-dir', file('registry')];
  const traced = {
    ...{
      OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
  };
  runProgram(['gateway', '--port', String(port), ...registry], {
    ...{ ...traced, ROBOT_URL: chat.url, SVC_WEBHOOKS_CONFIG: file('webhooks.yaml'), SVC_METRICS_ENABLED: '1' },
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
  await listening(server);
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
  expect(otlp.raw()).not.toContain(secret);
}, 120_000);
