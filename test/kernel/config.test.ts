import { resolve } from 'node:path';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { buildApp, composeSettings, definePlugin, resolveConfig, type Slice, sliceOf } from '../../kernel/index.ts';
import { unknownVariables } from '../../schemas/variables.ts';

const text = (fallback: string, description = 'text') => Type.String({ default: fallback, description });
const one = { name: 'one', config: Type.Object({ shared: text('a'), own: text('b') }) };
const two = { name: 'two', config: Type.Object({ shared: text('a') }) };

test('settings: slices are merged with the kernel’s; a setting spelled the same by two is shared', () => {
  const schema = composeSettings('svc:test', [one, two, { name: 'none' }]);
  const config = resolveConfig({ own: 'mine' }, { SVC_SHARED: 'given' }, {}, schema);
  expect(config).toMatchObject({ shared: 'given', own: 'mine', port: 0 });
  expect(() => resolveConfig({ ownn: 1 }, {}, {}, schema)).toThrow('"ownn" is not a known field');
});

test('settings: two definitions of one name are refused, and both plugins named', () => {
  const other = { name: 'other', config: Type.Object({ own: text('c') }) };
  expect(() => composeSettings('svc:test', [one, other])).toThrow(
    expect.objectContaining({
      code: 'SVC_KERNEL_SETTING_CONFLICT',
      message: expect.stringMatching(/"own".*by one and, differently, by other/),
    }),
  );
  const clash = { name: 'clash', config: Type.Object({ port: text('c') }) };
  expect(() => composeSettings('svc:test', [clash])).toThrow(/"port".*by the kernel and, differently, by clash/);
});

test('settings: a plugin gets its own slice alone, frozen; one of another package its section', async () => {
  const given: Record<string, unknown> = {};
  const config = Type.Object({ own: text('b') });
  const ours = definePlugin({ name: 'ours', config }, (_, tools) => {
    given.ours = tools.config;
    const typed: string = tools.config.own;
    expect(typed).toBe('b');
  });
  const greeting = { type: 'string', default: 'hello' } as const;
  const stranger = definePlugin({ name: 'stranger', config: { properties: { greeting } } }, (_, tools) => {
    given.stranger = tools.config;
    expect(tools.config.greeting.length).toBe(2);
  });
  const sections = new Map([[stranger, { greeting: 'hi' }]]);
  const all = resolveConfig({ log_level: 'silent' }, {}, {}, composeSettings('svc:test', [ours]));
  const app = buildApp(all, [ours, stranger], { sections });
  await app.ready();
  await app.close();
  expect(given).toEqual({ ours: { own: 'b' }, stranger: { greeting: 'hi' } });
  expect(Object.isFrozen(given.ours) && Object.isFrozen(given.stranger)).toBe(true);
});

test('settings: a wrong section is refused by the names of the plugin and the field', () => {
  const config = { properties: { n: { type: 'integer', default: 3 } }, required: ['n'] };
  const sectionOf = (section: object, slice: Slice) => sliceOf(slice, resolveConfig(), section);
  expect(sectionOf({}, { name: 'x', config })).toEqual({ n: 3 });
  expect(sectionOf({}, { name: 'bare' } as never)).toEqual({});
  const refused = (section: object, slice = { name: 'x', config }) => {
    try {
      return sectionOf(section, slice);
    } catch (error) {
      return error;
    }
  };
  expect(refused({ n: 'many' })).toMatchObject({
    code: 'SVC_KERNEL_CONFIG_INVALID',
    message: 'Invalid configuration (plugin x): "n" must be integer',
    details: { plugin: 'x', option: 'n' },
  });
  expect(refused({ m: 1 })).toMatchObject({ message: 'Invalid configuration (plugin x): "m" is not a known field' });
  expect(refused({ m: 1 }, { name: 'bare' } as never)).toMatchObject({
    message: expect.stringContaining('"m" is not'),
  });
  const broken = { name: 'x', config: { properties: { n: { type: 'nonsense' } } } } as never;
  expect(refused({ n: 1 }, broken)).toMatchObject({ message: expect.stringContaining('(plugin x): its schema') });
});

test('settings: sections of a later source add to an earlier one’s; false switches off', () => {
  const plugins = (options: object, env = '{}', file: object = {}) =>
    resolveConfig({ plugins: options }, { SVC_PLUGINS: env }, { plugins: file }).plugins;
  expect(plugins({ a: { x: 1 } }, '{"a":{"y":2}}', { a: { x: 3, z: 3 }, b: true })).toEqual({
    a: { x: 1, y: 2, z: 3 },
    b: {},
  });
  expect(plugins({ a: false, b: true }, '{"b":false}', { a: { x: 1 }, b: { x: 1 } })).toEqual({ a: false, b: {} });
  expect(() => plugins({}, '{oops')).toThrow('environment SVC_PLUGINS');
});

test('plugins: what is optional is there by its decorator’s name, or undefined', async () => {
  const seen: Record<string, unknown> = {};
  const found = definePlugin({ name: 'far-off' }, app => void app.decorate('farOff' as never, 42 as never));
  const asking = definePlugin({ name: 'asking', optional: ['far-off', 'absent'] }, (_, { optional }) => {
    Object.assign(seen, optional);
  });
  const app = buildApp(resolveConfig({ log_level: 'silent' }), [found, asking]);
  await app.ready();
  await app.close();
  expect(seen).toEqual({ farOff: 42, absent: undefined });
});

test('settings: relative paths of a file start at its folder; a message names the file, the key and what is accepted once', () => {
  const path = { default: null, isPath: true, anyOf: [{ type: 'string' }, { type: 'null' }] };
  const slice = {
    name: 'p',
    config: { properties: { state_dir: path, folders: { type: 'array', isPath: true, default: [] } } },
  };
  const schema = composeSettings<object>('svc:paths', [slice]);
  const read = (file: object, env = {}) => resolveConfig({}, env, file, schema, '/etc/svc/svc.yaml');
  expect(read({ state_dir: 'state', folders: ['a', '/b'], plugins: { './p.js': true } })).toMatchObject({
    state_dir: resolve('/etc/svc/state'),
    folders: [resolve('/etc/svc/a'), resolve('/b')],
    plugins: { [resolve('/etc/svc/p.js')]: {} },
  });
  expect(read({}, { SVC_STATE_DIR: 'state' })).toMatchObject({ state_dir: 'state' });
  expect(() => read({ state_dir: 5 })).toThrow(
    'Invalid configuration (/etc/svc/svc.yaml): "state_dir" must be string or null',
  );
  expect(() => read({ statedir: 'x' })).toThrow('"statedir" is not a known field (did you mean state_dir?)');
});

test('settings: an empty variable is unset, yes and on are true; variables that are not known are told with what was meant', () => {
  const schema = composeSettings<object>('svc:words', [
    {
      name: 'w',
      config: { properties: { wide: { type: 'boolean', default: false }, tall: { type: 'boolean', default: true } } },
    },
  ]);
  const read = (env: Record<string, string>) =>
    resolveConfig({}, env, {}, schema) as unknown as Record<string, unknown>;
  expect(['yes', 'ON', '1', 'true'].map(SVC_WIDE => read({ SVC_WIDE }).wide)).toEqual([true, true, true, true]);
  expect(read({ SVC_WIDE: '', SVC_TALL: 'off', SVC_PORT: '' })).toMatchObject({ wide: false, tall: false, port: 0 });
  const names = ['SVC_PROT', 'SVC_PORT', 'SVC_MAYA_SKILL_PATHS', 'SVC_ZEBRAS', 'PATH'];
  expect(unknownVariables(names, ['SVC_PORT'])).toEqual([
    'the variable SVC_PROT is not known: did you mean SVC_PORT?',
    'the variable SVC_ZEBRAS is not known',
  ]);
});
