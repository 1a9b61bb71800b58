/** A handler lets its caller go and the caller comes back for the result: on the wire, and with the official clients. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Server } from '../../../plugins/index.ts';
import { askedClient, inSession } from '../../asked-client.ts';
import { tempDir } from '../../helper.ts';
import { modes, testServer } from '../../server.ts';
import { connect, post } from '../../spec/wire.ts';
import { gatewayOver } from '../gateway/support.ts';
import { skillMd, writeSkill } from '../skills/support.ts';

const code = `export default async (_args, ctx) => {
  ctx.closeStream(50);
  await new Promise(resolve => setTimeout(resolve, 300));
  return { result: 'late' };
};`;

const leaver = (made: Pick<Server, 'registerTool'>) =>
  made.registerTool({ name: 'let_go', description: 'Lets go.' }, async (_args, call) => {
    call.closeStream(50);
    await new Promise(resolve => setTimeout(resolve, 300));
    return { result: 'later' };
  });

async function server(mode: (typeof modes)[number] = 'ambient', options = {}) {
  const home = await tempDir();
  await writeSkill(join(home, 'skills'), 'leaver', {
    'SKILL.md': skillMd('leaver'),
    'tools.yaml': 'tools:\n  - { name: leave, description: Lets go. }\n',
    'tools/leave.js': code,
  });
  const made = testServer(mode, { skill_paths: [join(home, 'skills')], cache_dir: join(home, 'cache'), ...options });
  const url = (await made.start()).mcpUrl();
  await made.loadSkill('leaver');
  await leaver(made);
  const post = (message: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const open = async (protocolVersion: string) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 't', version: '1' } };
    const answer = await post({ id: 0, method: 'initialize', params });
    await answer.text();
    return { 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
  };
  const call = (name: string, session: Record<string, string>) =>
    post({ id: 1, method: 'tools/call', params: { name, arguments: {} } }, session);
  return { url, open, call };
}

test.each(modes)('%s: the stream ends with an id and a time to come back, and the result waits there', async mode => {
  const { url, open, call } = await server(mode);
  const session = await open('2025-11-25');
  for (const [tool, result] of [
    ['let_go', 'later'],
    ['leave', 'late'],
  ] as const) {
    const first = await (await call(tool, session)).text();
    const events = first.trim().split('\n\n');
    expect(events[0]).toMatch(/^id: \S+\ndata:/);
    expect(first).toMatch(/^retry: 50$/m);
    expect(first).not.toContain('result');
    const id = /id: (\S+)/.exec(events.at(-1) ?? '')?.[1] ?? '';
    const rest = await fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': id, ...session } });
    expect(await rest.text()).toContain(`"result":"${result}"`);
  }
});

test('nothing happens where a client could not come back', async () => {
  const { open, call } = await server();
  const older = await call('leave', await open('2025-06-18'));
  expect(older.headers.get('content-type')).toMatch(/json/);
  expect(await older.text()).toContain('late');
  const unkept = await server('ambient', { sse_replay_events: 0 });
  expect(await (await unkept.call('leave', await unkept.open('2025-11-25'))).text()).toContain('late');
});

test.each(inSession)('%s comes back by itself', async kind => {
  const client = await askedClient(kind, (await server()).url);
  expect((await client.call('leave')).structuredContent).toEqual({ result: 'late' });
});

test.each(inSession)('%s is let go by a tool behind the gateway, and comes back to the gateway', async kind => {
  const { url, hosts } = await gatewayOver([{ setup: leaver }]);
  const client = await askedClient(kind, `${url}/mcp`);
  const call = { tool_slug: `maya.${hosts[0]?.short}.let_go` };
  expect((await client.call('call', call)).structuredContent).toEqual({ result: 'later' });
});

test('the stream of a client of the gateway ends with an id and a time to come back, that of the gateway goes on', async () => {
  const { url, hosts } = await gatewayOver([{ setup: leaver }]);
  const wire = await connect(`${url}/mcp`, { protocolVersion: '2025-11-25' });
  const params = { name: 'call', arguments: { tool_slug: `maya.${hosts[0]?.short}.let_go` } };
  const headers = { 'mcp-session-id': wire.sessionId, accept: 'application/json, text/event-stream' };
  const first = (await post(`${url}/mcp`, { jsonrpc: '2.0', id: 7, method: 'tools/call', params }, headers)).text;
  expect(first).toMatch(/^retry: 50$/m);
  expect(first).not.toContain('result');
  const id = /id: (\S+)/.exec(first.trim().split('\n\n').at(-1) ?? '')?.[1] ?? '';
  const rest = await fetch(`${url}/mcp`, { headers: { ...headers, accept: 'text/event-stream', 'last-event-id': id } });
  expect(await rest.text()).toContain('"result":"later"');
});
