/** The feedback tool on a live instance, in front of a real gateway; and gateways that answer as none should. */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { FeedbackToolOptions, Server, ServerOptions } from '../../../plugins/index.ts';
import { freePort, tempDir } from '../../helper.ts';
import { callTool, type Mode, modes, testServer } from '../../server.ts';
import { authored, feedbackGateway, type Json, legacy, sha256 } from './support.ts';

const tool = 'dcc_feedback__report';

async function instance(options: FeedbackToolOptions, settings: ServerOptions = {}, mode: Mode = 'ambient') {
  const registry_dir = settings.registry_dir ?? (await tempDir());
  const server = testServer(mode, {
    ...{ dcc_type: 'maya', dcc_version: '2026.2', adapter_version: '3.1', gateway_port: 0, registry_dir },
    ...settings,
  });
  await server.registerFeedbackTool(options);
  const service = await server.start();
  const report = async (args: Json): Promise<Json> => {
    const { body } = await callTool(service, tool, args);
    return body.structuredContent ?? body;
  };
  return { server, service, report, registry_dir };
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: Json) => void;

/** Answers reports as `answer` says; its address. */
async function falseGateway(answer: Answer) {
  const http = createHttp(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    answer(request, response, JSON.parse(text) as Json);
  });
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const receipt = (body: Json): Json => ({
  ...{ ok: true, success: true, feedback_id: '5e2c9a10-7b3f-4c1d-9a8e-0f1e2d3c4b5a' },
  ...{ recorded_at: new Date().toISOString(), event_resource_uri: 'resources://gateway/events' },
  ...{ schema_version: 1, fingerprint: body.fingerprint },
});

test.each(modes)('%s: an agent reports, the gateway accepts, the host and the administration see it', async mode => {
  const gateway = await feedbackGateway();
  const { server, service, report } = await instance(
    { gateway_endpoint: gateway.url },
    { registry_dir: gateway.registry_dir },
    mode,
  );
  const answer = await report({ ...authored, intent: '  make a sphere ' });
  expect(answer).toEqual({
    ...{ success: true, message: expect.any(String) },
    context: {
      ...{ feedback_id: expect.any(String), recorded_at: expect.any(String), schema_version: 1 },
      event_resource_uri: 'resources://gateway/events',
      fingerprint: sha256('finding-v1', 'dcc-mcp/dcc-mcp-maya', 'dispatch', authored.tool_slug, '2026'),
    },
  });
  const { feedback_id } = answer.context as Json;
  const [entry, ...rest] = await server.getFeedbackEntries();
  expect(rest).toEqual([]);
  expect(entry).toMatchObject({
    ...{ id: feedback_id, ...authored, dcc_type: 'maya', adapter: 'dcc-mcp-maya', adapter_version: '3.1' },
    ...{ host_version: '2026.2', os: process.platform, schema_version: 1 },
    evidence: { request_id: 'r-1', instance_id: service.instance_id },
    redaction_status: { mode: 'needs-review', redaction_markers_detected: false },
  });
  const mirrored = await readFile(join(gateway.registry_dir, 'feedback', `maya-${process.pid}.jsonl`), 'utf8');
  expect(JSON.parse(mirrored)).toEqual(entry);
  // In the file of the gateway and in that of the instance: one record.
  expect((await gateway.list()).json).toMatchObject({ total: 1, deduplicated: 1, files_scanned: 2, entries: [entry] });
  expect(gateway.app.gatewayEvents.list()).toEqual([
    expect.objectContaining({ dcc_type: 'maya', instance_id: service.instance_id?.slice(0, 8) }),
  ]);
});

test('the older form is accepted, and marks of a redaction are noticed', async () => {
  const gateway = await feedbackGateway();
  const { server, report } = await instance({ gateway_endpoint: gateway.url });
  expect(await report({ ...legacy, job_id: 'j-1' })).toMatchObject({ success: true });
  expect(await report({ ...authored, observed: 'the key [redacted] is wrong', evidence: {} })).toMatchObject({
    success: true,
  });
  const [newest, older] = await server.getFeedbackEntries();
  expect(newest).toMatchObject({ redaction_status: { redaction_markers_detected: true } });
  expect(older).toMatchObject({ tool_slug: 'make_sphere', evidence: { error_kind: 'legacy_feedback', job_id: 'j-1' } });
  expect(await server.getFeedbackEntries({ tool_name: 'make_sphere' })).toEqual([older]);
  expect(await server.getFeedbackEntries({ severity: 'blocked', limit: 1 })).toEqual([newest]);
  expect(await server.getFeedbackEntries({ severity: 'degraded' })).toEqual([]);
  await expect(server.getFeedbackEntries({ limit: 0 })).rejects.toThrow('"limit" must be >= 1');
  expect(await server.clearFeedback()).toBe(2);
  expect(await server.getFeedbackEntries()).toEqual([]);
  expect((await gateway.list()).json).toMatchObject({ total: 2 });
});

test('who reports is what the host says now', async () => {
  const gateway = await feedbackGateway();
  const context: Json = { adapter: 'acme-bridge', host_version: 'v7 beta', core_version: '9' };
  const id = '0f1e2d3c-7b3f-4c1d-9a8e-5e2c9a104b5a';
  const { server, report } = await instance({
    ...{ dcc_name: 'maya', gateway_endpoint: `${gateway.url}/mcp` },
    instance_id_provider: async () => id,
    finding_context_provider: () => context,
  });
  expect(await report({ ...authored, evidence: {} })).toMatchObject({
    context: { fingerprint: sha256('finding-v1', 'acme-bridge', 'dispatch', authored.tool_slug, '7') },
  });
  context.dcc_type = 'maya';
  const routing = {
    source: 'skill_metadata',
    skill_name: 's',
    repo: 'https://github.com/Acme/Skills.git',
    issues_url: 'x',
  };
  expect(await report({ ...authored, phase: 'skill', evidence: { routing } })).toMatchObject({
    context: { fingerprint: sha256('finding-v1', 'acme/skills', 'skill', authored.tool_slug, '7') },
  });
  const [newest] = await server.getFeedbackEntries();
  expect(newest).toMatchObject({ ...context, evidence: { instance_id: id } });
});

const unknown: readonly (readonly [string, FeedbackToolOptions, RegExp])[] = [
  [
    'another type',
    { finding_context_provider: () => ({ dcc_type: 'nuke' }) },
    /context_unavailable.*"nuke", not "maya"/,
  ],
  [
    'a blank version',
    { finding_context_provider: () => ({ host_version: ' ' }) },
    /context_unavailable.*"host_version"/,
  ],
  [
    'a strange field',
    { finding_context_provider: () => ({ fingerprint: 'x' }) as object },
    /context_unavailable.*"fingerprint"/,
  ],
  ['no object', { finding_context_provider: () => 'maya' as unknown as object }, /context_unavailable.*no object/],
  [
    'a failing host',
    { finding_context_provider: () => Promise.reject(new Error('no scene')) },
    /context_unavailable.*no scene/,
  ],
  ['no id', { instance_id_provider: () => undefined }, /instance_unavailable.*gave no id/],
  [
    'a failing id',
    {
      instance_id_provider: () => {
        throw new Error('gone');
      },
    },
    /instance_unavailable.*gone/,
  ],
];

test('who is not known reports nothing: none of it is sent or kept [spec:error:feedback]', async () => {
  const gateway = await feedbackGateway();
  let now: FeedbackToolOptions = {};
  const { server, report } = await instance({
    gateway_endpoint: gateway.url,
    instance_id_provider: () => (now.instance_id_provider ? now.instance_id_provider() : 'i-1'),
    finding_context_provider: () => now.finding_context_provider?.() ?? {},
  });
  for (const [name, options, told] of unknown) {
    now = options;
    const { success, error, message } = await report(authored);
    expect([success, `${error}: ${message}`], name).toEqual([false, expect.stringMatching(told)]);
  }
  expect(await server.getFeedbackEntries()).toEqual([]);
  expect((await gateway.list()).json).toMatchObject({ total: 0 });
});

test('input that is not of one form is refused by name', async () => {
  const gateway = await feedbackGateway();
  const { report } = await instance({ gateway_endpoint: gateway.url });
  const told = async (args: Json) => JSON.stringify(await report(args));
  expect(await told({ ...authored, fingerprint: 'x' })).toContain('\\"fingerprint\\" is not a known field');
  expect(await told({ ...authored, ...legacy })).toMatch(/not a known field|exactly one/);
  expect(await told({ ...authored, intent: ' ' })).toContain('invalid_input');
  expect(await told({ ...authored, evidence: { instance_id: 'another' } })).toContain('is not this instance');
  expect(await told({ ...authored, evidence: { x: 'y'.repeat(33_000) } })).toMatch(/at most 32768.*invalid_input/);
  expect((await gateway.list()).json).toMatchObject({ total: 0 });
});

test('without a gateway a report fails, and is not kept as if it had succeeded [spec:error:feedback]', async () => {
  const off = await instance({});
  expect(await off.report(authored)).toMatchObject({ success: false, error: 'gateway_feedback_unavailable' });
  expect(await off.server.getFeedbackEntries()).toEqual([]);
  const nobody = await instance({ gateway_host: '0.0.0.0', gateway_port: await freePort() });
  expect(await nobody.report(authored)).toMatchObject({
    error: 'gateway_feedback_unavailable',
    message: expect.stringMatching(/http:\/\/127.0.0.1:\d+ does not answer: ECONNREFUSED/),
  });
});

const wrong: readonly (readonly [string, Answer, Json])[] = [
  [
    'refuses',
    (_, response) => response.writeHead(400).end('{"error":{"message":"not today"}}'),
    { error: 'gateway_feedback_rejected', message: 'not today', context: { status_code: 400 } },
  ],
  [
    'is no gateway',
    (_, response) => response.writeHead(404).end('<html>'),
    { error: 'gateway_feedback_rejected', context: { status_code: 404 } },
  ],
  [
    'only says 200',
    (_, response, body) => response.writeHead(200).end(JSON.stringify(receipt(body))),
    { error: 'gateway_feedback_invalid_receipt', context: { status_code: 200 } },
  ],
  [
    'does not return the request id',
    (_, response, body) => response.writeHead(201).end(JSON.stringify(receipt(body))),
    { error: 'transport_desync' },
  ],
  [
    'returns another request id',
    (_, response, body) => response.writeHead(201, { 'x-request-id': 'old' }).end(JSON.stringify(receipt(body))),
    { error: 'transport_desync' },
  ],
  ['answers nothing', (_, response) => void response.destroy(), { error: 'gateway_feedback_unavailable' }],
  [
    'sends on',
    (_, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    { error: 'gateway_feedback_unavailable' },
  ],
  [
    'never ends',
    (_, response) => {
      response.writeHead(201);
      response.write('x'.repeat(70_000));
    },
    { error: 'gateway_feedback_unavailable' },
  ],
  ...Object.entries({
    ...{ ok: false, success: 'yes', feedback_id: '12', recorded_at: 'now', event_resource_uri: 'x' },
    ...{ schema_version: 2, fingerprint: `sha256:${'0'.repeat(64)}` },
  }).map(([field, value]): [string, Answer, Json] => [
    `gives a receipt with another ${field}`,
    (request, response, body) =>
      response
        .writeHead(201, { 'x-request-id': String(request.headers['x-request-id']) })
        .end(JSON.stringify({ ...receipt(body), [field]: value })),
    {
      error: 'gateway_feedback_invalid_receipt',
      message: expect.stringContaining(`"${field}"`),
      context: { status_code: 201 },
    },
  ]),
];

test('a gateway that answers as none should is no success [spec:error:feedback]', async () => {
  let now: Answer = () => undefined;
  const { server, report } = await instance({ gateway_endpoint: await falseGateway((...given) => now(...given)) });
  for (const [name, answer, told] of wrong) {
    now = answer;
    expect(await report(authored), name).toMatchObject({ success: false, ...told });
  }
  expect(await server.getFeedbackEntries()).toEqual([]);
});

test('what was accepted and cannot be kept here is said, with the receipt', async () => {
  const gateway = await feedbackGateway();
  const { report, registry_dir } = await instance({ gateway_endpoint: gateway.url });
  await writeFile(join(registry_dir, 'feedback'), 'in the way');
  expect(await report(authored)).toMatchObject({
    ...{ success: false, error: 'feedback_persistence_failed' },
    context: { feedback_id: expect.any(String), recorded_at: expect.any(String), fingerprint: expect.any(String) },
  });
});

test('registered before the start, once, with options that make sense; a setting offers it as well', async () => {
  const server = testServer('ambient', { registry_dir: await tempDir(), gateway_port: 0 });
  const wrong = (options: object) => server.registerFeedbackTool(options);
  await expect(wrong({ gateway_endpoint: 'ftp://x' })).rejects.toThrow('"gateway_endpoint" must be an http(s) URL');
  await expect(wrong({ gateway_endpoint: 'http://a:b@x' })).rejects.toThrow('without credentials');
  await expect(wrong({ gateway_port: 70_000 })).rejects.toThrow('"gateway_port"');
  await expect(wrong({ dcc: 'maya' })).rejects.toThrow('"dcc" is not a known field');
  await expect(wrong({ instance_id_provider: 'x' })).rejects.toThrow('instance_id_provider must be a function');
  const undo = await server.registerFeedbackTool();
  await expect(wrong({})).rejects.toThrow('registered already');
  await undo();
  await server.start();
  expect(server.hasHandler(tool)).toBe(false);
  await expect(wrong({})).rejects.toMatchObject({ code: 'SVC_FEEDBACK_LATE' });

  const set = testServer('ambient', { registry_dir: await tempDir(), gateway_port: 0, feedback_tool: true });
  const service = await set.start();
  expect((await callTool(service, tool, authored)).body.structuredContent).toMatchObject({
    error: 'gateway_feedback_unavailable',
  });
});

async function startFails(server: Server, code: string): Promise<void> {
  await expect(server.start()).rejects.toMatchObject({ code });
}

test("a start that fails leaves a finding for review, and the error is the start's own", async () => {
  const { url, registry_dir, list } = await feedbackGateway();
  const port = Number(new URL(url).port);
  const taken = testServer('ambient', { port, registry_dir, dcc_type: 'maya', dcc_version: '2026.2' });
  await startFails(taken, 'SVC_SERVER_PORT_IN_USE');
  await startFails(taken, 'SVC_SERVER_PORT_IN_USE');
  const [entry, ...rest] = await taken.getFeedbackEntries();
  expect(rest).toEqual([]);
  expect(entry).toMatchObject({
    ...{ dcc_type: 'maya', phase: 'startup', severity: 'blocker', host_version: '2026.2', adapter: 'dcc-mcp-maya' },
    observed: expect.stringContaining(String(port)),
    evidence: { error_kind: 'svc_server_port_in_use', dcc_pid: process.pid },
    redaction_status: { mode: 'needs-review' },
  });
  expect(entry?.evidence.request_id).toBeUndefined();
  expect((await list()).json).toMatchObject({ total: 1, entries: [entry] });
});

test.each(modes)('%s: even one that cannot boot, with settings that are wrong', async mode => {
  const { registry_dir, list } = await feedbackGateway();
  const wrong = { registry_dir, dcc_type: 'maya', page_size: 'token=hunter2' } as unknown as ServerOptions;
  await startFails(testServer(mode, wrong), 'SVC_KERNEL_CONFIG_INVALID');
  const { entries } = (await list()).json as { entries: Json[] };
  expect(entries).toEqual([expect.objectContaining({ dcc_type: 'maya', phase: 'startup' })]);
  expect(JSON.stringify(entries)).not.toContain('hunter2');
});

test('what keeps the finding from being kept never replaces the error, and the switch is heeded', async () => {
  const registry_dir = await tempDir();
  await mkdir(join(registry_dir, 'instances'), { recursive: true });
  await writeFile(join(registry_dir, 'feedback'), 'in the way');
  await startFails(
    testServer('ambient', { registry_dir, port: 'x' as unknown as number }),
    'SVC_KERNEL_CONFIG_INVALID',
  );
  const off = await feedbackGateway();
  const options = { registry_dir: off.registry_dir, page_size: -1 } as ServerOptions;
  await startFails(testServer('ambient', options, { plugins: { feedback: false } }), 'SVC_KERNEL_CONFIG_INVALID');
  expect((await off.list()).json).toMatchObject({ total: 0 });
});

test('a gateway that asks for a token gets the one that the host has, or that of the gateway where it registers', async () => {
  const seen: (string | undefined)[] = [];
  const url = await falseGateway(({ headers, url: path }, response, body) => {
    seen.push(`${path} ${headers.authorization}`);
    const known = headers.authorization === 'Bearer good';
    const refusal = { kind: 'unauthorized', message: 'This server asks for a token' };
    response.setHeader('x-request-id', String(headers['x-request-id']));
    response.writeHead(known ? 201 : 401).end(JSON.stringify(known ? receipt(body) : refusal));
  });
  const given = ['good', undefined, 'two words', 'fails'];
  const ask = () => {
    const token = given.shift();
    if (token === 'fails') throw new Error('the vault is closed');
    return token;
  };
  const { report } = await instance({ gateway_endpoint: url, gateway_token_provider: ask });
  expect(await report(authored)).toMatchObject({ success: true });
  expect(await report(authored)).toMatchObject({
    ...{ error: 'gateway_feedback_rejected', context: { status_code: 401 } },
    message: expect.stringMatching(/^This server asks for a token\. .*remote_gateway_token_file/),
  });
  for (const why of ['no token', 'the vault is closed']) {
    expect(await report(authored)).toMatchObject({
      ...{ error: 'gateway_feedback_unavailable', message: expect.stringContaining(why) },
    });
  }
  expect(seen).toEqual(['/v1/feedback Bearer good', '/v1/feedback undefined']);

  // Without a gateway on this machine, the one at which the server registers.
  const settings = { remote_gateway_url: `${url}/below/`, remote_gateway_token: 'good' };
  const remote = await instance({}, settings);
  expect(await remote.report(authored)).toMatchObject({ success: true });
  expect(seen.at(-1)).toBe('/below/v1/feedback Bearer good');
  const off = await instance({ gateway_port: 0 }, settings);
  expect(await off.report(authored)).toMatchObject({ error: 'gateway_feedback_unavailable' });
});
