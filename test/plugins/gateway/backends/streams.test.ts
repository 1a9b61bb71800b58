/** Event streams of instances: the standing one of the gateway's session, and those of jobs. */
import { expect, test } from 'vitest';
import { createServer } from '../../../../plugins/index.ts';
import { freePort, waitFor } from '../../../helper.ts';
import { addTools } from './instance-tools.ts';
import { addRow, instanceOptions, startGateway, startInstance } from './support.ts';

test('notifications arrive while somebody listens, from every instance', async () => {
  const gateway = await startGateway();
  const first = await startInstance(gateway, 'maya');
  const second = await startInstance(gateway, 'blender');
  const seen: string[] = [];
  const stop = gateway.app.kernel.bus.on('internal.backend.notified', ({ attributes: { instance_id, method } }) => {
    seen.push(`${instance_id} ${method}`);
  });
  const states: string[] = [];
  gateway.app.kernel.bus.on(
    'backend.*',
    ({ name, attributes }) => void states.push(`${attributes.instance_id} ${name}`),
  );
  const backends = [await gateway.backend(first.instance_id), await gateway.backend(second.instance_id)];
  await waitFor(() => states.length === 2, 'both sessions');
  let turn = 0;
  await waitFor(async () => {
    turn += 1;
    await first.server.registerTool({ name: `one_${turn}`, description: 'New.' }, () => ({}));
    await second.server.registerTool({ name: `two_${turn}`, description: 'New.' }, () => ({}));
    const method = 'notifications/tools/list_changed';
    return backends.every(each => seen.includes(`${each.instance_id} ${method}`));
  }, 'list_changed of both');
  await stop();
  expect(states.sort()).toEqual([first, second].map(each => `${each.instance_id} backend.connected`).sort());
});

test('an instance that restarts at the same address gets a new session, and its stream goes on', async () => {
  const gateway = await startGateway();
  const states: string[] = [];
  const seen: string[] = [];
  gateway.app.kernel.bus.on('backend.*', ({ name }) => void states.push(name));
  gateway.app.kernel.bus.on('internal.backend.notified', ({ attributes }) => void seen.push(attributes.method));
  // A row of its own, so that the directory knows nothing of the restart.
  const start = async (port: number) => {
    const server = createServer(
      { ...instanceOptions(gateway.registry_dir, 'maya'), port },
      { env: {}, plugins: { registration: false, guardian: false, advertise: false } },
    );
    await addTools(server);
    return { server, service: await server.start() };
  };
  const before = await start(await freePort());
  const instance_id = addRow(gateway, before.service.port, 'maya');
  const backend = await gateway.backend(instance_id);
  await expect(backend.request('ping', {})).resolves.toEqual({});
  await waitFor(() => states.includes('backend.connected'), 'the session');
  await before.server.close();
  const after = await start(before.service.port);
  try {
    await waitFor(() => states.includes('backend.reconnected'), 'the new session');
    await waitFor(() => backend.circuit === 'closed', 'the circuit');
    const result = await backend.callRaw('echo', '{"a":1}', undefined);
    expect(result).toContain('\\"a\\":1');
    let turn = 0;
    await waitFor(async () => {
      turn += 1;
      await after.server.registerTool({ name: `new_${turn}`, description: 'New.' }, () => ({}));
      return seen.includes('notifications/tools/list_changed');
    }, 'the stream');
  } finally {
    await after.server.close();
  }
});

test('a session that the instance has ended is opened anew for the same call', async () => {
  const gateway = await startGateway();
  const { instance_id } = await startInstance(gateway, 'maya', { session_ttl_secs: 1 });
  const backend = await gateway.backend(instance_id);
  const states: string[] = [];
  gateway.app.kernel.bus.on('backend.*', ({ name }) => void states.push(name));
  await backend.callRaw('echo', '{}', undefined);
  await new Promise(resolve => setTimeout(resolve, 1800));
  await backend.callRaw('echo', '{}', undefined);
  expect(states).toEqual(['backend.connected', 'backend.reconnected']);
});

test('the events of a job are read as it comes and closed by who reads it', async () => {
  const gateway = await startGateway();
  const { instance_id, server } = await startInstance(gateway);
  await server.registerTool({ name: 'work', description: 'Works.', execution: 'async' }, async () => {
    await new Promise(resolve => setTimeout(resolve, 50));
    return { done: true };
  });
  const backend = await gateway.backend(instance_id);
  const receipt = (await backend.request('tools/call', { name: 'work', arguments: {} })) as {
    structuredContent: { job_id: string };
  };
  const { job_id } = receipt.structuredContent;
  const kinds: string[] = [];
  for await (const { event, data } of await backend.jobEvents(job_id, new AbortController().signal)) {
    kinds.push(`${event} ${(JSON.parse(data) as { type: string }).type}`);
  }
  expect(kinds.at(-1)).toBe('job done');
  expect(await backend.cancelJob('none')).toBe(false);
  const missing = backend.jobEvents('none', new AbortController().signal);
  await expect(missing).rejects.toMatchObject({
    code: 'SVC_BACKENDS_BAD_ANSWER',
    details: { instance_id, reason: expect.stringContaining('status 404') },
  });
});
