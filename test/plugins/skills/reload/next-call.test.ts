/** "The next call runs the new code": calls wait for a save that is being applied, and what was broken is tried again. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPendingReloads } from '../../../../plugins/skills/reload/pending-reloads.ts';
import { waitFor } from '../../../helper.ts';
import { answerCode, answering, type SkillApp, skillApp, skillMd, writeSkill } from '../support.ts';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function loaded(options: object = {}): Promise<SkillApp> {
  const found = await skillApp({ alpha: answering('alpha', 'one') }, { watch_skills: true, ...options });
  await found.app.skills.load('alpha');
  await pause(400);
  return found;
}

const failed = async ({ app, events }: SkillApp, from: number) => {
  await waitFor(() => events.slice(from).some(each => each.name === 'skill.validation_failed'), 'the failed reload');
  return app;
};

test('a call that comes after a save waits for it, however long the saves are gathered', async () => {
  const found = await loaded({ watch_debounce_ms: 1000 });
  const file = join(found.root, 'alpha/tools/alpha_answer.ts');
  /** Saves and calls until the save was noticed; what was answered to those that waited for it. */
  const afterSave = async (text: string) => {
    await writeFile(file, text);
    return waitFor(async () => {
      const answers = await Promise.all([found.call('alpha_answer'), found.call('alpha_answer')]);
      const waited = answers.filter(each => each._meta);
      return waited.length > 0 ? waited : undefined;
    }, 'a call that waits');
  };
  const answers = await afterSave(answerCode('two'));
  for (const { structuredContent } of answers) expect(structuredContent).toMatchObject({ answer: 'two' });
  const _meta = answers[0]?._meta;
  // Who waited is told which version answered.
  const skill = { name: 'alpha', version: '1.2.3', digest: expect.stringMatching(/^[0-9a-f]{64}$/) };
  expect(_meta).toEqual({ dcc: { skill } });
  expect((await found.call('alpha_answer'))._meta).toBeUndefined();
  // A broken save: the old code serves, and says so; calls do not wait again and again.
  const { digest } = (_meta as { dcc: { skill: { digest: string } } }).dcc.skill;
  const [stale] = await afterSave('export default (');
  expect(stale).toMatchObject({
    structuredContent: { answer: 'two' },
    _meta: { dcc: { skill: { name: 'alpha', version: '1.2.3', digest, stale: true } } },
  });
});

test('files that no code is made of make no call wait', async () => {
  const found = await loaded({ watch_debounce_ms: 60_000 });
  await writeFile(join(found.root, 'alpha/state.json'), '{}');
  await pause(100);
  expect((await found.json('alpha_answer')).answer).toBe('one');
});

test('load_skill tries a broken skill again and says why; a dependency that appears mends it', async () => {
  const found = await loaded();
  const manifest = join(found.root, 'alpha/SKILL.md');
  const from = found.events.length;
  await writeFile(manifest, skillMd('alpha', { svc: '    depends: [beta]\n' }));
  const app = await failed(found, from);
  await expect(app.skills.load('alpha')).rejects.toThrow(/beta/);
  expect((await found.json('alpha_answer')).answer).toBe('one');
  await writeSkill(found.root, 'beta', answering('beta', 'b'));
  await waitFor(() => app.skills.isLoaded('beta'), 'the skill that it needs');
  await waitFor(() => app.skills.list().every(each => each.status !== 'error'), 'the end of the error');
  expect(await app.skills.load('alpha')).toEqual(['alpha_answer']);
});

test('a skill whose folder was moved goes on, from its new place', async () => {
  const found = await loaded();
  await rename(join(found.root, 'alpha'), join(found.root, 'moved'));
  await pause(1200);
  expect(found.app.skills.isLoaded('alpha')).toBe(true);
  await writeFile(join(found.root, 'moved/tools/alpha_answer.ts'), answerCode('two'));
  await waitFor(async () => (await found.json('alpha_answer')).answer === 'two', 'the code of the new place');
  await rm(join(found.root, 'moved'), { recursive: true });
  await waitFor(() => !found.app.skills.isLoaded('alpha'), 'the end of the skill');
});

test('a wait has a bound, and belongs to the newest save', async () => {
  const pending = createPendingReloads(200);
  onTestFinished(pending.close);
  expect(pending.of('a')).toBeUndefined();
  pending.note('a');
  const applied = pending.begin();
  pending.note('a');
  const order: string[] = [];
  const newest = pending.of('a')?.then(() => order.push('bound'));
  applied();
  await pause(20);
  expect(order).toEqual([]);
  await newest;
  expect(order).toEqual(['bound']);
  expect(pending.of('b')).toBeUndefined();
});
