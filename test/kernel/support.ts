/** Shared by the tests of the kernel, and by all others: nothing here knows plugins/. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { buildApp, type Plugin, resolveConfig } from '../../kernel/index.ts';

/** A fresh folder, removed when the test ends. */
export async function tempDir(prefix = 'svc-test-'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An application of `plugins` with the kernel's settings alone, ready but not listening; closed when the test ends. */
export async function kernelApp(plugins: readonly Plugin[], options: object = {}): Promise<FastifyInstance> {
  return readied(buildApp(resolveConfig({ log_level: 'silent', ...options }), plugins));
}

/** An application, ready but not listening; closed when the test ends, its scope then empty. */
export async function readied(app: FastifyInstance): Promise<FastifyInstance> {
  onTestFinished(async () => {
    await app.close();
    const left = app.kernel.scope.list();
    if (left.length > 0) throw new Error(`left in the scope after close: ${left.join(', ')}`);
  });
  await app.ready();
  return app;
}

/** As `kernelApp`, listening on a free loopback port; resolves with its base URL. */
export async function listeningKernel(
  plugins: readonly Plugin[],
  options: object = {},
): Promise<{ app: FastifyInstance; url: string }> {
  const app = await kernelApp(plugins, options);
  return { app, url: await app.listen({ port: 0, host: '127.0.0.1' }) };
}

/** Starts to count this process's own computing time: what a neighbour takes is not in it. Tells the ms until now. */
export function computing(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}

/** Polls until `probe` returns something truthy; throws with `what` after `timeoutMs`. */
export async function waitFor<T>(
  probe: () => T | Promise<T>,
  what: string,
  timeoutMs = 20_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<T>;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 10));
  }
}
