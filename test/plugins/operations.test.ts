import { describe, expect, test } from 'vitest';
import type { EventEnvelope } from '../../plugins/index.ts';
import { waitFor } from '../helper.ts';
import { callTool, modes, testServer } from '../server.ts';

describe.each(modes)('server operations, spawn_mode %s', mode => {
  test('start() resolves with the service: port, bind_addr, is_gateway, instance_id, mcp_url() [spec:ops:start spec:service:is-gateway spec:service:port spec:service:mcp-url]', async () => {
    const server = testServer(mode);
    const service = await server.start();
    expect(service.port).toBeGreaterThan(0);
    expect(service.bind_addr).toBe(`127.0.0.1:${service.port}`);
    expect(service.mcpUrl()).toBe(`http://127.0.0.1:${service.port}/mcp`);
    expect(service).toMatchObject({ is_gateway: false, pid: process.pid });
    const id = service.instance_id;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await (await fetch(`http://${service.bind_addr}/ping`)).text()).toBe('pong');
    await service.shutdown();
    expect(service.instance_id).toBe(id);
    await expect(service.stopped()).resolves.toEqual({ crashed: false, error: undefined });
  });

  test('start() twice resolves with the same service; after shutdown it is refused', async () => {
    const server = testServer(mode);
    const [first, second] = await Promise.all([server.start(), server.start()]);
    expect(second).toBe(first);
    await first.shutdown();
    await expect(server.start()).rejects.toMatchObject({ code: 'SVC_SERVER_STOPPED' });
    await expect(server.loadedCount()).rejects.toMatchObject({ code: 'SVC_SERVER_STOPPED' });
  });

  test('registerTool before and after start; the disposer removes the tool', async () => {
    const server = testServer(mode);
    const before = server.registerTool({ name: 'host_add' }, ({ a, b }) => ({ sum: Number(a) + Number(b) }));
    const service = await server.start();
    const dispose = await server.registerTool({ name: 'host_echo' }, args => args);
    expect((await callTool(service, 'host_add', { a: 2, b: 3 })).body.structuredContent).toEqual({ sum: 5 });
    expect((await callTool(service, 'host_echo', { deep: { x: [1] } })).body.structuredContent).toEqual({
      deep: { x: [1] },
    });
    expect(server.hasHandler('host_echo')).toBe(true);
    await dispose();
    await dispose();
    expect(server.hasHandler('host_echo')).toBe(false);
    expect((await callTool(service, 'host_echo')).body.code).toMatch(/NOT_FOUND/);
    await (await before)();
  });

  test('register_handler: the handler receives decoded params; has_handler tells [spec:ops:register-handler spec:ops:has-handler]', async () => {
    const server = testServer(mode);
    await server.registerTool({ name: 'late' });
    expect(server.hasHandler('late')).toBe(false);
    const seen: unknown[] = [];
    const dispose = await server.registerHandler('late', (args, call) => {
      seen.push(args, call.requestId ?? call.meta.request_id);
      return { done: true };
    });
    expect(server.hasHandler('late')).toBe(true);
    const service = await server.start();
    const deep = { text: 'ü', list: [1, null] };
    expect((await callTool(service, 'late', { deep })).status).toBe(200);
    expect(seen).toEqual([{ deep }, 'r1']);
    await dispose();
    expect(server.hasHandler('late')).toBe(false);
    expect((await callTool(service, 'late')).body.code).toBe('SVC_TOOLS_NO_HANDLER');
  });

  test('what is refused surfaces with its code and leaves no handler', async () => {
    const server = testServer(mode);
    await expect(server.registerTool({ name: 'no good!' }, () => 1)).rejects.toMatchObject({
      code: expect.stringMatching(/^SVC_TOOLS_/),
    });
    expect(server.hasHandler('no good!')).toBe(false);
    await expect(server.registerTool({} as never, () => 1)).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
    });
    await expect(server.registerHandler('x', 5 as never)).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
    });
    await server.registerTool({ name: 'twice' }, () => 1);
    await expect(server.registerTool({ name: 'twice' }, () => 2)).rejects.toMatchObject({
      code: 'SVC_KERNEL_DUPLICATE',
    });
  });

  test('a wrong option is named; so is a value of the environment [spec:config:unknown-key]', async () => {
    await expect(testServer(mode, { prot: 1 } as never).start()).rejects.toThrow(/"prot" is not a known field/);
    const server = testServer(mode, {}, { env: { SVC_PORT: 'many' } });
    await expect(server.loadedCount()).rejects.toMatchObject({ code: 'SVC_KERNEL_CONFIG_INVALID' });
  });

  test('thrown errors become tool errors with their message', async () => {
    const server = testServer(mode);
    await server.registerTool({ name: 'broken' }, () => {
      throw new RangeError('the mesh has no faces');
    });
    await server.registerTool({ name: 'rejected' }, async () => Promise.reject(new Error('the node is locked')));
    await server.registerTool({ name: 'odd' }, () => () => 1);
    await server.registerTool({ name: 'cyclic' }, () => {
      const value: Record<string, unknown> = {};
      value.self = value;
      return value;
    });
    const service = await server.start();
    expect(JSON.stringify((await callTool(service, 'broken')).body)).toContain('the mesh has no faces');
    expect(JSON.stringify((await callTool(service, 'rejected')).body)).toContain('the node is locked');
    expect(JSON.stringify((await callTool(service, 'odd')).body)).toContain('it is a function');
    expect(JSON.stringify((await callTool(service, 'cyclic')).body)).toMatch(/circular|cyclic/i);
    expect((await callTool(service, 'broken')).status).not.toBe(0);
  });

  test('handlers report progress and hear of cancellation', async () => {
    const server = testServer(mode);
    let begun = false;
    let aborted = false;
    await server.registerTool({ name: 'steps' }, async (_, call) => {
      call.progress(1, 2, 'half');
      await new Promise(resolve => setTimeout(resolve, 5));
      call.progress(2, 2);
      return 'done';
    });
    await server.registerTool({ name: 'slow' }, async (_, call) => {
      begun = true;
      await new Promise(resolve => call.signal.addEventListener('abort', resolve, { once: true }));
      aborted = true;
    });
    const service = await server.start();
    const { body } = await callTool(service, 'steps');
    expect(body.progress).toMatchObject([
      [1, 2, 'half'],
      [2, 2],
    ]);
    const abort = new AbortController();
    const call = callTool(service, 'slow', {}, { signal: abort.signal });
    const gone = expect(call).rejects.toThrow();
    // A call that is cancelled before it begins never runs, so it must have begun.
    await waitFor(() => begun, 'the call to begin', 15_000);
    abort.abort();
    await gone;
    await waitFor(() => aborted, 'the handler to hear of the cancellation');
  });

  test('bus: subscribe, prefix, emit, publish, unsubscribe [spec:bus:subscribe spec:bus:unsubscribe spec:bus:publish spec:bus:emit]', async () => {
    const server = testServer(mode);
    const seen: unknown[] = [];
    const id = await server.bus.subscribe('studio.*', event => void seen.push(event));
    const other = await server.bus.subscribe('studio.saved', () => {
      throw new Error('a subscriber that fails hurts nobody');
    });
    const heard: string[] = [];
    const all = await server.bus.subscribe('*', event => void heard.push(String(event.name)));
    expect([id, other, all]).toEqual([1, 2, 3]);
    const envelope = await server.bus.emit('studio.saved', { attributes: { scene: 'a.usd' } });
    expect(envelope).toMatchObject({ schema_version: 1, name: 'studio.saved', attributes: { scene: 'a.usd' } });
    await server.bus.publish('studio.opened', { scene: 'b.usd' });
    await waitFor(() => seen.length === 2, 'both events');
    expect(seen).toEqual([envelope, { scene: 'b.usd' }]);
    expect(heard).toContain('studio.saved');
    expect(await server.bus.unsubscribe('studio.saved', id)).toBe(false);
    expect(await server.bus.unsubscribe('studio.*', id)).toBe(true);
    expect(await server.bus.unsubscribe('studio.*', id)).toBe(false);
    await server.bus.emit('studio.saved');
    await new Promise(resolve => setTimeout(resolve, 30));
    expect(seen).toHaveLength(2);
    const undo = await server.bus.on('toolbox.opened', event => void seen.push(event.name));
    await server.bus.emit('toolbox.opened');
    await waitFor(() => seen.length === 3, 'the event of its own family');
    await undo();
    await undo();
    await server.bus.emit('toolbox.opened');
    for (const name of ['tool.completed', 'tool', 'skill.loaded', 'internal.job.logged', 'webhook.delivery_failed']) {
      const refused = { code: 'SVC_SERVER_EVENT_RESERVED', message: expect.stringContaining(`"studio.${name}"`) };
      await expect(server.bus.emit(name)).rejects.toMatchObject(refused);
      await expect(server.bus.publish(name)).rejects.toMatchObject(refused);
    }
    expect([seen.length, heard.filter(each => each === 'tool.completed')]).toEqual([3, []]);
  });

  test('a before hook on the host vetoes a call with EVENT_VETOED [spec:veto:names spec:bus:before]', async () => {
    const server = testServer(mode);
    let ran = 0;
    await server.registerTool({ name: 'guarded' }, () => {
      ran += 1;
      return 'ran';
    });
    const failures: EventEnvelope[] = [];
    await server.bus.subscribe('tool.failed', event => void failures.push(event));
    const id = await server.bus.before('tool.dispatched', event =>
      event.attributes.tool_name === 'guarded' ? server.bus.veto('not in review', 'policy') : undefined,
    );
    for (const name of server.bus.vetoableEvents()) {
      expect(await server.bus.before(name, () => undefined)).toBeGreaterThan(0);
    }
    expect(server.bus.vetoableEvents()).toHaveLength(4);
    for (const name of ['tool.completed', 'skill.loaded', '*', 'tool.*']) {
      await expect(server.bus.before(name, () => true)).rejects.toMatchObject({ code: 'SVC_SERVER_NOT_VETOABLE' });
    }
    const service = await server.start();
    const { body } = await callTool(service, 'guarded');
    expect(JSON.stringify(body)).toContain('EVENT_VETOED');
    expect(ran).toBe(0);
    await waitFor(() => failures.length > 0, 'tool.failed');
    expect(failures[0]?.attributes).toMatchObject({ error_kind: 'event_vetoed', veto_code: 'policy' });
    expect(await server.bus.unsubscribeBefore('tool.dispatched', id)).toBe(true);
    expect((await callTool(service, 'guarded')).status).toBe(200);
    expect(ran).toBe(1);
  });
});
