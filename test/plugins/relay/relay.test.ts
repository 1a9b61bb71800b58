/** What passes a tunnel: calls, bodies, streams, and nobody held up by somebody else. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  issueTunnelToken,
  type OpenRelay,
  type OpenTunnel,
  type TunnelAbout,
  type TunnelState,
} from '../../../plugins/index.ts';
import { freePort, tempDir, waitFor } from '../../helper.ts';
import { startInstance } from '../gateway/rig.ts';
import { type Answer, bodyOf, serving, startRelay, startTunnel } from './support.ts';

let relay: OpenRelay;
let tunnel: OpenTunnel;
let target: Awaited<ReturnType<typeof serving>>;
let folder: string;
let keyFile: string;
let token: string;
const closed: string[] = [];

const answers: Record<string, Answer> = {
  '/echo': async (request, response) => {
    const body = await bodyOf(request);
    response.setHeader('x-method', String(request.method));
    response.end(JSON.stringify({ length: body.length, url: request.url, headers: request.headers }));
  },
  '/bytes': (request, response) =>
    void bodyOf(request).then(
      body => response.end(body),
      () => closed.push('bytes'),
    ),
  '/events': (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    let count = 0;
    const timer = setInterval(() => response.write(`data: ${count++}\n\n`), 30);
    response.on('close', () => {
      clearInterval(timer);
      closed.push('events');
    });
  },
  // More than all windows on the way hold.
  '/flood': (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const more = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    response.on('close', () => closed.push('flood'));
    more();
  },
  '/silence': (_request, response) => void response.on('close', () => closed.push('silence')),
  '/break': (_request, response) => {
    response.writeHead(200, { 'Content-Length': '100' });
    response.write('some');
    setTimeout(() => response.destroy(), 20);
  },
};

beforeAll(async () => {
  target = await serving((request, response) => {
    const path = new URL(request.url ?? '', 'http://x').pathname;
    const answer = answers[path];
    if (answer) answer(request, response);
    else response.writeHead(404).end('nothing here');
  });
  folder = await mkdtemp(join(tmpdir(), 'svc-relay-'));
  keyFile = join(folder, 'relay.key');
  token = await issueTunnelToken({ keyFile, subject: 'studio', allowed: ['Maya'], days: 1, issuer: null });
  relay = await startRelay({ relay_key_file: keyFile, max_request_body_bytes: 1_000_000 });
  tunnel = await startTunnel({
    ...{ tunnel_relay: relay.origin, tunnel_token: token, tunnel_target: target.origin },
    ...{ dcc_type: 'maya', adapter_version: '1.5' },
  });
});

afterAll(async () => {
  await tunnel.close();
  await relay.close();
  target.close();
  await rm(folder, { recursive: true });
});

/** Answers whose body is left to the test. */
const reading = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(`${tunnel.public_url}${path}`, resolve).on('error', reject));

test('a tunnel is listed with what it says of itself [spec:shape:discovery]', async () => {
  const answer = await fetch(`${relay.origin}/tunnels`);
  expect(await answer.json()).toEqual({
    tunnels: [
      {
        tunnel_id: tunnel.tunnel_id,
        public_url: `${relay.origin}/tunnel/${tunnel.tunnel_id}`,
        dcc: 'maya',
        adapter_version: '1.5',
        agent_version: expect.any(String),
        capabilities: ['mcp', 'rest'],
        instance_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        scene: null,
        connected_at: expect.any(Number),
      },
    ],
  });
});

test('a request arrives as it was sent, but for what speaks of one connection', async () => {
  const sent = { method: 'PUT', headers: { 'x-own': 'a, b', 'mcp-session-id': 's1' }, body: 'four' };
  const answer = await fetch(`${tunnel.public_url}/echo?a=%20b&c`, sent);
  expect([answer.status, answer.headers.get('x-method')]).toEqual([200, 'PUT']);
  const { headers, ...said } = (await answer.json()) as { headers: Record<string, string> };
  expect(said).toEqual({ length: 4, url: '/echo?a=%20b&c' });
  expect(headers).toMatchObject({ 'x-own': 'a, b', 'mcp-session-id': 's1', host: 'localhost' });
  expect((await fetch(`${tunnel.public_url}/elsewhere`)).status).toBe(404);
});

test('bodies of every size pass whole, with and without a length; one over the limit is 413', async () => {
  for (const size of [0, 1, 70_000, 900_000]) {
    const bytes = randomBytes(size);
    const answer = await fetch(`${tunnel.public_url}/bytes`, { method: 'POST', body: bytes });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes), `${size}`).toBe(true);
    const body = new Blob([bytes]).stream();
    const streamed = await fetch(`${tunnel.public_url}/bytes`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(Buffer.from(await streamed.arrayBuffer()).equals(bytes), `${size} streamed`).toBe(true);
  }
  const large = new Blob([Buffer.alloc(1_000_001)]);
  for (const body of [large, large.stream()]) {
    const refused = await fetch(`${tunnel.public_url}/bytes`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect([refused.status, await refused.json()]).toMatchObject([413, { kind: 'bad-request' }]);
  }
});

test('events pass as they come, and the server hears that their reader has gone', async () => {
  const events = await reading('/events');
  expect(events.headers['content-type']).toBe('text/event-stream');
  const times: number[] = [];
  for await (const _ of events) if (times.push(Date.now()) === 4) break;
  // Four events, 30 ms from one to the next: had they been kept, they would have come at once.
  expect((times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(50);
  await waitFor(() => closed.includes('events'), 'the end of the stream');
  get(`${tunnel.public_url}/silence`)
    .on('error', () => undefined)
    .setTimeout(50, function (this: { destroy(): void }) {
      this.destroy();
    });
  await waitFor(() => closed.includes('silence'), 'the end of the request');
});

test('who does not read holds up nobody else, and no more is kept for them than the windows hold', async () => {
  const before = process.memoryUsage().arrayBuffers;
  const stalled = await Promise.all(Array.from({ length: 8 }, () => reading('/flood')));
  for (const each of stalled) each.pause();
  await pause(300);
  const answer = await fetch(`${tunnel.public_url}/echo`, { signal: AbortSignal.timeout(2000) });
  expect(answer.status).toBe(200);
  // Of target, tunnel, relay and reader, which share this process: a few MB for each stream.
  expect((process.memoryUsage().arrayBuffers - before) / 2 ** 20).toBeLessThan(64);
  for (const each of stalled) each.destroy();
  await waitFor(() => closed.filter(each => each === 'flood').length === 8, 'the end of all floods');
});

test('an answer that breaks off breaks off; a tunnel that is not there is 404', async () => {
  const broken = await fetch(`${tunnel.public_url}/break`);
  await expect(broken.text()).rejects.toThrow();
  for (const id of ['nobody', '..', '%2e%2e', 'a'.repeat(3000)]) {
    const answer = await fetch(`${relay.origin}/tunnel/${id}/mcp`, { method: 'POST', body: '{}' });
    expect(answer.status, id.slice(0, 10)).toBe(404);
  }
});

test('an MCP client works through a tunnel; a server that ends is 502, and one that comes back is reached again', async () => {
  const far = await startInstance(await tempDir(), {
    dcc_type: 'maya',
    tools: [{ definition: { name: 'where', description: 'Says where.' }, handler: () => 'far away' }],
  });
  const own = await startTunnel({
    ...{ tunnel_relay: relay.origin, tunnel_token: token, dcc_type: 'maya' },
    tunnel_target: new URL(far.service.mcpUrl()).origin,
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${own.public_url}/mcp`)));
  expect(JSON.stringify(await client.callTool({ name: 'where', arguments: {} }))).toContain('far away');
  await client.close();
  await far.server.close();
  const gone = await fetch(`${own.public_url}/v1/healthz`);
  expect([gone.status, await gone.json()]).toMatchObject([502, { kind: 'backend-error' }]);
  await own.close();
  await waitFor(async () => (await fetch(`${own.public_url}/v1/healthz`)).status === 404, 'the end of the tunnel');
});

test('a server that is restarted is another instance, and its tunnel connects anew as that; of two tunnels one gives way', async () => {
  const registry_dir = await tempDir();
  const options = { port: await freePort() };
  const listed = async (): Promise<unknown[]> => {
    const { tunnels } = (await (await fetch(`${relay.origin}/tunnels`)).json()) as { tunnels: TunnelAbout[] };
    return tunnels.map(each => each.instance_id);
  };
  const first = await startInstance(registry_dir, { dcc_type: 'maya', options });
  const settings = {
    ...{ tunnel_relay: relay.origin, tunnel_token: token, registry_dir },
    tunnel_target: new URL(first.service.mcpUrl()).origin,
  };
  const states: TunnelState[] = [];
  const own = await startTunnel(settings, state => states.push(state));
  expect(await listed()).toContain(first.id);
  await first.server.close();
  const second = await startInstance(registry_dir, { dcc_type: 'maya', options });
  await waitFor(async () => (await listed()).includes(second.id), 'the new instance', 10_000);
  expect(await listed()).not.toContain(first.id);
  expect(states.map(each => each.state)).toEqual(['connecting', 'connected', 'unavailable', 'connected']);

  // Started twice by mistake: they do not take turns, at which every call would be lost.
  const twin = await startTunnel(settings);
  await waitFor(() => states.length === 5, 'the end of the first');
  await pause(1000);
  expect(states.slice(4)).toMatchObject([{ state: 'unavailable', reason: expect.stringContaining('too many') }]);
  await twin.close();
  await own.close();
});

test('a tunnel that loses its relay is soon there again under the same name, however often', async () => {
  const key = { relay_key_file: keyFile };
  let current = await startRelay(key);
  const { port } = current;
  const own = await startTunnel({
    ...{ tunnel_relay: current.origin, tunnel_token: token, dcc_type: 'maya', tunnel_target: target.origin },
  });
  // Without what it proves, the seventh would wait for 3 to 6 s.
  for (let loss = 0; loss < 7; loss += 1) {
    await current.close();
    current = await startRelay({ ...key, port });
    const began = performance.now();
    const { origin } = current;
    const back = async () => {
      const { tunnels } = (await (await fetch(`${origin}/tunnels`)).json()) as { tunnels: { tunnel_id: string }[] };
      return tunnels[0];
    };
    const found = await waitFor(back, 'the tunnel', 10_000);
    expect(performance.now() - began).toBeLessThan(2500);
    expect(found.tunnel_id).toBe(own.tunnel_id);
    expect((await fetch(`${own.public_url}/echo`)).status).toBe(200);
    // Longer than it waited: it has proved to be there.
    await pause(1200);
  }
  await own.close();
  await current.close();
});

test('a scene that is opened while the tunnel is connected is shown by its relay', async () => {
  const registry_dir = await tempDir();
  const far = await startInstance(registry_dir, { dcc_type: 'maya', options: { scene: 'one.ma' } });
  const own = await startTunnel({
    ...{ tunnel_relay: relay.origin, tunnel_token: token, registry_dir },
    tunnel_target: new URL(far.service.mcpUrl()).origin,
  });
  const shown = async (): Promise<TunnelAbout | undefined> => {
    const { tunnels } = (await (await fetch(`${relay.origin}/tunnels`)).json()) as { tunnels: TunnelAbout[] };
    return tunnels.find(each => each.tunnel_id === own.tunnel_id);
  };
  const before = await shown();
  expect(before?.scene).toBe('one.ma');
  await far.server.update({ scene: 'two.ma' });
  const after = await waitFor(async () => ((await shown())?.scene === 'two.ma' ? shown() : undefined), 'the scene');
  expect(after).toEqual({ ...before, scene: 'two.ma' });
  await own.close();
});

test('a relay that is not there yet is waited for', async () => {
  const silent = await startRelay({ relay_key_file: keyFile });
  const { port, origin } = silent;
  await silent.close();
  const opening = startTunnel({
    tunnel_relay: origin,
    tunnel_token: token,
    dcc_type: 'maya',
    tunnel_target: target.origin,
  });
  await new Promise(resolve => connect(port, '127.0.0.1').on('error', resolve));
  const late = await startRelay({ relay_key_file: keyFile, port });
  const own = await opening;
  expect((await fetch(`${own.public_url}/echo`)).status).toBe(200);
  await own.close();
  await late.close();
});
