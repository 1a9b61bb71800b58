import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkPrompts } from '../../../plugins/prompts/api.ts';
import { validateSkillDirectory } from '../../../plugins/skills/api.ts';
import { promptApp, prompting } from './support.ts';

test('validation of a package tells what is wrong with its prompts, as warnings that name file and field', async () => {
  const good = 'prompts: [{name: hello, template: "Hi {{who}}", arguments: [{name: who}]}]';
  const { app, root } = await promptApp({
    good: prompting('good', { 'prompts.yaml': good }),
    bad: prompting('bad', { 'prompts.yaml': 'prompts: [{name: hello, template: "Hi"}, {name: 7}]' }),
    broken: prompting('broken', { 'prompts.yaml': 'prompts: [' }),
    absent: prompting('absent', {}, '    prompts: more.yaml'),
    none: prompting('none', {}),
  });
  const found = async (name: string) => {
    const report = await app.skills.validate(join(root, name));
    expect(report.errors).toEqual([]);
    expect(await validateSkillDirectory(join(root, name), { checks: [checkPrompts] })).toEqual(report);
    expect(JSON.stringify(report)).not.toContain(root);
    return report.warnings.filter(each => each.reason_code === 'invalid_prompts').map(each => each.message);
  };
  expect(await found('good')).toEqual([]);
  expect(await found('none')).toEqual([]);
  expect(await found('bad')).toEqual([expect.stringMatching(/^prompts\.yaml: prompts\[1\]/)]);
  expect(await found('broken')).toEqual([expect.stringMatching(/^prompts\.yaml: /)]);
  expect(await found('absent')).toEqual([expect.stringMatching(/^more\.yaml: the file does not exist/)]);
});
