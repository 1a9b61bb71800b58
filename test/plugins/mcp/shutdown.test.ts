/** Requests that meet a shutdown: they are told so as JSON-RPC, on whatever way they come, until the last connection is gone. */
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { healthPlugin } from '../../../plugins/health/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { waitFor } from '../../helper.ts';
import { call, initialize, mcpServer } from './wire.ts';

interface Sent {
  status: number;
  retry: string | undefined;
  text: string;
}

/** Clients whose connections are open already, since a closing server takes no new one. */
async function connected(url: string, count: number) {
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  onTestFinished(() => {
    for (const agent of agents) agent.destroy();
  });
  const send = (agent: Agent, method: string, path: string, headers: Record<string, string>, body?: string) => {
    let begun: () => void = () => undefined;
    const outgoing = httpRequest(new URL(path, url), { method, agent, headers });
    const answer = new Promise<Sent>((resolve, reject) => {
      outgoing.on('error', reject).on('response', incoming => {
        let text = '';
        incoming
          .setEncoding('utf8')
          .on('data', piece => {
            text += piece;
          })
          .on('end', () => resolve({ status: incoming.statusCode ?? 0, retry: incoming.headers['retry-after'], text }));
      });
    });
    // All but the last byte: the server counts the connection as busy and lets it be.
    if (body === undefined) begun = () => outgoing.end();
    else {
      outgoing.write(body.slice(0, -1));
      begun = () => outgoing.end(body.slice(-1));
    }
    return { answer, finish: begun };
  };
  return { agents, send };
}

/** Counts the requests whose head the server has read from now on. */
function requestsOf({ server }: FastifyInstance): () => number {
  let count = 0;
  server.on('request', () => {
    count += 1;
  });
  return () => count;
}

const json = (session: string) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-session-id': session,
});

test.each([false, true])(
  'with enable_cors %s every request gets SVC_MCP_SHUTTING_DOWN with its id',
  async enable_cors => {
    const options = { shutdown_grace_ms: 1000, enable_cors };
    const { app, url, base, post, open, gates, release } = await mcpServer(options, [healthPlugin, mcpPlugin]);
    const { session } = await open();
    const id = session['mcp-session-id'];
    const { agents, send } = await connected(base, 4);
    const seen = requestsOf(app);
    const [one, two, three, four] = agents as [Agent, Agent, Agent, Agent];
    const running = post(call('running', 'test/wait', { name: 'a', quiet: true }), session);
    await waitFor(() => gates.a, 'the call');
    const bodies = [
      send(one, 'POST', url, json(id), JSON.stringify(call('late', 'ping'))),
      send(two, 'POST', `${url}?key=1`, json(id), JSON.stringify(call(7, 'ping'))),
      send(three, 'POST', url, json(id), JSON.stringify(initialize('2025-11-25'))),
      send(four, 'POST', url, json(id), '{"jsonrpc":"2.0","id":9,"method":"ping","params":{"__proto__":1}}'),
    ];
    await waitFor(() => seen() === 5, 'the heads of all requests');
    const closed = app.close();
    await new Promise(resolve => setTimeout(resolve, 50));
    for (const each of bodies) each.finish();
    const answers = await Promise.all(bodies.map(each => each.answer));
    for (const [index, expected] of ['late', 7, 0, 9].entries()) {
      const { status, retry, text } = answers[index] as Sent;
      expect([status, Number(retry) > 0]).toEqual([503, true]);
      expect(JSON.parse(text)).toMatchObject({
        jsonrpc: '2.0',
        id: expected,
        error: { code: -32603, data: { code: 'SVC_MCP_SHUTTING_DOWN' } },
      });
    }
    await release('a');
    expect((await running).json).toMatchObject({ id: 'running', result: { waited: 'a' } });
    await closed;
  },
);

test('what comes behind a call in flight on its connection is refused in the words of whom it asks', async () => {
  const { app, url, open, gates, release } = await mcpServer({ shutdown_grace_ms: 1000 }, [healthPlugin, mcpPlugin]);
  const { session } = await open();
  const { hostname, port, host } = new URL(url);
  const fields = { host, 'mcp-session-id': session['mcp-session-id'], accept: 'application/json, text/event-stream' };
  const common = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const behind = async (line: string) => {
    const body = JSON.stringify(call(line, 'test/wait', { name: line, quiet: true }));
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    const heard = { text: '', line, write: (more: string) => socket.write(more) };
    socket.setEncoding('utf8').on('data', (piece: string) => {
      heard.text += piece;
    });
    const kind = `content-type: application/json\r\ncontent-length: ${body.length}`;
    heard.write(`POST /mcp HTTP/1.1\r\n${common.join('')}${kind}\r\n\r\n${body}`);
    await waitFor(() => gates[line], `the call before ${line}`);
    return heard;
  };
  const all = await Promise.all(['GET /mcp', 'DELETE /mcp', 'GET /health', 'GET /nothing'].map(behind));
  const seen = requestsOf(app);
  const closed = app.close();
  await new Promise(resolve => setTimeout(resolve, 50));
  for (const { line, write } of all) write(`${line} HTTP/1.1\r\n${common.join('')}\r\n`);
  await waitFor(() => seen() === all.length, 'the requests behind');
  await Promise.all(all.map(({ line }) => release(line)));
  await closed;
  for (const heard of all) {
    const { line } = heard;
    await waitFor(() => heard.text.includes('again later'), `the answers to ${line}`);
    const [, first, second] = heard.text.split('HTTP/1.1 ');
    expect(first).toContain(`"waited":"${line}"`);
    expect(second?.slice(0, 3)).toBe('503');
    expect(second).toContain('shutting down: connect again later');
    expect(second).toContain(line.endsWith('/mcp') ? 'SVC_MCP_SHUTTING_DOWN' : 'SVC_SERVER_CLOSING');
  }
});
