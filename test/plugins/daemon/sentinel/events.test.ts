import { expect, test } from 'vitest';
import { definePlugin } from '../../../../kernel/index.ts';
import { sentinelPlugin } from '../../../../plugins/daemon/sentinel/index.ts';
import { gatewayEventsPlugin } from '../../../../plugins/gateway/events/index.ts';
import { waitFor } from '../../../helper.ts';
import { gatewayRig } from '../../gateway/rig.ts';

test.each([
  [false, 'a server that won the election'],
  [true, 'a daemon'],
])(
  'who takes the port and who gives it away is told as an event (standalone %s) [spec:shape:gateway-events]',
  async (alone, role) => {
    const opener = definePlugin({ name: 'opener', dependencies: ['sentinel'] }, each => {
      each.sentinel.standalone = alone;
    });
    const { app, url } = await gatewayRig([gatewayEventsPlugin, sentinelPlugin, opener], []);
    const told = () => app.gatewayEvents.list().filter(each => each.dcc_type === '__gateway__');
    await waitFor(() => told().length > 0, 'the first event');
    expect(told()).toMatchObject([
      {
        event: 'election_won',
        instance_id: expect.stringMatching(/^[0-9a-f]{8}$/),
        reason: expect.stringContaining(`${role}, serves the gateway on 127.0.0.1:${new URL(url).port}`),
      },
    ]);
    const key = 'a-key-of-the-tests-of-the-gateway';
    app.guard.accept(key, { label: 'tests', scopes: ['admin'] });
    const challenge = (challenger_version: string) =>
      fetch(`${url}/gateway/yield`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ challenger_version }),
      });
    expect((await challenge('0.0.1')).status).toBe(409);
    expect(told()).toHaveLength(1);
    expect((await challenge('999.0.0')).status).toBe(200);
    expect(told()[1]).toMatchObject({ event: 'voluntary_yield', instance_id: told()[0]?.instance_id });
  },
);
