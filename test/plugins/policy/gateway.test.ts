/** A policy at a gateway: every door of it, the transparent proxy included, and the same file at the instance. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditPlugin } from '../../../plugins/audit/index.ts';
import { proxyPlugin } from '../../../plugins/gateway/proxy/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import type { EventEnvelope, ServerOptions } from '../../../plugins/index.ts';
import { policyPlugin } from '../../../plugins/policy/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { writeSkill } from '../../spec/skill-package.ts';
import { connect } from '../../spec/wire.ts';
import { gatewayRig } from '../gateway/rig.ts';
import { type Json, raw } from '../rest/support.ts';

const tool = (name: string, annotations?: Record<string, boolean>) => ({
  definition: { name, description: 'Does it.', ...(annotations && { annotations }) },
  handler: () => 'done',
});

const rules = `rules:
  - { effect: deny, skills: ['wild-*'], reason: Nothing wild. }
  - { effect: allow, tools: [maya.drop], callers: ['pipeline-*'] }
  - { effect: deny, annotations: { destructive: true }, reason: Nothing is deleted here. }
`;

/** One instance behind a gateway with a policy of this text; the instance has it too where `both`. */
async function guarded(text: string, both = false, options: ServerOptions = {}) {
  const folder = await tempDir();
  const policy_file = join(folder, 'policy.yaml');
  await writeFile(policy_file, text);
  await writeSkill(folder, 'wild-one', { dcc: 'maya' });
  const rig = await gatewayRig(
    [gatewayRestPlugin, proxyPlugin, policyPlugin, auditPlugin],
    [
      {
        dcc_type: 'maya',
        tools: [tool('look', { read_only_hint: true }), tool('drop', { destructive_hint: true })],
        options: { skill_paths: [folder], ...(both && { policy_file }) },
      },
    ],
    { policy_file, ...options },
  );
  const { app, url, instances } = rig;
  await app.capabilities.refresh();
  const [instance] = instances;
  if (!instance) throw new Error('no instance');
  const events: EventEnvelope[] = [];
  for (const name of ['tool.*', 'skill.*']) app.kernel.bus.on(name, each => void events.push(each as EventEnvelope));
  const post = (path: string, body: Json) =>
    raw(url, `/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
  const slug = (name: string) => `maya.${instance.id8}.${name}`;
  return { ...rig, instance, policy_file, events, post, slug };
}

test('what the policy denies is refused at every door, told and audited; what it allows goes through [spec:veto:tool-call spec:veto:tool-event]', async () => {
  const { app, url, instance, events, post, slug } = await guarded(rules, true);
  const wire = await connect(`${url}/mcp`, { protocolVersion: '2025-11-25' });
  const told = { code: 'EVENT_VETOED', kind: 'policy-denied', veto_code: 'policy_denied' };
  const rest = await post('call', { tool_slug: slug('drop') });
  expect([rest.status, rest.json]).toMatchObject([
    403,
    { error: { ...told, veto_reason: 'Nothing is deleted here.', message: expect.stringContaining('deleted') } },
  ]);
  const { json } = await post('call_batch', { calls: [{ tool_slug: slug('look') }, { tool_slug: slug('drop') }] });
  expect(json).toMatchObject({ results: [{ ok: true }, { ok: false, error: told }] });
  const result = (await wire.call('call', { tool_slug: slug('drop'), response_format: 'json' })) as Json;
  expect([result.isError, JSON.stringify(result)]).toEqual([true, expect.stringContaining('EVENT_VETOED')]);
  expect(events.filter(each => each.name === 'tool.failed')).toHaveLength(3);
  expect(events.at(-1)).toMatchObject({
    ...{ name: 'tool.failed', source: { dcc_type: 'maya', instance_id: instance.id } },
    attributes: { error_kind: 'event_vetoed', veto_code: 'policy_denied', veto_reason: 'Nothing is deleted here.' },
  });
  expect(app.audit.recent(1)[0]).toMatchObject({
    ...{ action: 'drop', outcome: { denied: { reason: 'Nothing is deleted here.' } } },
  });
  // The instance goes by the same file, and hears from the gateway who calls.
  const farm = { agent_context: { agent_id: 'pipeline-7' } };
  expect((await post('call', { tool_slug: slug('drop'), meta: farm })).status).toBe(200);
});

test('a rule on the names of clients holds behind the gateway as before it', async () => {
  const { url, slug } = await guarded('default: deny\nrules: [{ effect: allow, callers: [wir*] }]', true);
  const wire = await connect(`${url}/mcp`, { protocolVersion: '2025-11-25' });
  const result = (await wire.call('call', { tool_slug: slug('look') })) as Json;
  expect([result.isError ?? false, JSON.stringify(result)]).toEqual([false, expect.stringContaining('done')]);
  const load = (await wire.call('load_skill', { skill_name: 'wild-one', response_format: 'json' })) as Json;
  expect([load.isError ?? false, JSON.stringify(load)]).toEqual([false, expect.stringContaining('wild-one')]);
});

test('the load of a skill that is denied never reaches the instance, by any door [spec:veto:skill-load]', async () => {
  const { app, url, instance, events, post, slug } = await guarded(rules);
  const wire = await connect(`${url}/mcp`, { protocolVersion: '2025-11-25' });
  const proxied = await connect(`${url}/mcp/${instance.id}`, { protocolVersion: '2025-11-25' });
  const loads: (() => Promise<unknown>)[] = [
    async () => (await post('load_skill', { skill_name: 'wild-one' })).json,
    () => wire.call('load_skill', { skill_name: 'wild-one', response_format: 'json' }),
    async () => (await post('call', { tool_slug: slug('load_skill'), arguments: { skill_name: 'wild-one' } })).json,
    () => proxied.call('load_skill', { skill_name: 'wild-one' }),
  ];
  for (const load of loads) {
    events.length = 0;
    expect(JSON.stringify(await load())).toMatch(/EVENT_VETOED.*Nothing wild|Nothing wild.*EVENT_VETOED/s);
    // Of what passes the proxy the gateway tells only what it forbids.
    const begun = events.filter(each => each.name === 'skill.loading');
    expect(begun).toHaveLength(load === loads.at(-1) ? 0 : 1);
    expect(events.slice(begun.length)).toMatchObject([
      {
        name: 'skill.validation_failed',
        source: { instance_id: instance.id },
        attributes: {
          ...{ skill_name: 'wild-one', dcc_type: 'maya', declared_tool_count: 1, error_kind: 'event_vetoed' },
          ...{ veto_code: 'policy_denied', veto_reason: 'Nothing wild.' },
        },
      },
      { name: 'tool.failed', attributes: { tool_name: 'load_skill', error_kind: 'event_vetoed' } },
    ]);
  }
  expect(app.audit.recent().filter(each => each.action === 'skill.loading')).toHaveLength(4);
  expect(await instance.server.loadSkill('wild-one')).toHaveLength(1);
});

test('the proxy is no way around it: single, in a batch, chunked, in any revision; the instance tells what passes', async () => {
  const { url, instance, events } = await guarded(rules);
  const address = `${url}/mcp/${instance.id}`;
  const newer = await connect(address, { protocolVersion: '2025-11-25' });
  expect(JSON.stringify(await newer.call('look'))).toContain('done');
  expect(events).toEqual([]);
  expect(await newer.call('drop')).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('Nothing is deleted here.') }],
    isError: true,
    _meta: { dcc: { error: { code: 'EVENT_VETOED', veto_code: 'policy_denied' } } },
  });
  expect(events).toMatchObject([
    { name: 'tool.failed', attributes: { tool_name: 'drop', error_kind: 'event_vetoed' } },
  ]);
  const older = await connect(address);
  const { error } = await older.request('tools/call', { name: 'drop', arguments: {} });
  expect(error).toMatchObject({
    code: -32002,
    data: { code: 'EVENT_VETOED', veto_reason: 'Nothing is deleted here.' },
  });
  const message = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
  const batch = await older.send([message(1, 'look'), message(2, 'drop')]);
  expect(JSON.parse(batch.text)).toMatchObject([
    { id: 1, error: { data: { code: 'EVENT_VETOED' } } },
    { id: 2, error: { data: { code: 'EVENT_VETOED' } } },
  ]);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const own = { ...headers, 'mcp-session-id': older.sessionId };
  const chunks = new ReadableStream({
    start(controller) {
      const text = JSON.stringify({ ...message(3, 'drop'), padding: 'x'.repeat(100_000) });
      for (let at = 0; at < text.length; at += 30_000)
        controller.enqueue(new TextEncoder().encode(text.slice(at, at + 30_000)));
      controller.close();
    },
  });
  const chunked = await fetch(address, { method: 'POST', headers: own, body: chunks, duplex: 'half' } as RequestInit);
  expect(await chunked.json()).toMatchObject({ id: 3, error: { data: { code: 'EVENT_VETOED' } } });
  const broken = await fetch(address, { method: 'POST', headers: own, body: '\uFEFF{"jsonrpc":"2.0"' });
  expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining('-32700')]);
});

test('a read-only gateway lets nothing through its proxy that writes', async () => {
  const { url, instance } = await guarded('{}', false, { gateway_read_only: true });
  const client = await connect(`${url}/mcp/${instance.id}`, { protocolVersion: '2025-11-25' });
  expect(JSON.stringify(await client.call('look'))).toContain('done');
  expect(JSON.stringify(await client.call('drop'))).toContain('SVC_GATEWAY_POLICY_DENIED');
});

test('edits of the file are followed; a broken one changes nothing and is told', async () => {
  const log_file = join(await tempDir(), 'log');
  const { post, slug, policy_file } = await guarded(rules, false, { log_level: 'warn', log_file });
  const status = async () => (await post('call', { tool_slug: slug('drop') })).status;
  const logged = (wanted: string) => waitFor(async () => (await readFile(log_file, 'utf8')).includes(wanted), wanted);
  expect(await status()).toBe(403);
  await writeFile(policy_file, 'rules:\n  - effect: perhaps\n    tools: [drop]\n');
  await logged('the one before still holds: line 2');
  expect(await status()).toBe(403);
  await writeFile(policy_file, 'rules: []\n');
  await waitFor(async () => (await status()) === 200, 'the edit to hold');
  const lines = (await readFile(log_file, 'utf8')).split('\n').filter(each => each.includes('denied by the policy'));
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    tool_slug: slug('drop'),
    line: 4,
    reason: 'Nothing is deleted here.',
  });
});
