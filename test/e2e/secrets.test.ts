/** Credentials in arguments, headers, results and errors of real calls: no output of gateway or instance has one of them. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { collector } from '../plugins/telemetry/collector.ts';
import { receiver } from '../plugins/webhooks/receiver.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { connect } from '../spec/wire.ts';
import { foundIn, keyed, keyedObject, planted } from './planted.ts';
import { listening, runProgram } from './program.ts';

const everything = planted.map(each => each.text).join('\n');
/** Arguments that hide what the tool is to find: as results and errors have secrets that nobody sent. */
const hidden = Buffer.from(everything).toString('base64');

const unveil = "const text = Buffer.from(String(args.hidden ?? ''), 'base64').toString();";
const tools = [
  { name: 'echo', description: 'Echoes.' },
  { name: 'finds', description: 'Finds.', body: `${unveil} return { text, list: [text] };` },
  { name: 'fails', description: 'Fails.', body: `${unveil} throw new Error('cannot log in with ' + text);` },
  { name: 'reports', description: 'Reports.', body: `${unveil} return { success: false, message: text };` },
  { name: 'logs', description: 'Logs.', body: `${unveil} ctx.log.error(text); console.error(text); return {};` },
];

/** Every file below a folder, as text. */
async function filesOf(folder: string): Promise<[string, string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(each => each.isFile()).map(each => join(each.parentPath, each.name));
  return Promise.all(files.map(async each => [each, await readFile(each, 'latin1')] as [string, string]));
}

/** A gateway and an instance with every output on, and where those go. */
async function open() {
  const home = await tempDir('svc-secrets-');
  const [port, skills] = [await freePort(), await tempDir()];
  const [hooks, spans] = [await receiver(), await collector()];
  await mkdir(join(home, 'svc', 'etc'), { recursive: true });
  const webhooks = `webhooks: [{ name: all, url: "${hooks.url}", events: ['*'] }]`;
  await writeFile(join(home, 'svc', 'etc', 'webhooks.yaml'), webhooks, { flag: 'wx' });
  await writeFile(join(home, 'policy.yaml'), 'rules: [{ effect: deny, tools: ["*denied*"], reason: no }]');
  const sinks = '[{ kind: jsonl, path: frames.jsonl }, { kind: sqlite, path: frames.db }, { kind: admin_live }]';
  await writeFile(join(home, 'traffic.yaml'), `sinks: ${sinks}`);
  const env = {
    ...{ HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, 'state'), XDG_CACHE_HOME: join(home, 'cache') },
    ...{ SVC_LOG_LEVEL: 'trace', SVC_METRICS_ENABLED: 'true', SVC_OTEL_ENDPOINT: spans.url },
    ...{ SVC_TRAFFIC_CONFIG: join(home, 'traffic.yaml'), SVC_GATEWAY_AUDIT_DIR: join(home, 'audit') },
    ...{ SVC_POLICY_FILE: join(home, 'policy.yaml'), SVC_REGISTRY_DIR: join(home, 'registry') },
  };
  const gateway = runProgram(['gateway', '--json', '--port', String(port)], env);
  await listening(gateway);
  await writeSkill(skills, 'vault', { dcc: 'maya', tools });
  const options = ['--dcc-type', 'maya', '--gateway-port', String(port), '--skill-paths', skills, '--no-watch-skills'];
  const server = runProgram(['serve', '--json', '--no-bundled-skills', ...options], env);
  const { instance_id, mcp_url } = await listening(server);
  return { home, hooks, spans, gateway, server, instance_id, mcp_url, origin: `http://127.0.0.1:${port}` };
}

/** What is read for debugging. */
const reads = [
  ...['/v1/debug/traffic', '/v1/debug/traffic/export', '/v1/debug/traffic?bodies=1&limit=1000'],
  ...'calls traces activity events logs stats governance reliability sessions health analytics/export'
    .split(' ')
    .map(each => `/v1/debug/${each}`),
];

/** All that is told of single calls, for who sits at the machine too. */
const ofCalls = ['traces/', 'issue-reports/', 'issue-reports/raw?mode=raw', 'debug-bundle/'];

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...Object.fromEntries(
    ['authorization', 'cookie', 'x-api-key', 'x-auth-token', 'proxy-authorization'].map((name, at) => [
      name,
      `${name === 'authorization' ? 'Bearer ' : ''}${keyed[at]?.text}`,
    ]),
  ),
};

test('twenty kinds of credential and eight keys, by every door: no log, file, webhook, span, metric or debug read has one', async () => {
  const { home, hooks, spans, gateway, server, instance_id, mcp_url, origin } = await open();
  const post = (path: string, body: object) =>
    fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const load = () => post('/v1/load_skill', { skill_name: 'vault', instance_id });
  await waitFor(async () => (await load()).status === 200, 'the skill at the gateway', 30_000);
  const clear = {
    text: everything,
    ...keyedObject(),
    list: planted.map(each => each.text),
    nested: { deep: keyedObject() },
    named: Object.fromEntries(planted.map(each => [each.text, 'its holder'])),
  };
  const meta = { agent_context: { agent_id: 'a1', note: everything }, dcc: { rationale: everything } };
  const named = ['echo', 'finds', 'fails', 'reports', 'logs', 'denied', 'gone'];
  const wire = await connect(`${origin}/mcp`, { protocolVersion: '2025-11-25', headers });
  const direct = await connect(String(mcp_url), { protocolVersion: '2025-11-25', headers });
  const proxied = await connect(`${origin}/mcp/${instance_id}`, { protocolVersion: '2025-11-25', headers });
  for (const args of [clear, { hidden }]) {
    for (const tool of named) {
      const tool_slug = `maya.${instance_id?.slice(0, 8)}.${tool}`;
      await (await post('/v1/call', { tool_slug, arguments: args, meta })).text();
      await (await post('/v1/call_batch', { calls: [{ tool_slug, arguments: args }], meta })).text();
      await wire.call('call', { tool_slug, arguments: args }, meta);
      await direct.request('tools/call', { name: tool, arguments: args, _meta: meta });
      await proxied.request('tools/call', { name: tool, arguments: args, _meta: meta });
    }
  }
  // As ids, which callers choose.
  for (const { text } of planted.filter(each => !each.text.includes('\n'))) {
    const params = { name: 'call', arguments: { tool_slug: `maya.${instance_id?.slice(0, 8)}.echo` } };
    await wire.send({ jsonrpc: '2.0', id: text, method: 'tools/call', params }, { 'x-request-id': text });
  }
  // What is no call at all, with secrets where they do not belong.
  const wrong = `?token=${keyed[0]?.text}&password=${keyed[1]?.text}`;
  for (const at of ['/v1/call', '/v1/nowhere', '/mcp/nobody', '/mcp']) {
    await (await fetch(`${origin}${at}${wrong}`, { method: 'POST', headers, body: everything })).text();
  }

  const outputs = new Map<string, string>();
  for (const at of [...reads, '/metrics', '/v1/readyz', '/v1/instances', '/v1/skills', '/health']) {
    outputs.set(`gateway ${at}`, await (await fetch(`${origin}${at}`)).text());
  }
  const listed = await (await fetch(`${origin}/v1/debug/calls?limit=1000`)).json();
  const { calls } = listed as { calls: { trace_id: string }[] };
  expect(calls.length).toBeGreaterThan(50);
  for (const at of ofCalls) {
    for (const { trace_id } of calls) {
      const path = at.includes('raw') ? at.replace('raw?', `${trace_id}?`) : `${at}${trace_id}`;
      outputs.set(`gateway ${path}`, await (await fetch(`${origin}/v1/debug/${path}`)).text());
    }
  }
  const own = new URL(String(mcp_url)).origin;
  outputs.set('instance /metrics', await (await fetch(`${own}/metrics`)).text());
  for (const [from, client] of Object.entries({ gateway: wire, instance: direct })) {
    const { resources } = (await client.result('resources/list')) as { resources: { uri: string }[] };
    for (const { uri } of resources.filter(each => !each.uri.startsWith('skill:'))) {
      outputs.set(`${from} ${uri}`, JSON.stringify(await client.request('resources/read', { uri })));
    }
  }
  outputs.set('instance audit', JSON.stringify(await direct.request('resources/read', { uri: 'audit://recent' })));
  const diagnostics = await direct.request('tools/call', { name: 'svc.log_tail', arguments: { lines: 500 } });
  outputs.set('log tail of the instance', JSON.stringify(diagnostics));
  await waitFor(() => hooks.arrived.some(each => each.body.attributes?.tool_name === 'logs'), 'the webhooks');
  await waitFor(() => spans.spans.length > 20, 'the spans', 30_000);
  for (const each of [server, gateway]) {
    each.child.kill('SIGTERM');
    await each.ended;
  }
  outputs.set('webhooks', JSON.stringify(hooks.arrived));
  outputs.set('spans', spans.raw());
  for (const [name, run] of Object.entries({ gateway, server })) {
    outputs.set(`${name} stdout`, run.stdout());
    outputs.set(`${name} stderr`, run.stderr());
  }
  for (const [name, text] of await filesOf(home)) outputs.set(name, text);

  // Nothing is looked for in vain: each output has what it is for.
  expect(outputs.get('instance audit')).toContain('finds');
  expect(outputs.get('gateway stderr')).toContain('denied by the policy');
  expect(outputs.get('server stderr')).toMatch(/"tool":"logs".*redacted/);
  expect(outputs.get('webhooks')).toMatch(/cannot log in with .*redacted/);
  for (const [file, least] of [
    ['frames.jsonl', 100],
    ['audit.jsonl', 30],
    ['traces.jsonl', 30],
  ] as const) {
    const found = [...outputs].find(([name]) => name.endsWith(file))?.[1];
    expect(found?.split('\n').length, file).toBeGreaterThan(least);
  }
  expect(outputs.get('gateway /v1/debug/traffic')).toContain('tools/call');
  const leaks = [...outputs].flatMap(([output, text]) => foundIn(text).map(kind => `${kind} in ${output}`));
  expect(leaks).toEqual([]);
}, 180_000);
