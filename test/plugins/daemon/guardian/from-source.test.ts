import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, tempDir, waitFor } from '../../../helper.ts';
import { modes, testServer } from '../../../server.ts';

/** Servers of the tests run from source: so does the daemon that they launch. */
test.each(modes)(
  '%s: a server launches the daemon of its own installation, and start does not wait for it',
  async mode => {
    const registry_dir = await tempDir();
    const gateway_port = await freePort();
    const manifest = join(registry_dir, `gateway-autolaunch-${gateway_port}.json`);
    const read = async (): Promise<{ pid: number; args: string[] }> => JSON.parse(await readFile(manifest, 'utf8'));
    const health = (): Promise<unknown> =>
      fetch(`http://127.0.0.1:${gateway_port}/health`).then(
        response => response.json(),
        () => undefined,
      );
    onTestFinished(async () => void process.kill((await read()).pid, 'SIGKILL'));

    const said = { gateway_read_only: true, gateway_name: 'of this studio', gateway_wait_timeout_ms: 4321 };
    const options = { registry_dir, gateway_port, gateway_ensure_timeout_secs: 30, ...said };
    const service = await testServer(mode, options).start();
    expect(await health()).toBeUndefined();
    expect(await waitFor(health, 'the daemon', 30_000)).toMatchObject({ ok: true, service: 'dcc-mcp-gateway' });
    // What the host said of the gateway is what the daemon wrote down that it runs with.
    const settings = await readFile(join(registry_dir, `gateway-${gateway_port}-settings.json`), 'utf8');
    expect(JSON.parse(settings)).toMatchObject(said);
    const { args } = await read();
    expect(args.join(' ')).toMatch(/svc-server\.ts gateway --host 127\.0\.0\.1 --port \d+ --registry-dir /);
    expect(service.is_gateway).toBe(false);
    await service.shutdown();
    // It is not this server's to end.
    expect(await health()).toBeDefined();
  },
  60_000,
);
