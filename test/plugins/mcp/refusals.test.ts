import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, request as httpRequest, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { type Refusal, type Revision, refusals, sessionless, sessionRevisions } from './refusal-table.ts';
import { envelope, headersOf, modern } from './sessionless-wire.ts';
import { both, call, type Json, mcpServer, request, stream } from './wire.ts';

type Server = Awaited<ReturnType<typeof mcpServer>>;
type Headers = Record<string, string | undefined>;

const settings = { max_request_body_bytes: 65536, max_batch_size: 3, max_sessions: 2 };

interface Heard {
  status: number;
  headers: Record<string, unknown>;
  json: Json;
}

/** A request that hides nothing: any header, and `meanwhile` before its last byte. */
function exchange(url: string, method: string, headers: Headers, body?: Buffer, meanwhile?: () => Promise<unknown>) {
  const agent = new Agent();
  onTestFinished(() => agent.destroy());
  const given = Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined);
  return new Promise<Heard>((resolve, reject) => {
    const outgoing = httpRequest(url, { method, agent, headers: Object.fromEntries(given) }, incoming => {
      let text = '';
      incoming.setEncoding('utf8').on('data', piece => {
        text += piece;
      });
      const { statusCode = 0 } = incoming;
      incoming.on('end', () =>
        resolve({ status: statusCode, headers: incoming.headers, json: JSON.parse(text) as Json }),
      );
    });
    outgoing.on('error', reject);
    if (!meanwhile || !body) {
      outgoing.end(body);
      return;
    }
    outgoing.write(body.subarray(0, -1));
    meanwhile().then(() => outgoing.end(body.subarray(-1)), reject);
  });
}

/** What a row sends in a revision: the body, and the headers that go with it. */
function prepared({ send, headers = {}, method }: Refusal, revision: Revision, session: string | undefined) {
  const given = typeof send === 'function' ? send(revision) : send;
  const isMessage = typeof given === 'object' && !Array.isArray(given) && !Buffer.isBuffer(given);
  const message = isMessage && revision === sessionless ? enveloped(given) : given;
  const body = typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message);
  const all: Headers = {
    ...(method === undefined && { 'content-type': 'application/json' }),
    accept: method === 'GET' ? 'text/event-stream' : both,
    'mcp-session-id': session,
    // A client of the first revision knows no such header.
    ...(revision !== '2025-03-26' && { 'mcp-protocol-version': revision }),
    ...(revision === sessionless && isMessage && headersOf(message as Json)),
    ...headers,
  };
  return { headers: all, body: body === undefined ? undefined : Buffer.from(body as string) };
}

function enveloped(message: Json): Json {
  const params = message.params as Json;
  return { ...message, params: { ...params, _meta: params._meta ?? envelope() } };
}

/** Brings the server into the state that a row asks for; gives what is to happen before the last byte of the request. */
async function brought(server: Server, { when }: Refusal, session: Record<string, string>) {
  const { app, url, post, open, gates } = server;
  if (when === 'the session has ended') await request(url, 'DELETE', undefined, session);
  if (when === 'it runs already') {
    void post(call('busy', 'test/wait', { name: 'busy', quiet: true }), session);
    await waitFor(() => gates.busy, 'the call');
  }
  if (when === 'others listen') {
    for (const each of [await open(), await open()]) await stream(url, each.session);
    const message = (id: number) => modern(id, 'subscriptions/listen', { notifications: {} });
    for (const id of [1, 2]) await stream(url, headersOf(message(id)), message(id));
  }
  if (when !== 'the server closes') return undefined;
  return async () => {
    let seen = 0;
    app.server.on('request', () => {
      seen += 1;
    });
    await waitFor(() => seen === 1, 'the head of the request');
    void app.close();
    await new Promise(resolve => setTimeout(resolve, 50));
  };
}

const works = async ({ post }: Server, revision: Revision, session: Record<string, string>): Promise<number> => {
  const message = modern(99, 'test/echo');
  const asked = revision === sessionless ? post(message, headersOf(message)) : post(call(99, 'ping'), session);
  return (await asked).status;
};

test.each(refusals.map(row => [row.what, row] as const))('%s', async (_what, row) => {
  const revisions = row.in ?? [...sessionRevisions, sessionless];
  let server: Server | undefined;
  for (const revision of revisions) {
    if (!server || row.when !== undefined) server = await mcpServer(settings);
    const { app, url, open } = server;
    const session: Record<string, string> = revision === sessionless ? {} : (await open(revision)).session;
    const meanwhile = await brought(server, row, session);
    const before = app.mcp.sessions.size;
    const { headers, body } = prepared(row, revision, session['mcp-session-id']);
    const heard = await exchange(url, row.method ?? 'POST', headers, body, meanwhile);
    const id = row.id ?? (revision >= '2025-11-25' ? undefined : null);
    const error = {
      code: row.code,
      message: expect.stringContaining(row.says),
      data: expect.objectContaining({ code: row.name }),
    };
    expect({ revision, status: heard.status, ...heard.json }).toMatchObject({
      revision,
      status: row.status,
      jsonrpc: '2.0',
      error,
    });
    expect([revision, heard.json.id, 'id' in heard.json]).toEqual([revision, id, id !== undefined]);
    expect(heard.headers).toMatchObject({ 'content-type': expect.stringContaining('application/json'), ...row.tells });
    expect(heard.headers['mcp-session-id']).toBeUndefined();
    // Nobody is harmed: no session comes or goes, and the next request is served.
    if (row.when === 'the server closes') continue;
    expect(app.mcp.sessions.size).toBe(before);
    expect(await works(server, revision, session)).toBe(row.when === 'the session has ended' ? 404 : 200);
    // Closing waits for what runs.
    server.gates.busy?.();
  }
});

test('a cancellation reaches only requests of its own session, and none of them without one', async () => {
  const server = await mcpServer();
  const { url, post, open, gates, aborted, release } = server;
  const cancel = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 'mine', reason: 'not yours' },
  };
  for (const revision of sessionRevisions) {
    const [own, other] = [await open(revision), await open(revision)];
    const running = post(call('mine', 'test/wait', { name: revision, quiet: true }), own.session);
    await waitFor(() => gates[revision], 'the call');
    expect((await post(cancel, other.session)).status).toBe(202);
    const sent = { ...cancel, params: { ...cancel.params, _meta: envelope() } };
    expect((await post(sent, { ...headersOf(sent), ...own.session })).status).toBe(202);
    expect((await post(cancel)).status).toBe(400);
    await release(revision);
    expect((await running).json).toMatchObject({ id: 'mine', result: { waited: revision } });
  }
  expect(aborted).toEqual([]);
  const { session } = await open();
  const ended = stream(url, session, call('mine', 'test/wait', { name: 'own' }));
  await waitFor(() => gates.own, 'the call');
  expect((await post(cancel, session)).status).toBe(202);
  await (await ended).ended();
  expect(aborted).toEqual(['own']);
});

test('the table names every refusal of the endpoint: each of its errors, or where else it is tested', async () => {
  const { errorTable } = await import('../../../kernel/index.ts');
  const named = new Set(refusals.map(({ name }) => name));
  // Of CONNECT: guard/ownership.test.ts. Of a request that was begun: rounds.test.ts, askable.test.ts, methods.test.ts, listening.test.ts.
  const elsewhere = [
    'NO_CHANNEL',
    'BAD_ANSWER',
    'BAD_QUESTION',
    'STATE_UNKNOWN',
    'RESPONSES_INVALID',
    'UNASKABLE',
    'NO_STREAM',
    'CAPABILITY_MISSING',
    'CLIENT_ERROR',
    'FILTER_INVALID',
  ];
  const left = [...errorTable.keys()].filter(code => code.startsWith('SVC_MCP_') && !named.has(code));
  expect(left.map(code => code.slice('SVC_MCP_'.length)).sort()).toEqual(elsewhere.sort());
});

test('who listens in and breaks costs the answer that it broke, not the process and no other answer', async () => {
  const { url, post, open } = await mcpServer();
  const { session } = await open();
  const breakOnce = (message: unknown): void => {
    const { response } = message as { response: ServerResponse };
    response.end = () => {
      throw new Error('a listener broke');
    };
    unsubscribe('http.server.request.start', breakOnce);
  };
  subscribe('http.server.request.start', breakOnce);
  await expect(request(url, 'POST', Buffer.from(JSON.stringify(call(1, 'ping'))), session)).rejects.toThrow();
  expect((await post(call(2, 'ping'), session)).json).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});
