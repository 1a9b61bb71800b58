/** Sessions of every revision and sessionless requests at once, all with the same ids: nobody gets what is another's. */
import { expect, test } from 'vitest';
import { waitFor } from '../../helper.ts';
import { sessionless, sessionRevisions } from './refusal-table.ts';
import { headersOf, modern } from './sessionless-wire.ts';
import { call, type Json, mcpServer, request, stream } from './wire.ts';

const clientsEach = 8;
const rounds = 12;

type Server = Awaited<ReturnType<typeof mcpServer>>;

/** Says who is asked by whom, after a few turns of the loop and a message on the request's own stream. */
function addMark({ app }: Server): void {
  app.kernel.rpc.method('test/mark', async ({ mark, emit }, context) => {
    await new Promise(resolve => setTimeout(resolve, Math.random() * 5));
    if (emit === true) context.notify('notifications/progress', { progressToken: mark, progress: 1 });
    await new Promise(resolve => setTimeout(resolve, Math.random() * 5));
    const { protocolVersion, era, session, clientInfo, requestId } = context;
    return { mark, protocolVersion, era, session: session?.id ?? null, client: clientInfo.name, requestId };
  });
}

interface Client {
  name: string;
  revision: string;
  session: Record<string, string>;
  /** A call of `test/mark` in the form of its revision. */
  marked(id: unknown, mark: string, emit: boolean): { message: Json; headers: Record<string, string> };
}

async function client({ open }: Server, revision: string, number: number): Promise<Client> {
  const name = `${revision} ${number}`;
  const clientInfo = { name, version: '1' };
  if (revision === sessionless) {
    const own = (mark: string) => ({ 'io.modelcontextprotocol/clientInfo': clientInfo, progressToken: mark });
    return {
      ...{ name, revision, session: {} },
      marked(id, mark, emit) {
        const message = modern(id, 'test/mark', { mark, emit }, own(mark));
        return { message, headers: headersOf(message) };
      },
    };
  }
  const { session } = await open(revision, { clientInfo });
  const marked: Client['marked'] = (id, mark, emit) => ({
    message: call(id, 'test/mark', { mark, emit }),
    headers: session,
  });
  return { name, revision, session, marked };
}

test('many clients of every revision, with the same ids at the same time, get their own answers in their own form', async () => {
  const server = await mcpServer();
  addMark(server);
  const { url } = server;
  const clients = await Promise.all(
    [...sessionRevisions, sessionless].flatMap(revision =>
      Array.from({ length: clientsEach }, (_, number) => client(server, revision, number)),
    ),
  );
  const one = async ({ name, revision, session, marked }: Client, round: number): Promise<void> => {
    const id = round % 2 === 0 ? round : String(round);
    const mark = `${name} ${round}`;
    const emit = round % 3 === 0;
    const { message, headers } = marked(id, mark, emit);
    const result = {
      ...{ mark, protocolVersion: revision, client: name, requestId: id },
      era: revision === sessionless ? 'sessionless' : 'session',
      session: session['mcp-session-id'] ?? null,
      ...(revision === sessionless && { resultType: 'complete' }),
    };
    if (!emit) {
      const { json } = await request(url, 'POST', JSON.stringify(message), headers);
      expect(json).toMatchObject({ id, result });
      expect('resultType' in (json.result as Json)).toBe(revision === sessionless);
      return;
    }
    const listener = await stream(url, headers, message);
    await listener.ended();
    const progress = { method: 'notifications/progress', params: { progressToken: mark, progress: 1 } };
    expect(listener.messages()).toMatchObject([progress, { id, result }]);
  };
  await Promise.all(
    clients.map(async each => {
      // Two at a time of each client, with different ids.
      for (let round = 0; round < rounds; round += 2) await Promise.all([one(each, round), one(each, round + 1)]);
    }),
  );
  expect(server.app.mcp.sessions.size).toBe(clientsEach * sessionRevisions.length);
});

test('what is told to one session, and what is told to all, reaches whom it is for while requests of the others run', async () => {
  const server = await mcpServer();
  addMark(server);
  const { app, url } = server;
  const clients = await Promise.all(
    sessionRevisions.flatMap(revision => Array.from({ length: 4 }, (_, number) => client(server, revision, number))),
  );
  const listening = await Promise.all(clients.map(({ session }) => stream(url, session)));
  const filter = modern('changes', 'subscriptions/listen', { notifications: { toolsListChanged: true } });
  app.mcp.capability('tools', { listChanged: true });
  const subscribed = await stream(url, headersOf(filter), filter);
  const asking = clients.map(async ({ marked, name }) => {
    for (let round = 0; round < 5; round += 1) {
      const { message, headers } = marked(round, name, true);
      const listener = await stream(url, headers, message);
      await listener.ended();
      expect(listener.messages()).toMatchObject([{ params: { progressToken: name } }, { result: { client: name } }]);
    }
  });
  for (let round = 0; round < 5; round += 1) {
    for (const { session, name } of clients)
      app.mcp.notify(session['mcp-session-id'] ?? '', 'notifications/x', { name });
    app.mcp.broadcast('notifications/tools/list_changed');
    await new Promise(resolve => setTimeout(resolve, 3));
  }
  await Promise.all(asking);
  for (const [index, { name }] of clients.entries()) {
    const heard = listening[index];
    await waitFor(() => heard?.messages().length === 10, `the messages of ${name}`);
    const told = heard
      ?.messages()
      .map(({ method, params }) => (method === 'notifications/x' ? (params as Json).name : method));
    expect(told).toEqual(Array.from({ length: 5 }, () => [name, 'notifications/tools/list_changed']).flat());
  }
  await waitFor(() => subscribed.messages().length >= 2, 'the subscription');
  const methods = new Set(subscribed.messages().map(({ method }) => method));
  expect([...methods].sort()).toEqual(['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed']);
});
