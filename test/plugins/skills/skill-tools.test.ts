import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allColumns } from '../../../plugins/skills/catalog/list-skills.ts';
import { skillToolDefinitions } from '../../../plugins/skills/tools.ts';
import { answering, type Files, skillApp, skillMd } from './support.ts';

const many = (count: number): Record<string, Files> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const name = `skill-${String(at).padStart(3, '0')}`;
      return [name, { 'SKILL.md': skillMd(name) }] as const;
    }),
  );

const namesOf = (answer: Record<string, unknown>) => (answer.skills as { name: string }[]).map(each => each.name);

test('Limits: built-in descriptions keep to 500 characters in three layers, parameters to 100', () => {
  expect(skillToolDefinitions.map(each => each.name)).toEqual([
    'search_skills',
    'list_skills',
    'get_skill_info',
    'load_skill',
    'unload_skill',
  ]);
  for (const { description = '', input_schema, annotations } of skillToolDefinitions) {
    expect(description.length).toBeLessThanOrEqual(500);
    expect(description).toMatch(/^[^.]+\. When to use: .+ How to use: .+\.$/);
    expect(annotations).toMatchObject({ open_world_hint: false, deferred_hint: false });
    const { properties } = input_schema as { properties: Record<string, { description?: string }> };
    for (const each of Object.values(properties)) {
      expect(each.description?.length).toBeGreaterThan(0);
      expect(each.description?.length).toBeLessThanOrEqual(100);
    }
  }
});

test('list_skills: default page 25, maximum 50, 0 is unset, offset and next_offset page through all', async () => {
  const { json } = await skillApp(many(60));
  const first = await json('list_skills');
  expect(namesOf(first)).toHaveLength(25);
  expect(first).toMatchObject({ total: 60, truncated: true, next_offset: 25, limit: 25, offset: 0 });
  expect(String(first.next_step)).toContain('offset=25');
  expect(namesOf(await json('list_skills', { limit: 0 }))).toHaveLength(25);
  expect(namesOf(await json('list_skills', { limit: 1000 }))).toHaveLength(50);
  const last = await json('list_skills', { limit: 50, offset: 50 });
  expect(namesOf(last)).toHaveLength(10);
  expect(last).toMatchObject({ total: 60, truncated: false });
  expect(last).not.toHaveProperty('next_offset');
  expect(namesOf(last)).toEqual([...namesOf(last)].sort());
  await expect(json('list_skills', { limit: -1 })).rejects.toThrow(/limit/);
});

test('list_skills: the compact columns, columns without value left out, a strict allow-list', async () => {
  const { json } = await skillApp({
    alpha: answering('alpha', 'a', { svc: '    stage: draft\n    layer: core', description: 'First one. And more.' }),
    beta: answering('beta', 'b', { svc: '    depends: [nobody]' }),
  });
  expect((await json('list_skills')).skills).toEqual([
    {
      name: 'alpha',
      dcc: 'python',
      summary: 'First one.',
      tool_count: 1,
      status: 'unloaded',
      loaded: false,
      stage: 'draft',
    },
    {
      name: 'beta',
      dcc: 'python',
      summary: 'About beta.',
      tool_count: 1,
      status: 'pending_deps',
      loaded: false,
      missing_dependencies: ['nobody'],
    },
  ]);
  const chosen = await json('list_skills', { fields: ['name', 'layer', 'tool_names', 'scope'] });
  expect((chosen.skills as object[])[0]).toEqual({
    name: 'alpha',
    layer: 'core',
    tool_names: 'alpha_answer',
    scope: 'admin',
  });
  await expect(json('list_skills', { fields: ['secret'] })).rejects.toThrow(/fields/);
  expect(allColumns).toContain('runtime_state');
});

test('list_skills: status and include_skipped', async () => {
  const { app, json } = await skillApp({
    ...many(2),
    bad: { 'SKILL.md': '---\nname: bad\ndescription: d\nextra: 1\n---\n' },
    alpha: answering('alpha', 'a'),
  });
  await app.skills.load('alpha');
  expect(namesOf(await json('list_skills', { status: 'loaded' }))).toEqual(['alpha']);
  expect(namesOf(await json('list_skills', { status: 'unloaded' }))).toEqual(['skill-000', 'skill-001']);
  expect(namesOf(await json('list_skills', { status: 'error' }))).toEqual([]);
  const skipped = { skill_name: 'bad', reason_code: 'non_spec_top_level_keys' };
  expect(await json('list_skills', { status: 'skipped' })).toMatchObject({
    skills: [],
    total: 3,
    truncated: false,
    skipped_count: 1,
    skipped: [skipped],
  });
  expect(await json('list_skills', { include_skipped: true })).toMatchObject({ total: 3, skipped: [skipped] });
  expect(await json('list_skills')).not.toHaveProperty('skipped');
});

test('get_skill_info: metadata, schemas, guidance; a skipped and an unknown skill say so', async () => {
  const { call, json, root } = await skillApp({
    alpha: answering('alpha', 'a', {
      tools: 'tools: [{name: alpha_answer, read_only: true, input_schema: {type: object, required: [x]}}]',
    }),
    bad: { 'SKILL.md': '---\nname: bad\ndescription: d\nextra: 1\n---\n' },
  });
  expect(await json('get_skill_info', { skill_name: 'alpha' })).toMatchObject({
    name: 'alpha',
    version: '1.2.3',
    guidance: 'Guidance of alpha.',
    tools: [{ name: 'alpha_answer', inputSchema: { required: ['x'] }, annotations: { readOnlyHint: true } }],
  });
  const skipped = await call('get_skill_info', { skill_name: 'bad' });
  expect(skipped).toMatchObject({ isError: true, structuredContent: { error: 'skill_skipped' } });
  const unknown = await call('get_skill_info', { skill_name: 'ghost' });
  expect(unknown.isError).toBe(true);
  expect(JSON.stringify(unknown.content)).toContain('ghost');
  await expect(call('get_skill_info', {})).rejects.toThrow(/skill_name/);

  await writeFile(join(root, 'bad', 'SKILL.md'), skillMd('bad'));
  const stale = await call('get_skill_info', { skill_name: 'bad' });
  expect(stale.structuredContent).toMatchObject({ skipped: { reason_code: 'stale_skip_record' } });
  expect(await json('get_skill_info', { skill_name: 'bad' })).toMatchObject({ name: 'bad' });
});

test('load_skill: one or several, partial success, the tools come back with their metadata', async () => {
  const { call, json, app } = await skillApp({
    alpha: answering('alpha', 'a', {
      tools: 'tools: [{name: alpha_answer, execution: async, timeout_hint_secs: 9, job_strategy: chunked}]',
    }),
    beta: answering('beta', 'b'),
  });
  await expect(call('load_skill', {})).rejects.toMatchObject({
    code: 'SVC_TOOLS_INVALID_ARGUMENTS',
    message: 'Invalid arguments for tool "load_skill": "skill_name" is required',
  });
  const outcome = await json('load_skill', { skill_names: ['alpha', 'ghost'] });
  expect(outcome).toMatchObject({
    loaded: false,
    partial: true,
    registered_tools: ['alpha_answer'],
    newly_loaded: ['alpha'],
    errors: [{ skill_name: 'ghost', code: 'SVC_SKILLS_NOT_FOUND' }],
    tools: [
      {
        name: 'alpha_answer',
        skill_name: 'alpha',
        metadata: { dcc: { execution: 'async', affinity: 'any', timeoutHintSecs: 9, jobStrategy: 'chunked' } },
      },
    ],
  });
  expect(await json('load_skill', { skill_name: 'alpha' })).toMatchObject({
    loaded: true,
    newly_loaded: [],
    already_loaded: ['alpha'],
  });
  expect(await json('unload_skill', { skill_name: 'alpha' })).toEqual({ unloaded: true, tools_removed: 1 });
  expect(await json('unload_skill', { skill_name: 'alpha' })).toEqual({ unloaded: false, tools_removed: 0 });
  expect(await call('unload_skill', { skill_name: 'ghost' })).toMatchObject({ isError: true });
  expect(app.skills.loadedCount()).toBe(0);
});

test('search_skills: totals and rows', async () => {
  const { json } = await skillApp({ alpha: answering('alpha', 'a'), beta: answering('beta', 'b') });
  expect(await json('search_skills', { query: 'beta' })).toMatchObject({
    total: 1,
    skill_total: 2,
    query: 'beta',
    skills: [{ name: 'beta', tools: 1, loaded: false, scope: 'admin' }],
  });
  await expect(json('search_skills', { limit: 101 })).rejects.toThrow(/limit/);
});

test('a skill reaches other tools and the bus through ctx, but cannot fake an event of the server', async () => {
  const code = `import type { SkillTool } from 'svc';
const tool: SkillTool = async (args, ctx) => {
  ctx.emitEvent('alpha.done', { x: 1 });
  ctx.emitEvent('tool.completed', { fake: true });
  return { report: (await ctx.call('svc.validate_skill', { path: args.path })).structuredContent, config: ctx.config };
};
export default tool;
`;
  const found = await skillApp(
    { alpha: answering('alpha', '', { files: { 'tools/alpha_answer.ts': code } }) },
    { skill_config: { alpha: { level: 3 } } },
  );
  const seen: unknown[] = [];
  found.app.kernel.bus.on('*', event => void seen.push(event.attributes));
  await found.app.skills.load('alpha');
  const answer = await found.json('alpha_answer', { path: join(found.root, 'alpha') });
  expect(answer).toMatchObject({ report: { valid: true, skill_name: 'alpha' }, config: { level: 3 } });
  expect(seen).toContainEqual({ x: 1 });
  expect(seen).not.toContainEqual({ fake: true });
  await expect(found.call('svc.validate_skill', { path: found.root })).rejects.toThrow();
});

test('a call of a tool whose skill is not loaded says which skill to load, by bare and by qualified name', async () => {
  const { app, call } = await skillApp({ 'alpha-kit': answering('alpha-kit', 'a') });
  const told =
    /Tool "\S+" is not found\. It belongs to a skill that is not loaded: call load_skill with \{"skill_name": "alpha-kit"\}, then call it again/;
  await expect(call('alpha_kit_answer')).rejects.toThrow(told);
  await expect(call('alpha-kit__alpha_kit_answer')).rejects.toThrow(told);
  await app.skills.load('alpha-kit');
  expect((await call('alpha_kit_answer')).isError).toBeFalsy();
  await app.skills.unload('alpha-kit');
  await expect(call('alpha_kit_answer')).rejects.toThrow(/load_skill/);
});
