import { expect, onTestFinished, test } from 'vitest';
import { buildApp, definePlugin, resolveConfig } from '../../kernel/index.ts';
import { kernelApp, listeningKernel } from './support.ts';

test('plugins: setup gets kernel, config, scope and log, and its scope is named after it', async () => {
  let given: unknown;
  const plugin = definePlugin({ name: 'one' }, (app, tools) => {
    given = tools;
    tools.scope.add('thing', () => undefined);
    expect(app.kernel).toBe(tools.kernel);
  });
  const app = await kernelApp([plugin]);
  expect(given).toMatchObject({ config: {}, scope: { label: 'plugin:one' } });
  expect(app.kernel.scope.list()).toContain('plugin:one/thing');
});

test('plugins: closing disposes every scope, the last plugin first', async () => {
  const ran: string[] = [];
  const make = (name: string, dependencies: string[] = []) =>
    definePlugin({ name, dependencies }, (_, { scope }) => void scope.add('x', () => void ran.push(name)));
  const app = buildApp(resolveConfig({ log_level: 'silent' }), [make('a'), make('b', ['a']), make('c')]);
  await app.ready();
  await app.close();
  expect(ran).toEqual(['c', 'b', 'a']);
  expect(app.kernel.scope.list()).toEqual([]);
});

test('plugins: decorators reach the plugins that name them', async () => {
  const first = definePlugin({ name: 'first' }, app => void app.decorate('answer', 42));
  const second = definePlugin({ name: 'second', dependencies: ['first'] }, app => {
    app.get('/answer', () => ({ answer: (app as unknown as { answer: number }).answer }));
  });
  const { url } = await listeningKernel([first, second]);
  expect(await (await fetch(`${url}/answer`)).json()).toEqual({ answer: 42 });
});

test('plugins: a missing dependency is named at boot', async () => {
  const app = buildApp(resolveConfig({ log_level: 'silent' }), [
    definePlugin({ name: 'needy', dependencies: ['absent'] }, () => undefined),
  ]);
  onTestFinished(() => app.close());
  await expect(app.ready()).rejects.toThrow(/absent/);
});

test('plugins: a setup that fails leaves nothing behind', async () => {
  const ran: string[] = [];
  const app = buildApp(resolveConfig({ log_level: 'silent' }), [
    definePlugin({ name: 'good' }, (_, { scope }) => void scope.add('x', () => void ran.push('good'))),
    definePlugin({ name: 'bad' }, (_, { scope }) => {
      scope.add('x', () => void ran.push('bad'));
      throw new Error('no');
    }),
  ]);
  await expect(app.ready()).rejects.toThrow('no');
  await app.close();
  expect(ran).toEqual(['bad', 'good']);
  expect(app.kernel.scope.list()).toEqual([]);
});
