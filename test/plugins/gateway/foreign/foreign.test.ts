/** Servers of another make, registered over HTTP: they stay for as long as they live, whatever they forget. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayEventsPlugin } from '../../../../plugins/gateway/events/index.ts';
import { gatewayRestPlugin } from '../../../../plugins/gateway/rest/index.ts';
import { discoveryHttpPlugin } from '../../../../plugins/instances/sources/http/index.ts';
import { waitFor } from '../../../helper.ts';
import { raw } from '../../rest/support.ts';
import { startGateway } from '../rig.ts';
import type { Json } from '../support.ts';

async function startForeign(port = 0): Promise<{ child: ChildProcess; port: number; kinds: string[] }> {
  const child = fork(fileURLToPath(new URL('./server-process.ts', import.meta.url)), [String(port)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [told] = (await once(child, 'message')) as [{ port: number; kinds: string[] }];
  return { child, ...told };
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('the official SDK’s servers are searched, described and called, also after they lost their sessions', async () => {
  const { child, port, kinds } = await startForeign();
  const { app, url } = await startGateway([gatewayRestPlugin, discoveryHttpPlugin, gatewayEventsPlugin]);
  const post = async (path: string, body: Json): Promise<Json> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    return (await raw(url, `/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json;
  };
  const idOf = (kind: string): string => `${kinds.indexOf(kind)}aaaaaaa-0000-4000-8000-000000000000`;
  const register = (kind: string, more: Json = {}) =>
    post('instances/register', {
      ...{ instance_id: idOf(kind), dcc_type: kind, mcp_url: `http://127.0.0.1:${port}/${kind}/mcp`, ...more },
    });
  for (const kind of kinds) expect(await register(kind, { ttl_secs: 60 })).toMatchObject({ ok: true });
  const states = () => app.instances.list().map(({ dcc_type, status, probe }) => [dcc_type, status, !!probe.probed_at]);
  const allThere = [...kinds].sort().map(kind => [kind, 'available', true]);
  await waitFor(() => JSON.stringify(states()) === JSON.stringify(allThere), 'their probes');
  await waitFor(() => app.capabilities.size === kinds.length, 'their tools');

  const call = async (kind: string): Promise<unknown> => {
    const answer = await post('call', { tool_slug: `${kind}.${idOf(kind).slice(0, 8)}.greet_${kind}` });
    return (answer.content as Json[] | undefined)?.[0]?.text ?? answer;
  };
  for (const kind of kinds) {
    const { hits } = (await post('search', { query: `greet_${kind}` })) as { hits: Json[] };
    const tool_slug = hits[0]?.tool_slug;
    expect(await post('describe', { tool_slug }), kind).toMatchObject({ tool: { name: `greet_${kind}` } });
    expect(await call(kind)).toBe(`${kind} ${child.pid}`);
  }

  await ended(child);
  expect(await call('404')).toMatchObject({ error: { kind: 'instance-offline', previous_status: 'unreachable' } });
  const { child: again } = await startForeign(port);
  for (const kind of kinds) expect(await register(kind, { ttl_secs: 60 })).toMatchObject({ ok: true });
  await waitFor(() => JSON.stringify(states()) === JSON.stringify(allThere), 'their probes');
  const answers = await Promise.all(kinds.map(call));
  expect(answers).toEqual(kinds.map(kind => `${kind} ${again.pid}`));

  // One ends with its time to live, and the removal says so.
  expect(await register('404', { ttl_secs: 1 })).toMatchObject({ ok: true });
  await ended(again);
  await waitFor(() => app.instances.get(idOf('404')) === undefined, 'its end');
  expect(app.gatewayEvents.list().at(-1)).toMatchObject({
    event: 'auto_deregister',
    reason: expect.stringMatching(/time to live of 1 s/),
  });
  expect(await call('404')).toMatchObject({ error: { message: expect.stringContaining('time to live of 1 s') } });
  expect(app.instances.list()).toHaveLength(kinds.length - 1);
});
