/** The gateway's second listener when the gateway stops: what is under way on it ends well, and its port is free. */
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openGateway } from '../../../../plugins/index.ts';
import { testEnv } from '../../../environment.ts';
import { freePort, tempDir, testConfig, waitFor } from '../../../helper.ts';
import { connect, type Json, type Wire } from '../../../spec/wire.ts';
import { startInstance } from '../rig.ts';

async function rig(shutdown_grace_ms: number, listener: 'first' | 'second') {
  const registry = await tempDir('svc-registry-');
  let begun = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const maya = await startInstance(registry, {
    dcc_type: 'maya',
    tools: [
      {
        definition: { name: 'wait', description: 'Waits for the test.' },
        handler: async () => {
          begun += 1;
          await released;
          return { waited: true };
        },
      },
    ],
  });
  onTestFinished(() => release());
  const remotePort = await freePort();
  const config = testConfig({
    ...{ registry_dir: registry, gateway_port: 0, gateway_remote_port: remotePort, shutdown_grace_ms },
  });
  const gateway = await openGateway({ config, env: testEnv, standalone: true });
  onTestFinished(() => gateway.close());
  const port = listener === 'first' ? gateway.port : remotePort;
  const url = `http://127.0.0.1:${port}`;
  const tool_slug = `maya.${maya.id8}.wait`;
  await waitFor(async () => {
    const found = await fetch(`${url}/v1/describe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tool_slug }),
    });
    await found.text();
    return found.status === 200;
  }, 'the tool behind the second listener');
  const mcp = await connect(`${url}/mcp`);
  const proxied = await connect(`${url}/mcp/${maya.id}`);
  const rest = async (): Promise<Json> => {
    const answer = await fetch(`${url}/v1/call`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ tool_slug, arguments: {} }),
    });
    return (await answer.json()) as Json;
  };
  const by = {
    mcp: () => mcp.request('tools/call', { name: 'call', arguments: { tool_slug, arguments: {} } }),
    rest,
    proxy: () => proxied.request('tools/call', { name: 'wait', arguments: {} }),
  };
  /** One call by each way. */
  const calls = async (ways: readonly (keyof typeof by)[]): Promise<Promise<string>[]> => {
    const under = ways.map(way =>
      by[way]().then(JSON.stringify, (error: Error) => `broken: ${error.message} ${error.cause}`),
    );
    await waitFor(() => begun === ways.length, 'the calls');
    return under;
  };
  return { gateway, port, calls, release: () => release(), mcp, proxied };
}

/** Whether a stream has ended; the read of an ended stream is over. */
async function openStream(client: Wire) {
  const answer = await fetch(client.url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': client.sessionId },
  });
  const state = { ended: false };
  answer
    .text()
    .catch(() => undefined)
    .finally(() => {
      state.ended = true;
    });
  return state;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
  if (free) await new Promise(resolve => server.close(resolve));
  return free;
}

const ways = ['mcp', 'rest', 'proxy'] as const;
const places = (['first', 'second'] as const).flatMap(listener => ways.map(way => [way, listener] as const));

test.each(places)(
  'a call by %s on the %s listener is answered while the gateway stops; streams end, the port is free',
  async (way, listener) => {
    const { gateway, port, calls, release, mcp, proxied } = await rig(8000, listener);
    const streams = [await openStream(mcp), await openStream(proxied)];
    const under = await calls([way]);
    const closing = gateway.close();
    await waitFor(
      () =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          each => each.status === 503,
          () => true,
        ),
      'the refusal of what is new',
    );
    setTimeout(release, 1500);
    for (const each of await Promise.all(under)) expect(each).toContain('waited');
    await closing;
    await waitFor(() => streams.every(each => each.ended), 'the end of the streams');
    expect(await isFree(port)).toBe(true);
  },
  30_000,
);

test.each([['first'], ['second']] as const)(
  'calls on the %s listener that outlast the grace end with an error that says why; nobody waits for them',
  async listener => {
    const { gateway, port, calls, mcp, proxied } = await rig(400, listener);
    const streams = [await openStream(mcp), await openStream(proxied)];
    const under = await calls(ways);
    const began = Date.now();
    await gateway.close();
    expect(Date.now() - began).toBeLessThan(5000);
    const [first, second, third] = await Promise.all(under);
    expect(first).toContain('SVC_');
    expect(second).toContain('"kind"');
    expect(third).toMatch(/"kind"|SVC_/);
    await waitFor(() => streams.every(each => each.ended), 'the end of the streams');
    expect(await isFree(port)).toBe(true);
  },
  30_000,
);

test('a grace longer than the ten seconds that a plugin has for its start is kept', async () => {
  const { gateway, calls, release } = await rig(30_000, 'second');
  const under = await calls(['mcp', 'rest']);
  const closing = gateway.close();
  setTimeout(release, 11_000);
  for (const each of await Promise.all(under)) expect(each).toContain('waited');
  await closing;
}, 40_000);
