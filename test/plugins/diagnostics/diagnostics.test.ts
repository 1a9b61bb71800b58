import { describe, expect, test } from 'vitest';
import { freePort, tempDir } from '../../helper.ts';
import { callTool, modes, testServer } from '../../server.ts';

describe.each(modes)('diagnostics, spawn_mode %s', mode => {
  test('svc.server_status tells process, versions, memory, event loop and counts', async () => {
    const service = await testServer(mode).start();
    const { body } = await callTool(service, 'svc.server_status');
    expect(body.structuredContent).toMatchObject({
      pid: process.pid,
      versions: { svc: expect.any(String), node: process.versions.node },
      memory_mb: { rss: expect.any(Number) },
      event_loop: { delay_p99_ms: expect.any(Number), utilization: expect.any(Number) },
      tools: expect.any(Number),
    });
  });

  test('svc.exposed_skills tells what of the skills others may write', async () => {
    const service = await testServer(mode, { bundled_skills: false }).start();
    const { body } = await callTool(service, 'svc.exposed_skills');
    expect(body.structuredContent).toEqual({ count: 0, places: [] });
  });

  test('svc.recent_calls lists the newest calls, on request only the failed', async () => {
    const server = testServer(mode);
    await server.registerTool({ name: 'fine' }, () => 1);
    await server.registerTool({ name: 'sad' }, () => {
      throw new Error('rain');
    });
    const service = await server.start();
    await callTool(service, 'fine', { password: 'hush', n: 1 });
    await callTool(service, 'sad');
    const { calls } = (await callTool(service, 'svc.recent_calls')).body.structuredContent;
    expect(calls.map((each: { action: string }) => each.action)).toEqual(['fine', 'sad']);
    expect(JSON.stringify(calls)).not.toContain('hush');
    const failed = (await callTool(service, 'svc.recent_calls', { failed_only: true })).body.structuredContent;
    expect(failed).toMatchObject({ count: 1, calls: [{ action: 'sad' }] });
    expect(JSON.stringify(failed)).toContain('rain');
  });

  test('svc.gateway_failover tells how the server has its gateway', async () => {
    const off = await testServer(mode).start();
    expect((await callTool(off, 'svc.gateway_failover')).body.structuredContent).toMatchObject({
      enabled: false,
      is_gateway: false,
      reason: 'gateway_port_not_configured',
    });
    const bare = await testServer(mode, {}, { plugins: { guardian: false } }).start();
    expect((await callTool(bare, 'svc.gateway_failover')).body.structuredContent).toMatchObject({
      enabled: false,
      reason: 'failover_resolver_not_registered',
    });
    const options = { gateway_port: await freePort(), legacy_gateway_election: true, registry_dir: await tempDir() };
    const elected = await testServer(mode, options).start();
    expect((await callTool(elected, 'svc.gateway_failover')).body.structuredContent).toMatchObject({
      enabled: true,
      running: true,
      is_gateway: true,
      reason: 'active_gateway',
      gateway_port: options.gateway_port,
    });
  });

  test('svc.log_tail reads the newest lines from a level on', async () => {
    const server = testServer(mode, { log_level: 'error' });
    const service = await server.start();
    await fetch(new URL('/noise', service.mcpUrl()), { method: 'POST' });
    const { lines } = (await callTool(service, 'svc.log_tail', { lines: 1, level: 'error' })).body.structuredContent;
    expect(lines).toMatchObject([{ level: 'error', msg: 'a noise' }]);
  });
});
