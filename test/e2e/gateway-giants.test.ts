/** Instances that answer without end, before a gateway that is a process of its own: its memory and the others' calls. */
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, tempDir, waitFor } from '../helper.ts';
import { startInstance } from '../plugins/gateway/rig.ts';
import { connect } from '../spec/wire.ts';
import { listening, runProgram } from './program.ts';

const MiB = 1024 * 1024;
const ready = JSON.stringify({ ok: true, process: true, dcc: true, skill_catalog: true, dispatcher: true });

type Send = (id: number, response: ServerResponse) => void;

/** Writes until `total` bytes are out or nobody reads any more. */
function pour(response: ServerResponse, total: number, pauseMs = 0): void {
  const chunk = Buffer.alloc(pauseMs > 0 ? 64 * 1024 : MiB, 'x');
  let sent = 0;
  const pump = (): void => {
    while (!response.destroyed && sent < total) {
      sent += chunk.length;
      const room = response.write(chunk);
      if (pauseMs > 0) return void setTimeout(pump, pauseMs);
      if (!room) return void response.once('drain', pump);
    }
    response.end();
  };
  pump();
}

const json = { 'content-type': 'application/json' };
const bomb = gzipSync(Buffer.alloc(512 * MiB, 'x'));

const kinds: Record<string, Send> = {
  fast: (id, response) => {
    response.writeHead(200, json).write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":["`);
    pour(response, 1024 * MiB);
  },
  slow: (id, response) => {
    response.writeHead(200, json).write(`{"jsonrpc":"2.0","id":${id},"result":{"tools":["`);
    pour(response, 1024 * MiB, 5);
  },
  one_event: (_id, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: ');
    pour(response, 1024 * MiB);
  },
  bomb: (_id, response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
};

/** An instance that shakes hands like any other and answers tools/list with `send`. */
async function giant(send: Send): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', chunk => {
      text += chunk;
    });
    request.on('end', () => {
      if (request.method !== 'POST')
        return void (request.url === '/mcp' ? response.writeHead(405) : response).end(ready);
      const { id, method } = JSON.parse(text || '{}') as { id?: number; method?: string };
      if (id === undefined) return void response.writeHead(202).end();
      if (method === 'tools/list') return send(id, response);
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'giant', version: '1' } };
      response.writeHead(200, { ...json, 'mcp-session-id': 's' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Answers everything with a header that never ends. */
async function endlessHeader(): Promise<string> {
  const server = createTcpServer(socket => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\nX-Long: ');
    const chunk = 'x'.repeat(64 * 1024);
    const pump = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', pump);
    pump();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

test('instances that answer without end cost a bounded amount of memory and nobody else a call; each is named', async () => {
  const registry = await tempDir('svc-registry-');
  const good = await startInstance(registry, {
    dcc_type: 'maya',
    tools: [{ definition: { name: 'who', description: 'Says who.' }, handler: () => 'the good one' }],
  });
  const port = await freePort();
  const run = runProgram([
    ...['gateway', '--json', '--port', String(port), '--remote-port', '0', '--registry-dir', registry],
    ...['--gateway-persist'],
  ]);
  const { pid } = await listening(run);
  const url = `http://127.0.0.1:${port}`;
  const client = await connect(`${url}/mcp`);
  const slug = `maya.${good.id8}.who`;
  const call = () => client.request('tools/call', { name: 'call', arguments: { tool_slug: slug, arguments: {} } });
  await waitFor(async () => JSON.stringify(await call()).includes('the good one'), 'the good instance', 15_000);
  const rss = async (): Promise<number> =>
    (Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / MiB;
  const atRest = await rss();

  const ids: Record<string, string> = {};
  const addresses = await Promise.all(
    Object.entries(kinds).map(async ([kind, send]) => [kind, await giant(send)] as const),
  );
  for (const [kind, mcp_url] of [...addresses, ['header', await endlessHeader()] as const]) {
    const instance_id = `12345678-0000-4000-8000-00000000000${Object.keys(ids).length}`;
    ids[kind] = instance_id;
    const answer = await fetch(`${url}/v1/instances/register`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ instance_id, dcc_type: kind, mcp_url, ttl_secs: 600 }),
    });
    expect(answer.status).toBe(200);
  }
  let most = 0;
  let longest = 0;
  const until = Date.now() + 12_000;
  while (Date.now() < until) {
    const begun = performance.now();
    expect(JSON.stringify(await call())).toContain('the good one');
    longest = Math.max(longest, performance.now() - begun);
    most = Math.max(most, await rss());
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  // Several answers of the greatest size at once, and what the collector has not looked at yet.
  expect(most - atRest).toBeLessThan(700);
  expect(longest).toBeLessThan(5000);
  const found = await client.result('resources/read', { uri: 'gateway://diagnostics/process' });
  const [{ text = '' } = {}] = found.contents as { text?: string }[];
  const { problems } = JSON.parse(text) as { problems: { file: string; reason: string }[] };
  for (const kind of ['fast', 'one_event', 'bomb']) {
    const [problem] = problems.filter(each => each.file === ids[kind]);
    expect(problem?.reason).toContain('its tools cannot be listed');
    expect(run.stderr()).toContain(String(ids[kind]));
  }
}, 60_000);
