import { describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { definePlugin, type HostHalf, kernelSettings, type ServerExtra, serverFactory } from '../../../kernel/index.ts';

const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } as const;
const text = { type: 'object', properties: { text: { type: 'string' } } } as const;

/** All of a product: one plugin that greets, and asks its host how. */
const greeter = definePlugin({ name: 'greeter' }, ({ host }, { scope }) => {
  const names = new Set<string>();
  const operations = [
    host.operation('greet', named, ({ name }) => host.ask('word', { name })),
    host.operation('know', named, ({ name }) => {
      names.add(String(name));
      return () => void names.delete(String(name));
    }),
    host.operation('known', {}, () => [...names]),
    host.operation('tell', text, input => void host.tell('told', input)),
    host.operation('rename', named, ({ name }) => host.report({ title: name })),
  ];
  for (const undo of operations) scope.add('operation', undo);
  scope.add(
    'start',
    host.start(() => ({ title: 'greeter' })),
  );
});

const half = {
  plugin: 'greeter',
  operations: ['greet', 'know', 'known', 'tell', 'rename'],
  open: link => ({ greet: (name: string): Promise<string> => link.call('greet', { name }) }),
  service: facts => ({
    get title(): string {
      return String(facts.title);
    },
  }),
} satisfies HostHalf<{ greet(name: string): Promise<string> }, { readonly title: string }>;

const createServer = serverFactory({
  sources: [{ name: 'greeter', load: async () => greeter }],
  settings: async () => kernelSettings,
  halves: [half],
  env: {},
  entry: () => Promise.reject(new Error('no thread in this test')),
});

/** A server in this thread, closed when the test ends. */
function open(extra: ServerExtra = {}, options: object = {}) {
  const server = createServer({ spawn_mode: 'ambient', log_level: 'silent', ...options }, extra);
  onTestFinished(() => server.close());
  return server;
}

describe('operations', () => {
  test('a half adds its method to the server object, the plugin answers, and asks the host in turn', async () => {
    const server = open();
    expectTypeOf(server.greet).returns.toEqualTypeOf<Promise<string>>();
    server.answer('word', payload => `Hello, ${(payload as { name: string }).name}`);
    expect(await server.greet('Ada')).toBe('Hello, Ada');
    expect(await server.operation('greet', { name: 'Bob' })).toBe('Hello, Bob');
  });

  test('what a handler gives as a function is a disposer for the host, which may run twice', async () => {
    const server = open();
    const forget = await server.operation<() => Promise<void>>('know', { name: 'Ada' });
    expect(await server.operation('known', {})).toEqual(['Ada']);
    await forget();
    await forget();
    expect(await server.operation('known', {})).toEqual([]);
  });

  test('a wrong input, an unknown operation and a plugin that is off are named', async () => {
    await expect(open().operation('greet', { name: 7 })).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
      details: { field: 'name' },
    });
    await expect(open().operation('greett')).rejects.toThrow(/"greett".*use one of greet/);
    await expect(open({ plugins: { greeter: false } }).greet('Ada')).rejects.toMatchObject({
      code: 'SVC_SERVER_FEATURE_OFF',
      details: { plugin: 'greeter' },
    });
  });
});

describe('questions', () => {
  test('one answer to a question, until it is taken back; without one, who asks is told', async () => {
    const server = open();
    await expect(server.greet('Ada')).rejects.toMatchObject({ code: 'SVC_SERVER_NO_HOST' });
    const stop = server.answer('word', () => 'hi');
    expect(() => server.answer('word', () => 'hey')).toThrow(/"word" is registered already/);
    expect(await server.greet('Ada')).toBe('hi');
    stop();
    await expect(server.greet('Ada')).rejects.toMatchObject({ code: 'SVC_SERVER_NO_HOST' });
  });

  test('what is told arrives as it is', async () => {
    const server = open();
    const heard: unknown[] = [];
    server.answer('told', payload => void heard.push(payload));
    await server.operation('tell', { text: 'x' });
    expect(heard).toEqual([{ text: 'x' }]);
  });
});

describe('life', () => {
  test('the service has the facts of the plugins, also those that change; a second start gives the same', async () => {
    const server = open();
    const [service, again] = await Promise.all([server.start(), server.start()]);
    expect(again).toBe(service);
    expect([service.pid, service.title]).toEqual([process.pid, 'greeter']);
    await server.operation('rename', { name: 'usher' });
    expect(service.title).toBe('usher');
  });

  test('shutdown ends it, tells how, and refuses what comes after', async () => {
    const server = open();
    const service = await server.start();
    const forget = await server.operation<() => Promise<void>>('know', { name: 'Ada' });
    await service.shutdown();
    expect(await service.stopped()).toEqual({ crashed: false, error: undefined });
    await forget();
    await expect(server.greet('Ada')).rejects.toMatchObject({ code: 'SVC_SERVER_STOPPED' });
    await expect(server.start()).rejects.toMatchObject({ code: 'SVC_SERVER_STOPPED' });
  });

  test('one that never booted closes at once', async () => {
    await expect(open().close()).resolves.toBeUndefined();
  });

  test('a wrong option and a plugin that fails reject the first operation', async () => {
    await expect(open({}, { port: 'x' }).greet('Ada')).rejects.toMatchObject({ code: 'SVC_KERNEL_CONFIG_INVALID' });
    const broken = definePlugin({ name: 'broken' }, () => Promise.reject(new Error('no licence')));
    await expect(open({ add: [broken] }).start()).rejects.toThrow(/no licence/);
  });
});

describe('plugins of other packages', () => {
  const properties = { loud: { type: 'boolean', default: false } } as const;
  const added = definePlugin({ name: 'added', config: { properties } }, ({ host }, { scope, config }) => {
    scope.add(
      'operation',
      host.operation('loud', {}, () => config.loud),
    );
  });

  test('a plugin object joins, with the section of its name; as an object it cannot cross to a thread', async () => {
    expect(await open({ add: [added] }).operation('loud', {})).toBe(false);
    expect(await open({ add: [added], plugins: { added: { loud: true } } }).operation('loud', {})).toBe(true);
    await expect(open({ add: [added] }, { spawn_mode: 'dedicated' }).start()).rejects.toMatchObject({
      code: 'SVC_SERVER_PLUGIN_OBJECT',
    });
  });
});
