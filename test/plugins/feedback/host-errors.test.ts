/** The log of the host's errors, from what goes wrong in a host to what a bundle tells of it. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Component } from '../../../cli/svc-cli/bundle/component.ts';
import { hostErrors } from '../../../cli/svc-cli/bundle/host-errors.ts';
import type { Finding } from '../../../plugins/feedback/api.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { callTool, modes, testServer } from '../../server.ts';
import { finding } from './support.ts';

const secret = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2';

/** As `svc-cli feedback bundle` tells it. */
const told = async (directory: string, pid = process.pid): Promise<Record<string, unknown>[]> => {
  const of = finding as unknown as Finding;
  const found: Component = await hostErrors(of, { pid, directory, maxLines: 50, names: [] });
  return found.status === 'included' ? (found.data as { records: Record<string, unknown>[] }).records : [];
};

test.each(modes)('%s: a handler of the host that throws, and what the host reports', async mode => {
  const log_dir = await tempDir();
  const settings = {
    dcc_type: 'maya',
    adapter_version: '3.1',
    gateway_port: 0,
    log_dir,
    registry_dir: await tempDir(),
  };
  const server = testServer(mode, settings);
  await server.registerTool({ name: 'explode' }, () => {
    throw new Error(`no licence at /home/ada for ${secret}`);
  });
  const service = await server.start();
  await callTool(service, 'explode');
  const path = join(log_dir, `svc-maya.${process.pid}.host-errors.log`);
  const text = async () => readFile(path, 'utf8').catch(() => '');
  const first = await waitFor(async () => (await text()).trim(), 'the line');
  expect(first).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z ERROR dcc_mcp_core\.host_errors: \{"event":"dcc_host_error",/);
  expect(JSON.parse(first.slice(first.indexOf('{')))).toMatchObject({
    ...{ dcc_type: 'maya', dcc_pid: process.pid, phase: 'dispatch', level: 'error', adapter_version: '3.1' },
    message: expect.stringContaining('no licence at /home/ada for [redacted]'),
  });
  // A tool that is not there, and arguments that do not fit, are no error of the host.
  await callTool(service, 'nobody');

  const metadata = { token: secret, window: 'main' };
  const error = { message: 'x', source: 'sys.excepthook', exception_type: 'RuntimeError', python_version: '3.11.4' };
  expect(await server.reportHostError({ ...error, traceback: `line 1 ${secret}`, metadata })).toBe(path);
  // Of the host, where the server is in a process of its own.
  const other = await server.reportHostError({ message: 'y', dcc_pid: 4711, metadata: { long: 'z'.repeat(20_000) } });
  expect(other).toBe(join(log_dir, 'svc-maya.4711.host-errors.log'));
  await server.update({ host_pid: 4711 });
  expect(await server.reportHostError({ message: 'z' })).toBe(other);
  const lines = (await text()).trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines.join('')).not.toContain(secret);
  expect(lines[1]).toContain('"metadata":{"token":"[redacted]","window":"main"}');
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o077).toBe(0);

  const records = await told(log_dir);
  expect(records).toMatchObject([
    { phase: 'dispatch', adapter_version: '3.1', payload_fields_excluded: true },
    { source: 'sys.excepthook', exception_type: 'RuntimeError', python_version: '3.11.4' },
  ]);
  expect(JSON.stringify(records)).not.toMatch(/licence|home|window/);
  expect(await told(log_dir, 4711)).toHaveLength(2);
  await expect(server.reportHostError({ message: '' })).rejects.toThrow(/message/);
});

test.each([
  ['that cannot bind', { host: '192.0.2.1' }],
  ['that cannot boot', { page_size: 'token=hunter2' }],
])('a start %s stands in the log; one that cannot be written changes nothing of it', async (_, wrong) => {
  const [log_dir, registry_dir] = [await tempDir(), await tempDir()];
  const settings = { dcc_type: 'maya', gateway_port: 0, registry_dir, insecure_bind: true, ...(wrong as object) };
  const failure = await testServer('ambient', { ...settings, log_dir })
    .start()
    .catch((error: NodeJS.ErrnoException) => error.code);
  expect(await told(log_dir)).toMatchObject([
    { phase: 'bootstrap', source: 'adapter_bootstrap', exception_type: failure },
  ]);
  const file = join(log_dir, 'file');
  await writeFile(file, '');
  const again = testServer('ambient', { ...settings, log_dir: file });
  await expect(again.start()).rejects.toMatchObject({ code: failure });
});
