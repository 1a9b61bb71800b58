import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { challengeGateway } from '../../../../plugins/daemon/guardian/challenge.ts';

test.each([
  [200, '{"handoff":true}', true],
  [200, '{"handoff":false}', false],
  [200, '{"handoff":"true"}', false],
  [403, '{"handoff":true}', false],
  [200, 'no JSON', false],
])('a gateway that answers %i %s gives way: %s', async (status, body, gives) => {
  const server = createServer((_, response) => void response.writeHead(status).end(body));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const own = { adapter_version: null, dcc_type: null };
  const signal = new AbortController().signal;
  const { handoff, message } = await challengeGateway({ host: '127.0.0.1', port }, own, undefined, 2000, signal);
  expect([handoff, message !== '']).toEqual([gives, true]);
});
