import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempDir, waitFor } from '../../../helper.ts';
import { answerCode, answering, type Files, type SkillApp, saveAtomically, skillApp, writeSkill } from '../support.ts';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** A watching application that has had time to look at everything once. */
async function watching(packages: Record<string, Files>): Promise<SkillApp> {
  const found = await skillApp(packages, { watch_skills: true });
  await pause(300);
  return found;
}

async function loadedAlpha(files: Files = answering('alpha', 'one')): Promise<SkillApp> {
  const found = await watching({ alpha: files });
  await found.app.skills.load('alpha');
  await pause(250);
  return found;
}

const answers = async ({ json }: SkillApp, answer: string) =>
  waitFor(async () => (await json('alpha_answer')).answer === answer, `the answer "${answer}"`);

test('a save of a tool file reaches the next calls without a restart, the tool list stays', async () => {
  const found = await loadedAlpha();
  const { root, names, broadcasts, app } = found;
  const { generation } = app.tools;
  const from = found.events.length;
  const sent = broadcasts.length;
  await writeFile(join(root, 'alpha/tools/alpha_answer.ts'), answerCode('two'));
  await answers(found, 'two');
  await waitFor(() => names(from).includes('skill.loaded'), 'the event');
  expect(names(from)).toEqual(['skill.loading', 'skill.loaded']);
  expect(found.events.at(-1)?.attributes).toMatchObject({ skill_name: 'alpha', reload: true });
  expect(app.tools.generation).toBe(generation);
  expect(broadcasts.length).toBe(sent);
});

test('an atomic save, and a delete followed by a new file, reload too', async () => {
  const found = await loadedAlpha();
  const file = join(found.root, 'alpha/tools/alpha_answer.ts');
  await saveAtomically(file, answerCode('two'));
  await answers(found, 'two');
  await saveAtomically(file, answerCode('three'));
  await answers(found, 'three');
  await rm(file);
  await pause(150);
  expect((await found.json('alpha_answer')).answer).toBe('three');
  await writeFile(file, answerCode('four'));
  await answers(found, 'four');
});

test('a transitive module, in a new folder or outside the skill directory, reloads the skill', async () => {
  const outside = await tempDir();
  await writeFile(join(outside, 'far.ts'), 'export const far = "far1";');
  const found = await loadedAlpha(
    answering('alpha', '', {
      files: {
        'lib/near.ts': 'export const near = "near1";',
        'tools/alpha_answer.ts': `import { near } from '../lib/near.ts';\nimport { far } from ${JSON.stringify(join(outside, 'far.ts'))};\nexport default () => ({ answer: near + far });`,
      },
    }),
  );
  await answers(found, 'near1far1');
  await writeFile(join(found.root, 'alpha/lib/near.ts'), 'export const near = "near2";');
  await answers(found, 'near2far1');
  await saveAtomically(join(outside, 'far.ts'), 'export const far = "far2";');
  await answers(found, 'near2far2');
});

test('unchanged content reloads nothing', async () => {
  const found = await loadedAlpha();
  const file = join(found.root, 'alpha/tools/alpha_answer.ts');
  const from = found.events.length;
  await utimes(file, new Date(), new Date());
  await writeFile(file, answerCode('one'));
  await pause(300);
  expect(found.names(from)).toEqual([]);
});

test('a broken save keeps the old version serving and is reported; a good one ends it', async () => {
  const found = await loadedAlpha();
  const file = join(found.root, 'alpha/tools/alpha_answer.ts');
  await writeFile(file, 'export default () => {');
  await waitFor(() => found.names().includes('skill.validation_failed'), 'the failure');
  expect((await found.json('alpha_answer')).answer).toBe('one');
  expect(found.app.skills.list()[0]).toMatchObject({ loaded: true, status: 'error' });
  const listed = await found.json('list_skills', { status: 'error', fields: ['name', 'error'] });
  expect(listed.skills).toMatchObject([{ name: 'alpha', error: { error_kind: 'runtime_build_failed' } }]);
  await writeFile(file, answerCode('two'));
  await answers(found, 'two');
  await waitFor(() => found.app.skills.list()[0]?.status === 'loaded', 'the status');
});

test('a broken manifest of a loaded skill keeps it serving; going back to the old text clears the error', async () => {
  const files = answering('alpha', 'one');
  const found = await loadedAlpha(files);
  await writeFile(join(found.root, 'alpha/SKILL.md'), 'no frontmatter');
  await waitFor(() => found.app.skills.list()[0]?.status === 'error', 'the status');
  expect((await found.json('alpha_answer')).answer).toBe('one');
  expect(found.app.skills.skipped()).toMatchObject([{ reason_code: 'missing_frontmatter' }]);
  await writeFile(join(found.root, 'alpha/SKILL.md'), files['SKILL.md'] ?? '');
  await waitFor(() => found.app.skills.list()[0]?.status === 'loaded', 'the status');
  expect(found.app.skills.skipped()).toEqual([]);
});

test('a changed tools.yaml publishes the new list and tells the clients', async () => {
  const found = await loadedAlpha();
  const sent = found.broadcasts.length;
  const text =
    'tools:\n  - name: alpha_answer\n    description: Answers better.\n  - {name: more, source_file: tools/alpha_answer.ts}\n';
  await writeFile(join(found.root, 'alpha/tools.yaml'), text);
  await waitFor(() => found.app.tools.get('more'), 'the new tool');
  expect(found.app.tools.get('alpha_answer')?.description).toBe('Answers better.');
  expect((await found.json('more')).answer).toBe('one');
  await waitFor(() => found.broadcasts.length > sent, 'list_changed');
});

test('new packages appear as stubs, changed ones change, removed ones disappear', async () => {
  const found = await watching({});
  const stubs = async () => {
    const { skills } = await found.json('list_skills');
    return (skills as { name: string; summary: string }[]).map(each => `${each.name}: ${each.summary}`);
  };
  await writeSkill(found.root, 'beta', answering('beta', 'b'));
  await waitFor(async () => (await stubs()).includes('beta: About beta.'), 'the new skill');
  await writeSkill(found.root, 'beta', answering('beta', 'b', { description: 'Other words.' }));
  await waitFor(async () => (await stubs()).includes('beta: Other words.'), 'the new text');
  await rename(join(found.root, 'beta'), join(found.root, '.hidden'));
  await waitFor(async () => (await stubs()).length === 0, 'its end');
  await rename(join(found.root, '.hidden'), join(found.root, 'beta'));
  await waitFor(async () => (await stubs()).length === 1, 'its return');
});

test('a removed directory unloads its skill; one that comes back at once does not', async () => {
  const found = await loadedAlpha();
  const directory = join(found.root, 'alpha');
  await rename(directory, join(found.root, '.away'));
  await pause(60);
  await rename(join(found.root, '.away'), directory);
  await pause(500);
  expect(found.app.skills.isLoaded('alpha')).toBe(true);
  await writeFile(join(directory, 'tools/alpha_answer.ts'), answerCode('two'));
  await answers(found, 'two');
  await rm(directory, { recursive: true });
  await waitFor(() => !found.app.skills.isLoaded('alpha'), 'the unload');
  expect(found.app.skills.list()).toEqual([]);
  expect(found.app.tools.get('alpha_answer')).toBeUndefined();
  await mkdir(directory);
  await writeSkill(found.root, 'alpha', answering('alpha', 'back'));
  await waitFor(() => found.app.skills.list().length === 1, 'its return');
  await found.app.skills.load('alpha');
  await answers(found, 'back');
});

test('no call fails or answers with an old version after a newer one while saves go on', async () => {
  const found = await loadedAlpha(answering('alpha', '0'));
  const file = join(found.root, 'alpha/tools/alpha_answer.ts');
  let running = true;
  onTestFinished(() => {
    running = false;
  });
  const seen: number[] = [];
  const caller = async () => {
    while (running) seen.push(Number((await found.json('alpha_answer')).answer));
  };
  const callers = [caller(), caller(), caller(), caller()];
  for (let version = 1; version <= 8; version += 1) {
    await (version % 2 ? writeFile : saveAtomically)(file, answerCode(String(version)));
    await answers(found, String(version));
  }
  running = false;
  await Promise.all(callers);
  expect(seen.length).toBeGreaterThan(8);
  expect(new Set(seen).has(8)).toBe(true);
});

test('a call in flight finishes on the code it began with', async () => {
  const slow = (answer: string) =>
    `export default async () => { await new Promise(r => setTimeout(r, 400)); return { answer: ${JSON.stringify(answer)} }; };\n`;
  const found = await loadedAlpha(answering('alpha', '', { files: { 'tools/alpha_answer.ts': slow('old') } }));
  const pending = found.json('alpha_answer');
  const from = found.events.length;
  await writeFile(join(found.root, 'alpha/tools/alpha_answer.ts'), answerCode('new'));
  await waitFor(() => found.names(from).includes('skill.loaded'), 'the reload');
  expect((await found.json('alpha_answer')).answer).toBe('new');
  expect((await pending).answer).toBe('old');
});

test('links that lead in circles are not followed, and the skill beside them reloads', async () => {
  const root = await tempDir();
  await writeSkill(root, 'alpha', answering('alpha', 'one'));
  await mkdir(join(root, 'alpha/lib'));
  await symlink('.', join(root, 'alpha/loop'));
  await symlink('..', join(root, 'alpha/tools/again'));
  await symlink('..', join(root, 'alpha/lib/again'));
  const found = await skillApp({}, { watch_skills: true, skill_paths: [root] });
  await found.app.skills.load('alpha');
  await pause(1000);
  // One watcher a real file or folder.
  expect(process.getActiveResourcesInfo().filter(each => each === 'FSEventWrap').length).toBeLessThan(40);
  await writeFile(join(root, 'alpha/tools/alpha_answer.ts'), answerCode('two'));
  await answers(found, 'two');
});
