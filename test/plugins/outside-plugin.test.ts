/** A plugin of another package brings operations and asks its host, in both spawn modes. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { fixture, modes, testServer } from '../server.ts';

// As the package would be built: JavaScript, which a worker can load.
const studio = join(packageRoot, 'node_modules', '.cache', 'svc', `test-studio-${process.pid}.mjs`);
beforeAll(() =>
  build({
    entryPoints: [fixture('studio.ts')],
    bundle: true,
    outfile: studio,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  }),
);

describe.each(modes)('operations of an outside plugin, spawn_mode %s', mode => {
  const studioServer = () => testServer(mode, {}, { plugins: { [studio]: true } });

  test('server.operation calls it before and after start; a registration is undone by its disposer', async () => {
    const server = studioServer();
    const undo = await server.operation<() => Promise<void>>('watchShot', { shot: 'sh010', frames: 24 });
    const service = await server.start();
    await server.operation('watchShot', { shot: 'sh020' });
    const shown = async () => (await fetch(new URL('/shots', service.mcpUrl()))).json();
    expect(await shown()).toEqual({ sh010: 24, sh020: 1 });
    await undo();
    await undo();
    expect(await server.operation('shots', {})).toEqual({ sh020: 1 });
    expect(await shown()).toEqual({ sh020: 1 });
  });

  test('an input that is wrong is refused by its field; so is what no plugin brings', async () => {
    const server = studioServer();
    const refused = (input: unknown) =>
      server.operation('watchShot', input).catch((error: Error) => error) as Promise<Error>;
    expect(await refused({ shot: 'sh010', frames: 0 })).toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
      message: '"frames" must be >= 1',
      details: { field: 'frames' },
    });
    expect((await refused({})).message).toBe('"shot" is required');
    expect((await refused({ shot: 'sh010', fps: 2 })).message).toBe('"fps" is not a known field');
    expect(await server.operation('watchShots', {}).catch(error => error)).toMatchObject({
      code: 'SVC_SERVER_OPERATION_UNKNOWN',
      message: expect.stringMatching(/"watchShots".*one of watchShot$/),
    });
    const off = testServer(mode, {}, { plugins: { workflows: false } });
    const named = await off.operation('runWorkflow', { steps: [] }).catch(error => error);
    expect(named).toMatchObject({ code: 'SVC_SERVER_FEATURE_OFF', message: expect.stringContaining('"workflows"') });
  });

  test('what it asks the host is answered on the host, errors too; without an answer it says so', async () => {
    const server = studioServer();
    const asked = () => server.operation('askFor', { shot: 'sh010' });
    await expect(asked()).rejects.toThrow(/studio\.title/);
    const stop = server.answer('studio.title', payload => `The title of ${(payload as { shot: string }).shot}`);
    expect(await asked()).toBe('The title of sh010');
    expect(() => server.answer('studio.title', () => 1)).toThrow(/registered already/);
    stop();
    server.answer('studio.title', () => {
      throw new Error('the database is asleep');
    });
    await expect(asked()).rejects.toThrow(/the database is asleep/);
  });
});
