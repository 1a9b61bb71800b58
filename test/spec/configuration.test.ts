/** Server configuration object. */
import { threadId } from 'node:worker_threads';
import { describe, expect } from 'vitest';
import { definePlugin, packageVersion, resolveConfig as resolve } from '../../kernel/index.ts';
import { serverSettings } from '../../plugins/index.ts';
import { testEnv } from '../environment.ts';
import { freePort } from '../free-port.ts';
import { createServer, namesOf, quiet, skillFolder, startConnected, startInside, startServer } from './fixture.ts';
import { table } from './option-table.ts';
import { verifies } from './verifies.ts';
import { connect, initializeRequest, post } from './wire.ts';

const settings = await serverSettings();
const resolveConfig = (options: object = {}, env: Record<string, string> = {}) => resolve(options, env, {}, settings);

/** Creates and starts with options that no type would let through. */
const startWith = async (options: Record<string, unknown>) =>
  createServer({ ...quiet, ...options }, { env: testEnv }).start();

describe('the table', () => {
  // biome-ignore format: one citation list
  verifies(['config:port', 'config:host', 'config:endpoint_path', 'config:server_name', 'config:server_version',
    'config:max_sessions', 'config:request_timeout_ms', 'config:enable_cors', 'config:session_ttl_secs', 'config:lazy_actions',
    'config:gateway_port', 'config:admin_enabled', 'config:admin_path', 'config:registry_dir', 'config:stale_timeout_secs',
    'config:heartbeat_secs', 'config:dcc_type', 'config:dcc_version', 'config:scene', 'config:spawn_mode',
    'config:self_probe_timeout_ms', 'config:bare_tool_names', 'config:enable_tool_cache', 'config:enable_resources',
    'config:enable_artefact_resources', 'config:enable_job_notifications', 'config:job_storage_path', 'config:job_recovery',
    'config:job_retention_hours', 'limit:sessions', 'limit:session-idle', 'limit:request-timeout', 'limit:heartbeat'],
    'every property has the type and the default of the table', () => {
      const defaults = resolveConfig();
      for (const [name, value, right, wrong] of table) {
        expect(defaults[name], name).toEqual(value);
        expect(resolveConfig({ [name]: right })[name], name).toEqual(right);
        expect(() => resolveConfig({ [name]: wrong }), name).toThrow(new RegExp(name));
      }
    });

  verifies(['config:unknown-key', 'config:lazy-tool-schemas'], 'an unknown option is refused by name', async () => {
    await expect(startWith({ lazy_tool_schemas: true })).rejects.toThrow(/lazy_tool_schemas/);
    await expect(startWith({ prot: 1 })).rejects.toThrow(/"prot"/);
  });

  verifies(['config:bare-names-boolean'], 'bare_tool_names accepts only booleans in the options object', async () => {
    for (const wrong of ['true', 1, 0, null, 'false']) {
      await expect(startWith({ bare_tool_names: wrong }), String(wrong)).rejects.toThrow(/bare_tool_names/);
    }
  });

  verifies(['config:environment'], 'the environment sets an option, the object wins', () => {
    const env = { SVC_MAX_SESSIONS: '7', SVC_ENABLE_CORS: 'true' };
    expect(resolveConfig({}, env)).toMatchObject({ max_sessions: 7, enable_cors: true });
    expect(resolveConfig({ max_sessions: 9 }, env).max_sessions).toBe(9);
    expect(() => resolveConfig({}, { SVC_PORT: 'many' })).toThrow(/SVC_PORT/);
  });
});

describe('what the properties do', () => {
  verifies(['config:port-zero', 'service:port'], 'port 0 is assigned and reported', async () => {
    const { service } = await startServer({ port: 0 });
    expect(service.port).toBeGreaterThan(0);
    expect((await post(`http://127.0.0.1:${service.port}/mcp`, initializeRequest())).status).toBe(200);
  });

  verifies(['config:port-fixed'], 'another port is bound as given', async () => {
    const port = await freePort();
    const { service } = await startServer({ port });
    expect(service.port).toBe(port);
    expect((await post(`http://127.0.0.1:${port}/mcp`, initializeRequest())).status).toBe(200);
  });

  verifies(['config:host-bind', 'auth:loopback', 'service:bind-addr'], 'only the bind address answers', async () => {
    const { service } = await startServer();
    expect(service.bind_addr).toBe(`127.0.0.1:${service.port}`);
    await expect(fetch(`http://127.0.0.2:${service.port}/mcp`)).rejects.toThrow();
  });

  verifies(['config:endpoint-path-moves', 'service:mcp-url'], 'the endpoint lives at endpoint_path alone', async () => {
    const { service } = await startServer({ endpoint_path: '/tools/rpc' });
    expect(service.mcpUrl()).toBe(`http://127.0.0.1:${service.port}/tools/rpc`);
    expect((await post(service.mcpUrl(), initializeRequest())).status).toBe(200);
    expect((await post(`http://127.0.0.1:${service.port}/mcp`, initializeRequest())).status).toBe(404);
  });

  verifies(
    ['config:server-name-reported', 'config:server-version-reported'],
    'initialize names the server',
    async () => {
      const named = await startConnected({ server_name: 'atelier', server_version: '4.5.6' });
      expect(named.client.initialized.result?.serverInfo).toMatchObject({ name: 'atelier', version: '4.5.6' });
      const plain = await startConnected();
      expect(plain.client.initialized.result?.serverInfo).toMatchObject({ name: 'svc', version: packageVersion });
    },
  );

  verifies(
    ['config:max-sessions-bound', 'config:max-sessions-refusal'],
    'max_sessions bounds sessions with a stream',
    async () => {
      const { service, client } = await startConnected({ max_sessions: 2 });
      const [second, third] = [await connect(service.mcpUrl()), await connect(service.mcpUrl())];
      const streams = [await client.stream(), await second.stream()];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const refused = await third.stream();
        expect(refused.status).toBe(503);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await third.result('ping')).toEqual({});
      }
      await second.end();
      expect((await third.stream()).status).toBe(200);
      for (const each of streams) each.close();
    },
  );

  verifies(['config:request-timeout'], 'a call beyond request_timeout_ms fails', async () => {
    const { client } = await startConnected({ request_timeout_ms: 200 }, server => {
      server.registerTool({ name: 'sleep' }, () => new Promise(resolve => setTimeout(resolve, 5000).unref()));
    });
    const started = Date.now();
    const answer = await client.request('tools/call', { name: 'sleep', arguments: {} });
    expect(answer.error?.message).toMatch(/200 ms/);
    expect(Date.now() - started).toBeLessThan(3000);
  });

  verifies(
    ['config:self-probe', 'config:self-probe-zero'],
    'start asks the fresh listener and waits at most that long; 0 asks nothing',
    async () => {
      // Takes the probe's request and never answers it.
      const startMute = async (self_probe_timeout_ms: number) => {
        const seen = { probes: 0, log: '' };
        const mute = definePlugin({ name: 'mute' }, (app, { kernel }) => {
          app.addHook('onRequest', (request, _reply, done) => {
            if (request.url !== '/v1/healthz') return done();
            seen.probes += 1;
          });
          app.addHook('onClose', async () => {
            seen.log = kernel.logTail(50).join('\n');
          });
        });
        const server = createServer(
          { ...quiet, self_probe_timeout_ms, log_level: 'warn' },
          { env: testEnv, add: [mute] },
        );
        await server.loadedCount();
        const began = performance.now();
        const service = await server.start();
        const took = performance.now() - began;
        expect(await (await connect(service.mcpUrl())).result('ping')).toEqual({});
        await service.shutdown();
        return { ...seen, took };
      };
      const probed = await startMute(300);
      expect(probed.probes).toBe(1);
      expect(probed.took).toBeGreaterThan(290);
      expect(probed.took).toBeLessThan(10_000);
      expect(probed.log).toMatch(/its own probe/);
      const silent = await startMute(0);
      expect(silent).toMatchObject({ probes: 0, log: '' });
    },
  );

  verifies(['config:spawn-ambient'], 'ambient listens and calls handlers in the thread that called start', async () => {
    const seen: Record<string, unknown> = {};
    const {
      app,
      service,
      connect: open,
    } = await startInside({}, server => {
      server.registerTool({ name: 'where' }, args => {
        seen.handler = threadId;
        seen.args = args;
        return { threadId };
      });
    });
    // The very object that listens is in this thread.
    expect(app.server.listening).toBe(true);
    expect(app.server.address()).toMatchObject({ port: service.port });
    const client = await open();
    expect(await client.callJson('where', { a: 1 })).toEqual({ threadId });
    expect(seen).toEqual({ handler: threadId, args: { a: 1 } });
  });

  verifies(['config:resources-capability-off', 'mcp:resources-disabled'], 'resources may be switched off', async () => {
    const { client } = await startConnected({ enable_resources: false });
    expect(client.initialized.result?.capabilities).not.toHaveProperty('resources');
    for (const method of ['list', 'read', 'subscribe', 'unsubscribe']) {
      const answer = await client.request(`resources/${method}`, { uri: 'scene://current' });
      expect(answer.error?.code, method).toBe(-32601);
    }
  });
});

describe('bare_tool_names', () => {
  const folder = () =>
    skillFolder({
      north: { tools: [{ name: 'render' }, { name: 'only_north' }] },
      south: { tools: [{ name: 'render' }] },
    });

  verifies(
    ['config:bare-names-unique', 'config:bare-names-collision'],
    'unique names are bare, others not',
    async () => {
      const { client, server } = await startConnected({ skill_paths: [await folder()] });
      await server.loadSkill('north');
      expect(namesOf(await client.tools())).toEqual(expect.arrayContaining(['render', 'only_north']));
      await server.loadSkill('south');
      const names = namesOf(await client.tools());
      expect(names).toEqual(expect.arrayContaining(['north__render', 'south__render', 'only_north']));
      expect(names).not.toContain('render');
      expect(await client.callJson('south__render', { a: 1 })).toEqual({ a: 1 });
    },
  );

  verifies(['config:bare-names-off'], 'switched off, every name has its prefix', async () => {
    const { client, server } = await startConnected({ bare_tool_names: false, skill_paths: [await folder()] });
    await server.loadSkill('north');
    const names = namesOf(await client.tools());
    expect(names).toEqual(expect.arrayContaining(['north__render', 'north__only_north']));
    expect(names).not.toContain('only_north');
  });

  verifies(['config:bare-names-identity'], 'identity and pages stay the same', async () => {
    const pages = [];
    for (const bare_tool_names of [true, false]) {
      const { client } = await startConnected({ bare_tool_names, tools_page_size: 5 });
      const page = await client.result('tools/list');
      pages.push({ tools: page.tools, next: page.nextCursor, info: client.initialized.result?.serverInfo });
    }
    expect(pages[0]).toEqual(pages[1]);
  });
});

describe('spawn_mode dedicated', () => {
  verifies(
    ['config:spawn-dedicated', 'service:never-blocks-host', 'service:background'],
    'requests are answered while the host thread blocks',
    async () => {
      const { service } = await startServer({ ...quiet, spawn_mode: 'dedicated' });
      const probe = `
        const post = (body, headers = {}) => fetch(process.argv[1], { method: 'POST', body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers } });
        const hello = await post(${JSON.stringify(initializeRequest())});
        const headers = { 'mcp-session-id': hello.headers.get('mcp-session-id') };
        const answer = await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers);
        process.stdout.write(JSON.stringify(await answer.json()));`;
      // The host thread sits in execFileSync, doing nothing else, until the other process has its answer.
      const { execFileSync } = await import('node:child_process');
      const out = execFileSync(process.execPath, ['--input-type=module', '-e', probe, service.mcpUrl()], {
        timeout: 10_000,
      });
      expect(JSON.parse(String(out))).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    },
  );
});
