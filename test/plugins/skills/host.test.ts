import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDir, waitFor } from '../../helper.ts';
import { callTool, modes, testServer } from '../../server.ts';

/** A folder with one skill, `ruler`, whose tool `measure` doubles a number. */
async function ruler(): Promise<string> {
  const root = await tempDir();
  const folder = join(root, 'ruler');
  await mkdir(join(folder, 'tools'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), '---\nname: ruler\ndescription: Measures curves.\n---\nMeasure.\n');
  await writeFile(
    join(folder, 'tools.yaml'),
    'tools:\n  - name: measure\n    description: Doubles n.\n    source_file: tools/measure.ts\n',
  );
  await writeFile(
    join(folder, 'tools', 'measure.ts'),
    'export default ({ n }: { n: number }) => ({ twice: n * 2 });\n',
  );
  return root;
}

describe.each(modes)('skill operations, spawn_mode %s', mode => {
  test('discover, search, list, load, is_loaded, loaded_count, has_handler, unload [spec:ops:discover spec:ops:load-skill spec:ops:unload-skill spec:ops:is-loaded spec:ops:loaded-count spec:ops:list-skills-status]', async () => {
    const server = testServer(mode, { cache_dir: await tempDir() });
    const before = await server.discover();
    expect(await server.discover([await ruler()])).toBe(before + 1);
    expect((await server.searchSkills({ query: 'curves' })).map(each => each.name)).toContain('ruler');
    expect((await server.listSkills('unloaded')).map(each => each.name)).toContain('ruler');
    expect([await server.isLoaded('ruler'), await server.loadedCount()]).toEqual([false, 0]);
    expect(await server.loadSkill('ruler')).toEqual(['measure']);
    expect([await server.isLoaded('ruler'), await server.loadedCount()]).toEqual([true, 1]);
    expect((await server.listSkills('loaded')).map(each => each.name)).toEqual(['ruler']);
    await waitFor(() => server.hasHandler('measure'), 'the host to know of the handler');
    const service = await server.start();
    expect((await callTool(service, 'measure', { n: 4 })).body.structuredContent).toEqual({ twice: 8 });
    expect(await server.unloadSkill('ruler')).toBe(true);
    expect(await server.unloadSkill('ruler')).toBe(false);
    expect([await server.isLoaded('ruler'), await server.loadedCount()]).toEqual([false, 0]);
    await waitFor(() => !server.hasHandler('measure'), 'the host to forget the handler');
  });

  test('a wrong argument of discover or searchSkills is refused by name, and harms nothing after it', async () => {
    const server = testServer(mode, { cache_dir: await tempDir() });
    for (const paths of ['/tmp', 5, null, [5], [''], ['a\0b'], ['x'.repeat(5000)]]) {
      await expect(server.discover(paths as never)).rejects.toMatchObject({
        code: 'SVC_SERVER_INVALID_ARGUMENT',
        message: expect.stringContaining('paths'),
      });
    }
    await expect(server.discover([], 5 as never)).rejects.toThrow(/"dcc" must be string/);
    await expect(server.searchSkills({ quary: 'x' } as never)).rejects.toThrow(/"quary" is not a known field/);
    await expect(server.listSkills('laoded' as never)).rejects.toThrow(/"status" must be one of/);
    expect(await server.discover([await ruler(), '/nowhere/at/all', 'y'.repeat(300)])).toBeGreaterThan(0);
    expect(await server.loadSkill('ruler')).toEqual(['measure']);
  });

  test('a skill that does not exist is refused with a code; a hook on the host vetoes a load', async () => {
    const server = testServer(mode, { cache_dir: await tempDir() });
    await expect(server.loadSkill('nowhere')).rejects.toMatchObject({ code: expect.stringMatching(/^SVC_SKILLS_/) });
    await server.discover([await ruler()]);
    await server.bus.before('skill.loading', () => server.bus.veto('frozen for delivery', 'policy'));
    await expect(server.loadSkill('ruler')).rejects.toThrow(/frozen for delivery/);
    expect(await server.loadedCount()).toBe(0);
  });
});
