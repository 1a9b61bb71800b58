import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answering, skillApp, skillMd, writeFiles } from '../support.ts';

test('Skill states: an unloaded skill loads, its tool answers, unload removes it; both are idempotent', async () => {
  const { app, events, json, names, broadcasts, root } = await skillApp({ alpha: answering('alpha', 'one') });
  expect(app.skills.list().map(each => [each.name, each.status, each.loaded])).toEqual([['alpha', 'unloaded', false]]);
  const before = broadcasts.length;
  expect(await app.skills.load('alpha')).toEqual(['alpha_answer']);
  expect(await app.skills.load('alpha')).toEqual(['alpha_answer']);
  expect(await json('alpha_answer', { a: 1 })).toMatchObject({ answer: 'one', args: { a: 1 } });
  expect(app.skills.isLoaded('alpha')).toBe(true);
  expect(app.skills.loadedCount()).toBe(1);
  expect(names()).toEqual(['skill.loading', 'skill.loaded']);
  expect(events[1]?.attributes).toMatchObject({
    skill_name: 'alpha',
    dcc_type: 'python',
    version: '1.2.3',
    skill_path: join(root, 'alpha'),
    declared_tool_count: 1,
    registered_tool_count: 1,
    registered_tools: ['alpha_answer'],
  });
  await expect.poll(() => broadcasts.length).toBeGreaterThan(before);

  expect(await app.skills.unload('alpha')).toBe(true);
  expect(await app.skills.unload('alpha')).toBe(false);
  expect(names(2)).toEqual(['skill.unloaded']);
  expect(app.tools.get('alpha_answer')).toBeUndefined();
  await expect(app.tools.call({ name: 'alpha_answer', args: {} })).rejects.toMatchObject({
    code: 'SVC_TOOLS_NOT_FOUND',
  });
});

test('title and icons of a declared tool reach its record', async () => {
  const { app } = await skillApp({
    drawn: {
      'SKILL.md': skillMd('drawn'),
      'tools.yaml':
        'tools:\n  - name: draw\n    title: Draw\n    icons:\n      - src: data:image/png;base64,AA==\n        mimeType: image/png\n',
      'tools/draw.ts': 'export default () => 1;',
    },
  });
  await app.skills.load('drawn');
  expect(app.tools.get('draw')).toMatchObject({
    title: 'Draw',
    icons: [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png' }],
    metadata: {},
  });
});

test('Skill states: a missing skill is refused with skill.validation_failed', async () => {
  const { app, events, names } = await skillApp();
  await expect(app.skills.load('ghost')).rejects.toMatchObject({ code: 'SVC_SKILLS_NOT_FOUND' });
  expect(names()).toEqual(['skill.validation_failed']);
  expect(events[0]?.attributes).toMatchObject({ skill_name: 'ghost', error_kind: 'not_found' });
});

test('Vetoes: a vetoed load is rejected and reports the veto; the skill stays unloaded', async () => {
  const { app, events, names } = await skillApp({ alpha: answering('alpha', 'one') });
  const lift = app.kernel.hooks.before('skill.loading', ({ attributes }) =>
    attributes.skill_name === 'alpha' ? { reason: 'not today', code: 'policy' } : undefined,
  );
  await expect(app.skills.load('alpha')).rejects.toMatchObject({ code: 'EVENT_VETOED' });
  expect(names()).toEqual(['skill.loading', 'skill.validation_failed']);
  expect(events[1]?.attributes).toMatchObject({
    error_kind: 'event_vetoed',
    veto_code: 'policy',
    veto_reason: 'not today',
  });
  expect(app.skills.list()[0]).toMatchObject({ loaded: false, status: 'error' });
  void lift();
  await app.skills.load('alpha');
  expect(app.skills.list()[0]).toMatchObject({ loaded: true, status: 'loaded' });
});

test('a load whose code does not build changes nothing and says why', async () => {
  const { app, events, call, root } = await skillApp({ alpha: answering('alpha', 'one') });
  await writeFiles(join(root, 'alpha'), { 'tools/alpha_answer.ts': 'export default () => {' });
  await expect(app.skills.load('alpha')).rejects.toMatchObject({ code: 'SVC_SKILLS_RUNTIME_BUILD_FAILED' });
  expect(app.tools.list().filter(each => each.source === 'skill')).toEqual([]);
  expect(events.at(-1)).toMatchObject({ name: 'skill.validation_failed' });
  const result = await call('load_skill', { skill_name: 'alpha' });
  expect(result.isError).toBe(true);
  expect(result.structuredContent).toMatchObject({ loaded: false, errors: [{ skill_name: 'alpha' }] });
});

test('Dependencies load first, in topological order; a dependency of a loaded skill cannot be unloaded [spec:shape:dependencies]', async () => {
  const { app, events, json, call } = await skillApp({
    top: answering('top', 't', { svc: '    depends: [middle, base]' }),
    middle: answering('middle', 'm', { svc: '    depends: [base]' }),
    base: answering('base', 'b'),
  });
  const outcome = await json('load_skill', { skill_name: 'top' });
  expect(outcome).toMatchObject({
    loaded: true,
    partial: false,
    newly_loaded: ['base', 'middle', 'top'],
    tool_count: 3,
  });
  const loaded = events.filter(each => each.name === 'skill.loaded').map(each => each.attributes.skill_name);
  expect(loaded).toEqual(['base', 'middle', 'top']);
  await expect(app.skills.unload('base')).rejects.toThrow(/unload "\w+", "\w+" first/);
  expect(await call('unload_skill', { skill_name: 'middle' })).toMatchObject({ isError: true });
  await app.skills.unload('top');
  await app.skills.unload('middle');
  expect(await app.skills.unload('base')).toBe(true);
});

test('Dependencies: a missing one is named and leaves the skill pending_deps; a cycle is refused and named', async () => {
  const { app, events } = await skillApp({
    lonely: answering('lonely', 'l', { svc: '    depends: [nobody, base]' }),
    base: answering('base', 'b'),
    one: answering('one', '1', { svc: '    depends: [two]' }),
    two: answering('two', '2', { svc: '    depends: [one]' }),
  });
  expect(app.skills.list().find(each => each.name === 'lonely')).toMatchObject({
    status: 'pending_deps',
    missing_dependencies: ['nobody'],
  });
  await expect(app.skills.load('lonely')).rejects.toThrow(/not there: nobody/);
  expect(app.skills.isLoaded('base')).toBe(false);
  expect(events.at(-1)?.attributes).toMatchObject({ error_kind: 'missing_dependencies' });
  await expect(app.skills.load('one')).rejects.toThrow(/one -> two -> one/);
  expect(events.at(-1)?.attributes).toMatchObject({ error_kind: 'dependency_cycle' });
});

test('a dependency that fails takes the whole load back', async () => {
  const { app, events } = await skillApp({
    top: answering('top', 't', { svc: '    depends: [good, bad]' }),
    good: answering('good', 'g'),
    bad: answering('bad', 'b', { files: { 'tools/bad_answer.ts': 'throw new Error("no");' } }),
  });
  await expect(app.skills.load('top')).rejects.toThrow(/bad/);
  expect(app.skills.loadedCount()).toBe(0);
  expect(app.tools.list().filter(each => each.source === 'skill')).toEqual([]);
  const failed = events.filter(each => each.name === 'skill.validation_failed').map(each => each.attributes.skill_name);
  expect(failed).toEqual(['bad', 'top']);
  expect(events.some(each => each.name === 'skill.loaded')).toBe(false);
});

test('a name that cannot be published takes the load back', async () => {
  const { app } = await skillApp({
    alpha: answering('alpha', 'a', { tools: 'tools:\n  - name: fine\n  - name: alpha_answer\n' }),
  });
  const withdraw = app.tools.publish('host', [{ definition: { name: 'alpha__alpha_answer' } }], { source: 'host' });
  await expect(app.skills.load('alpha')).rejects.toThrow(/alpha_answer/);
  await withdraw();
  expect(app.tools.get('fine')).toBeUndefined();
  expect(app.skills.isLoaded('alpha')).toBe(false);
});

test('a tool without a file is listed but not executable; a skill of guidance alone loads', async () => {
  const { app } = await skillApp({
    words: { 'SKILL.md': skillMd('words') },
    plan: { 'SKILL.md': skillMd('plan'), 'tools.yaml': 'tools: [{name: planned, description: Later.}]' },
  });
  expect(await app.skills.load('words')).toEqual([]);
  expect(await app.skills.load('plan')).toEqual(['planned']);
  expect(app.tools.hasHandler('planned')).toBe(false);
});

test('a load reads the manifest again, also when nobody watches', async () => {
  const { app, root } = await skillApp({ alpha: answering('alpha', 'one') });
  await writeFiles(join(root, 'alpha'), {
    'tools.yaml': 'tools: [{name: renamed, source_file: tools/alpha_answer.ts}]',
  });
  expect(await app.skills.load('alpha')).toEqual(['renamed']);
  await rm(join(root, 'alpha'), { recursive: true });
  expect(await app.skills.discover()).toBe(0);
  expect(app.skills.isLoaded('alpha')).toBe(false);
});

test('tool groups: all are active after a load, one with tool_group, an unknown one is refused by name', async () => {
  const files = answering('alpha', 'one', {
    tools: 'tools:\n  - {name: a, group: ga}\n  - {name: b}\n  - {name: c}\n',
    files: {
      'groups.yaml': 'groups:\n  - {name: gb, tools: [b], default-active: true}\n  - {name: gc, tools: [c]}\n',
      'tools/a.ts': 'export default () => 1',
    },
  });
  const { app, json } = await skillApp({ alpha: files });
  const active = (outcome: Record<string, unknown>) =>
    (outcome.available_groups as { name: string; active: boolean }[])
      .filter(each => each.active)
      .map(each => each.name);
  await expect(app.skills.load('alpha', { tool_group: 'zz' })).rejects.toThrow(/use one of gb, gc, ga/);
  expect(active(await json('load_skill', { skill_name: 'alpha', tool_group: 'gc' })).sort()).toEqual(['gb', 'gc']);
  expect(active(await json('load_skill', { skill_name: 'alpha' })).sort()).toEqual(['ga', 'gb', 'gc']);
});

test('scopes: an unload leaves nothing of the skill behind', async () => {
  const { app } = await skillApp({ alpha: answering('alpha', 'one') });
  await app.skills.load('alpha');
  await app.skills.unload('alpha');
  const before = app.kernel.scope.list().filter(each => !each.includes('runtime'));
  for (let round = 0; round < 5; round += 1) {
    await app.skills.load('alpha');
    await app.skills.unload('alpha');
  }
  expect(app.kernel.scope.list().filter(each => !each.includes('runtime'))).toEqual(before);
  expect(app.kernel.scope.list().some(each => each.includes('skill:alpha'))).toBe(false);
});
