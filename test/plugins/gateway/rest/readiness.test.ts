import { expect } from 'vitest';
import { verifies } from '../../../spec/verifies.ts';
import { gatewayOver, type Json, raw, toolsOfHost } from '../support.ts';

verifies(
  ['gateway-rest:readyz'],
  '/v1/readyz is 200, whatever the instances are, and counts them [spec:shape:health]',
  async () => {
    const empty = await gatewayOver([]);
    const alone = await raw(empty.url, '/v1/readyz');
    expect([alone.status, alone.json]).toMatchObject([
      200,
      { ok: true, checks: [{ name: 'gateway', ok: true }], live_instance_count: 0, instances: [] },
    ]);
    const { url, hosts, app } = await gatewayOver([{ setup: toolsOfHost }, { dcc_type: 'blender' }]);
    const { json } = await raw(url, '/v1/readyz');
    expect(json).toMatchObject({
      live_instance_count: 2,
      ready_instance_count: 2,
      not_ready_instance_count: 0,
      dispatch_reported_instance_count: expect.any(Number),
      gateway_recovery_driver_counts: expect.any(Object),
      registration_refresh_mode_counts: { file_registry_heartbeat: 2 },
      gateway_daemon_guardian_instance_count: 0,
      gateway_daemon_guardian_ready: false,
      gateway_lifecycle: { persist: expect.any(Boolean) },
    });
    const row = (json.instances as Json[]).find(each => each.instance_id === hosts[0]?.id);
    expect(row).toMatchObject({
      instance_short: hosts[0]?.short,
      display_id: `maya@2026-${hosts[0]?.short}`,
      dcc_type: 'maya',
      status: 'available',
      mcp_url: `${hosts[0]?.url}/mcp`,
      dispatch: expect.any(Object),
      gateway: expect.any(Object),
      lifecycle: expect.any(Object),
    });
    app.instances.report(String(hosts[0]?.id), { kind: 'booting', message: 'for the test' });
    expect((await raw(url, '/v1/readyz')).json).toMatchObject({ live_instance_count: 1 });
  },
);
