/** Reports to a gateway over a real socket: what is accepted, told and stored, and what is refused. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gatewayFeedbackPlugin } from '../../../plugins/feedback/index.ts';
import { backendsPlugin } from '../../../plugins/gateway/backends/index.ts';
import { gatewayEventsPlugin } from '../../../plugins/gateway/events/index.ts';
import { FINDING_V1_SCHEMA_VERSION } from '../../../plugins/index.ts';
import { instancesPlugin } from '../../../plugins/instances/index.ts';
import { gatewayRig } from '../gateway/rig.ts';
import { authored, feedbackGateway, finding, type Json, legacy, raw, sha256 } from './support.ts';

const text = (length: number, unit = 'x'): string => unit.repeat(length);
const { tool_slug: _, ...subjectless } = finding;
const exclusions = {
  ...{ raw_payloads_excluded: true, prompts_excluded: true, scripts_excluded: true, auth_material_excluded: true },
  ...{ local_urls_excluded: true, absolute_paths_excluded: true, private_identifiers_excluded: true },
};
/** Deeper than JSON can be written. */
const deep = `"r","a":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`;
const markers = { redaction_markers_detected: false };

test('a finding is stored, told and only then accepted, without any instance', async () => {
  const { app, post, list, registry_dir } = await feedbackGateway();
  const before = Date.now();
  const answer = await post(finding, { 'x-request-id': 'req-17' });
  expect(answer.status).toBe(201);
  expect(answer.headers['x-request-id']).toBe('req-17');
  expect(answer.json).toEqual({
    ...{ ok: true, success: true, event_resource_uri: 'resources://gateway/events' },
    ...{ schema_version: FINDING_V1_SCHEMA_VERSION, fingerprint: finding.fingerprint },
    routed: {
      repo: 'dcc-mcp/dcc-mcp-maya',
      issues_url: 'https://github.com/dcc-mcp/dcc-mcp-maya/issues',
      route_rationale: 'adapter_phase',
    },
    feedback_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    recorded_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const { feedback_id } = answer.json;
  expect(app.gatewayEvents.list()).toEqual([
    expect.objectContaining({ event: 'feedback_reported', dcc_type: 'maya', instance_id: 'unscoped' }),
  ]);
  expect(JSON.parse(app.gatewayEvents.list()[0]?.reason ?? '')).toEqual({ feedback_id, report: finding });

  const folder = join(registry_dir, 'feedback');
  expect(await readdir(folder)).toEqual([`gateway-${process.pid}.jsonl`]);
  const file = join(folder, `gateway-${process.pid}.jsonl`);
  const { timestamp, ...stored } = JSON.parse(await readFile(file, 'utf8')) as Json & { timestamp: number };
  expect(stored).toEqual({ id: feedback_id, ...finding });
  expect(timestamp * 1000).toBeGreaterThanOrEqual(before);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);

  const { json } = await list();
  expect(json).toMatchObject({ total: 1, deduplicated: 0, skipped_invalid: 0, files_scanned: 1 });
  expect(json.entries).toEqual([{ ...stored, timestamp }]);
});

test('who sends no X-Request-ID gets none', async () => {
  const { post } = await feedbackGateway();
  expect((await post(finding)).headers['x-request-id']).toBeUndefined();
});

test('the older form becomes a finding; who reports it may stay unknown', async () => {
  const { app, post, list } = await feedbackGateway();
  const answer = await post({ ...legacy, attempt: 'twice', request_id: 'r-9', dcc_type: 'maya' });
  expect(answer.status).toBe(201);
  expect(answer.json).toMatchObject({
    schema_version: 1,
    fingerprint: sha256('finding-v1', 'dcc-mcp/dcc-mcp-maya', 'dispatch', 'make_sphere', 'unknown'),
  });
  expect((await post(legacy)).status).toBe(201);
  const { entries } = (await list()).json as { entries: Json[] };
  expect(entries.map(each => each.dcc_type).sort()).toEqual(['gateway', 'maya']);
  expect(entries.find(each => each.dcc_type === 'maya')).toMatchObject({
    ...{ phase: 'dispatch', severity: 'blocker', tool_slug: 'make_sphere', observed: 'it fails' },
    ...{ adapter: 'dcc-mcp-maya', adapter_version: 'unknown', core_version: 'unknown', host_version: 'unknown' },
    expected: 'Complete the stated intent: make a sphere',
    repro: { steps: ['twice'] },
    evidence: { error_kind: 'legacy_feedback', request_id: 'r-9' },
    redaction_status: { mode: 'needs-review' },
  });
  expect(app.gatewayEvents.list().map(each => [each.dcc_type, each.instance_id])).toEqual([
    ['maya', 'unscoped'],
    ['gateway', 'unscoped'],
  ]);
});

const accepted: readonly (readonly [string, unknown])[] = [
  ['texts of 4096 characters', { ...finding, intent: text(4096), observed: text(4096, '🎈'), expected: text(4096) }],
  ['space around texts', { ...finding, intent: `  ${text(4096)}\n`, tool_slug: ' a ' }],
  ['64 steps', { ...finding, repro: { steps: Array.from({ length: 64 }, () => text(4096)) } }],
  ['a command line', { ...finding, repro: { argv: ['svc-cli', 'call'] } }],
  ['identifiers of 256 characters', { ...finding, tool_slug: text(256), evidence: { run_id: text(256) } }],
  ['a kind of error as subject', { ...subjectless, evidence: { error_kind: 'gateway_timeout' } }],
  ['evidence of 32 KiB', { ...finding, evidence: { log: text(32_768 - 10) } }],
  [
    '64 pieces of evidence',
    { ...finding, evidence: Object.fromEntries(Array.from({ length: 64 }, (__, n) => [n, n])) },
  ],
  ['more evidence', { ...finding, evidence: { routing: { source: 'skill_metadata' }, dcc_pid: 12 } }],
  ['what a reviewer has cleared', { ...finding, redaction_status: { mode: 'public-safe', ...markers, ...exclusions } }],
  ['the older form at its limits', { ...legacy, intent: text(4096), blocker: text(4096), tool_name: text(256) }],
];
test('what is within the limits is accepted, in either form [spec:limit:finding]', async () => {
  const { post } = await feedbackGateway();
  for (const [name, body] of accepted) expect((await post(body)).json, name).toMatchObject({ ok: true });
});

const refused: readonly (readonly [string, unknown, RegExp])[] = [
  ...Object.keys(finding)
    .filter(key => key !== 'schema_version' && key !== 'tool_slug')
    .map(key => {
      const { [key as 'os']: __, ...rest } = finding;
      return [`no ${key}`, rest, new RegExp(`"${key}" is required`)] as const;
    }),
  ['no subject', subjectless, /"tool_slug" or "evidence.error_kind"/],
  ['another version', { ...finding, schema_version: 2 }, /"schema_version" must be 1/],
  ['an unknown field', { ...finding, extra: 1 }, /"extra" is not a known field/],
  ['a fingerprint that is none', { ...finding, fingerprint: 'sha256:ABC' }, /"fingerprint" must match/],
  ['an unknown phase', { ...finding, phase: 'later' }, /"phase" must be one of/],
  ['an older severity', { ...finding, severity: 'blocked' }, /"severity" must be one of/],
  ...(['intent', 'observed', 'expected'] as const).flatMap(key => [
    [
      `${key} too long`,
      { ...finding, [key]: text(4097) },
      new RegExp(`"${key}" must NOT have more than 4096`),
    ] as const,
    [`${key} blank`, { ...finding, [key]: ' \n' }, new RegExp(`"${key}" must NOT have fewer than 1`)] as const,
  ]),
  ...(['dcc_type', 'adapter', 'adapter_version', 'core_version', 'host_version', 'os', 'tool_slug'] as const).map(
    key =>
      [
        `${key} too long`,
        { ...finding, [key]: text(257) },
        new RegExp(`"${key}" must NOT have more than 256`),
      ] as const,
  ),
  ['steps and a command line', { ...finding, repro: { steps: ['a'], argv: ['b'] } }, /exactly one of/],
  ['neither', { ...finding, repro: {} }, /exactly one of/],
  ['no steps', { ...finding, repro: { steps: [] } }, /"repro.steps" must NOT have fewer than 1/],
  ['65 steps', { ...finding, repro: { steps: Array(65).fill('a') } }, /"repro.steps" must NOT have more than 64/],
  ['a blank step', { ...finding, repro: { steps: [' '] } }, /"repro.steps.0" must NOT have fewer than 1/],
  ['a long step', { ...finding, repro: { argv: [text(4097)] } }, /"repro.argv.0" must NOT have more than 4096/],
  [
    'another kind of repro',
    { ...finding, repro: { steps: ['a'], script: 'b' } },
    /"repro.script" is not a known field/,
  ],
  ['evidence that is no object', { ...finding, evidence: [] }, /"evidence" must be object/],
  ['too much evidence', { ...finding, evidence: { log: text(32_768 - 9) } }, /"evidence" has 32769 bytes/],
  ['evidence in long characters', { ...finding, evidence: { log: text(12_000, '€') } }, /"evidence" has 36010 bytes/],
  ['evidence without a floor', JSON.stringify(finding).replace('"r-1"', deep), /"evidence" has/],
  [
    '65 pieces of evidence',
    { ...finding, evidence: Object.fromEntries(Array.from({ length: 65 }, (__, n) => [n, n])) },
    /65|64/,
  ],
  ['a long request id', { ...finding, evidence: { request_id: text(257) } }, /"evidence.request_id" must NOT/],
  ['a request id of another type', { ...finding, evidence: { request_id: 3 } }, /"evidence.request_id" must be string/],
  [
    'a mode that is none',
    { ...finding, redaction_status: { mode: 'raw-local-evidence', ...markers } },
    /"redaction_status.mode"/,
  ],
  [
    'public-safe with one exclusion missing',
    { ...finding, redaction_status: { mode: 'public-safe', ...markers, ...exclusions, scripts_excluded: false } },
    /"redaction_status.scripts_excluded" must be true/,
  ],
  [
    'an unknown exclusion',
    { ...finding, redaction_status: { mode: 'needs-review', ...markers, all: true } },
    /all" is not a known/,
  ],
  [
    'no word of marks',
    { ...finding, redaction_status: { mode: 'needs-review' } },
    /redaction_markers_detected" is required/,
  ],
  ["an agent's part alone", authored, /is required|not a known field/],
  ['both forms at once', { ...finding, ...legacy }, /"tool_name" is not a known field/],
  ['the older form with a newer field', { ...legacy, phase: 'dispatch' }, /"phase" is not a known field/],
  ['the older form with a newer severity', { ...legacy, severity: 'blocker' }, /"severity" must be one of/],
  ['the older form without a tool', { ...legacy, tool_name: ' ' }, /"tool_name" must NOT have fewer/],
  ['a key twice', JSON.stringify(finding).replace('{', '{"os":"darwin",'), /the key "os" stands twice/],
  [
    'a key twice, deep and escaped',
    JSON.stringify({ ...finding, evidence: {} }).replace(
      '"evidence":{',
      '"evidence":{"a":{"x":1},"b":{"x":2,"\\u0078":3}',
    ),
    /the key "x" stands twice/,
  ],
  ['no JSON', '{"a":', /no JSON/],
  ['no object', '[]', /no JSON object/],
  ['nothing', '', /no JSON/],
];
test('what is not is refused with what is wrong, and told to nobody [spec:error:feedback]', async () => {
  const { app, post } = await feedbackGateway();
  for (const [name, body, message] of refused) {
    const { status, json } = await post(body, { 'x-request-id': 'q' });
    expect(json, name).toEqual({
      ...{ ok: false, success: false },
      error: { kind: 'invalid-feedback', message: expect.stringMatching(message) },
    });
    expect(status, name).toBe(400);
  }
  expect(app.gatewayEvents.list()).toEqual([]);
});

test('what cannot be a request id is refused rather than not returned', async () => {
  const gateway = await feedbackGateway();
  const { status, json } = await gateway.post(finding, { 'x-request-id': text(257) });
  expect([status, json.error]).toEqual([400, expect.objectContaining({ kind: 'invalid-feedback' })]);
});

test('other encodings, other types and bodies without end are refused', async () => {
  const gateway = await feedbackGateway();
  const send = async (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') => {
    const response = await fetch(`${gateway.url}/v1/feedback`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });
    return [response.status, ((await response.json()) as { error: { kind: string } }).error.kind];
  };
  const bytes = Buffer.from(JSON.stringify(finding).replace('make a sphere', 'caf\u00e9'), 'latin1');
  expect(await send(new Uint8Array(bytes))).toEqual([400, 'invalid-feedback']);
  expect(await send('a=1', 'text/plain')).toEqual([400, 'invalid-feedback']);
  expect(await send(JSON.stringify({ ...finding, intent: text(1_000_001) }))).toEqual([413, 'invalid-feedback']);
});

test('a large report is cut in the ring, and whole on disk', async () => {
  const gateway = await feedbackGateway();
  const steps = Array.from({ length: 64 }, () => text(4000));
  const { json } = await gateway.post({ ...finding, observed: text(4000), repro: { steps } });
  const { reason = '' } = gateway.app.gatewayEvents.list().at(-1) ?? {};
  expect(reason.length).toBeLessThan(10_000);
  expect(JSON.parse(reason)).toMatchObject({
    feedback_id: json.feedback_id,
    report: { intent: authored.intent, truncated: true },
  });
  const { entries } = (await gateway.list('?limit=1000')).json as { entries: Json[] };
  expect(entries.find(each => each.id === json.feedback_id)).toMatchObject({ repro: { steps } });
});

test('of an instance that the gateway knows nobody may say that it is another', async () => {
  const { url, instances } = await gatewayRig(
    [gatewayEventsPlugin, instancesPlugin, backendsPlugin, gatewayFeedbackPlugin],
    [{ dcc_type: 'maya', options: { dcc_version: '2026.3', adapter_version: '4.5' } }],
  );
  const instance_id = instances[0]?.id;
  const send = async (body: Json) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await raw(url, '/v1/feedback', { method: 'POST', headers, body: JSON.stringify(body) });
    return answer.json;
  };
  const refused = {
    error: { kind: 'invalid-feedback', message: expect.stringContaining('is of type "maya", not "nuke"') },
  };
  expect(await send({ ...finding, dcc_type: 'nuke', evidence: { instance_id } })).toMatchObject(refused);
  expect(await send({ ...legacy, dcc_type: 'nuke', instance_id })).toMatchObject(refused);
  expect(await send({ ...finding, dcc_type: 'Maya', evidence: { instance_id } })).toMatchObject({ ok: true });
  expect(await send({ ...legacy, instance_id })).toMatchObject({ ok: true });
  const { json } = await raw(url, '/v1/debug/feedback');
  expect((json.entries as Json[])[0]).toMatchObject({
    ...{ dcc_type: 'maya', adapter_version: '4.5', host_version: '2026.3', evidence: { instance_id } },
  });
});

test('what cannot be stored is not accepted, and told to nobody', async () => {
  const { app, post, registry_dir } = await feedbackGateway();
  await writeFile(join(registry_dir, 'feedback'), 'in the way');
  const { status, json } = await post(finding);
  expect([status, json]).toEqual([
    500,
    {
      ok: false,
      success: false,
      error: { kind: 'feedback-write-failed', message: expect.stringContaining('cannot be stored') },
    },
  ]);
  expect(app.gatewayEvents.list()).toEqual([]);
});

test('the administration can be elsewhere, or off; the debug mirror stays', async () => {
  const moved = await feedbackGateway({ admin_path: '/ops/' });
  expect((await moved.list()).status).toBe(404);
  expect((await fetch(`${moved.url}/ops/api/feedback`)).status).toBe(200);
  const off = await feedbackGateway({ admin_enabled: false });
  expect((await off.list()).status).toBe(404);
  expect((await fetch(`${off.url}/v1/debug/feedback`)).status).toBe(200);
});
