import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../plugins/audit/api.ts';
import { auditPlugin } from '../../../plugins/audit/index.ts';
import { testApp } from '../../helper.ts';

test('a call becomes an entry: timestamp_ms, actor, action, params_json, duration_ms, outcome [spec:shape:audit]', async () => {
  const app = await testApp([auditPlugin]);
  const { bus } = app.kernel;
  bus.emit<string>('tool.completed', {
    correlation: { session_id: 's1' },
    attributes: { tool_name: 'bake', duration_ms: 12, result_success: true, arguments: { frames: [1, 2] } },
  });
  bus.emit<string>('tool.failed', {
    attributes: { tool_name: 'bake', error_kind: 'handler_error', error_message: 'no light' },
  });
  bus.emit<string>('tool.failed', {
    attributes: { tool_name: 'rm', error_kind: 'event_vetoed', veto_reason: 'read only' },
  });
  bus.emit<string>('tool.completed', { attributes: { tool_name: 'check', result_success: false } });
  const entries = app.audit.recent();
  expect(entries[0]).toEqual({
    timestamp_ms: expect.any(Number),
    actor: 's1',
    action: 'bake',
    params_json: '{"frames":[1,2]}',
    duration_ms: 12,
    outcome: 'success',
  });
  expect(Math.abs((entries[0]?.timestamp_ms ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(entries.slice(1).map(each => each.outcome)).toEqual([
    { error: { message: 'no light' } },
    { denied: { reason: 'read only' } },
    { error: { message: 'the tool reported a failure' } },
  ]);
});

test('the ring keeps the last 500, oldest first; the tail defaults to 50', async () => {
  const app = await testApp([auditPlugin]);
  for (let n = 0; n < 620; n += 1)
    app.kernel.bus.emit<string>('tool.completed', { attributes: { tool_name: `t${n}` } });
  expect(app.audit.recent()).toHaveLength(50);
  const all = app.audit.recent(10_000);
  expect([all.length, all[0]?.action, all.at(-1)?.action]).toEqual([500, 't120', 't619']);
  expect(app.audit.recent(0)).toEqual([]);
  expect(app.audit.recent(Number.NaN)).toEqual([]);
});

test('secrets never reach the ring; long and deep arguments are shortened', async () => {
  const app = await testApp([auditPlugin]);
  const deep: Record<string, unknown> = {};
  deep.self = deep;
  const args = {
    api_key: 'k1',
    login: { Password: 'k2', user: 'ann' },
    list: [{ accessToken: 'k3' }],
    text: 'x'.repeat(10_000),
    many: Array.from({ length: 5000 }, (_, n) => n),
    deep,
    __proto__: { polluted: true },
  };
  app.kernel.bus.emit<string>('tool.completed', { attributes: { tool_name: 'a', arguments: args } });
  app.kernel.bus.emit<string>('tool.completed', {
    attributes: { tool_name: 'b', params_json: '{"token":"k4","n":1}' },
  });
  const [first, second] = app.audit.recent();
  expect(first?.params_json).not.toMatch(/k[123]/);
  expect(first?.params_json).toContain('"user":"ann"');
  expect(first?.params_json.length).toBeLessThan(4096);
  expect(second?.params_json).toBe('{"token":"[redacted]","n":1}');
});

test("the host's own records are events: the ring takes them, and so does whoever listens", async () => {
  const app = await testApp([auditPlugin]);
  const seen: AuditEntry[] = [];
  app.kernel.bus.on('audit.recorded', () => {
    throw new Error('bad listener');
  });
  const undo = app.kernel.bus.on('audit.recorded', ({ attributes }) => void seen.push(attributes));
  const append = (action: string) =>
    app.audit.append({ timestamp_ms: 1, action, params_json: '{"token":"k5"}', duration_ms: 0, outcome: 'success' });
  append('a');
  void undo();
  append('b');
  expect(seen).toMatchObject([{ action: 'a', params_json: '{"token":"[redacted]"}' }]);
  expect(app.audit.recent().map(each => each.action)).toEqual(['a', 'b']);
});
