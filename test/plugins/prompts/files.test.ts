import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir, waitFor } from '../../helper.ts';
import { saveAtomically, skillMd, writeSkill } from '../skills/support.ts';
import { promptApp, prompting, promptsYaml, textOf } from './support.ts';

type App = Awaited<ReturnType<typeof promptApp>>['app'];

async function namesOf(app: App): Promise<string[]> {
  await app.prompts.settled();
  return app.prompts.list().map(each => each.name);
}

const logged = (app: App) =>
  app.kernel
    .logTail(1000)
    .map(each => JSON.stringify(each))
    .join('\n');

test('prompts.yaml, named in the manifest or simply there [spec:shape:prompts]', async () => {
  const { app } = await promptApp({
    named: prompting('named', { 'my.yaml': promptsYaml('one', 'two') }, '    prompts: my.yaml'),
    there: prompting('there', { 'prompts.yaml': promptsYaml('three') }),
    none: prompting('none', {}),
  });
  for (const name of ['named', 'there', 'none']) await app.skills.load(name);
  expect(await namesOf(app)).toEqual(['one', 'three', 'two']);
  expect(app.prompts.list()[0]).toEqual({
    name: 'one',
    description: 'About one.',
    arguments: [{ name: 'path', required: true }],
  });
});

test('the glob form has one prompt per file, named by the file when it names itself not [spec:shape:prompts]', async () => {
  const { app } = await promptApp({
    alpha: prompting(
      'alpha',
      {
        'prompts/a.prompt.yaml': 'name: first\ntemplate: one\n',
        'prompts/b.prompt.yaml': 'template: two\n',
        'prompts/.hidden.prompt.yaml': 'template: no\n',
        'prompts/readme.md': 'not a prompt',
        'prompts/deep/c.prompt.yaml': 'template: no\n',
      },
      '    prompts: prompts/*.prompt.yaml',
    ),
  });
  await app.skills.load('alpha');
  expect(await namesOf(app)).toEqual(['b', 'first']);
});

test('the older namespace works unchanged', async () => {
  const md =
    '---\nname: maya-geometry\ndescription: "Geometry."\nmetadata:\n  dcc-mcp.dcc: maya\n  dcc-mcp.prompts: prompts.yaml\n  dcc-mcp.workflows: "workflows/*.workflow.yaml"\n---\n';
  const { app } = await promptApp({
    'maya-geometry': {
      'SKILL.md': md,
      'prompts.yaml': promptsYaml('bevel'),
      'workflows/nightly.workflow.yaml': 'steps: [{ id: scan, tool: scan }]\n',
    },
  });
  await app.skills.load('maya-geometry');
  expect(await namesOf(app)).toEqual(['bevel', 'maya-geometry.nightly']);
});

test('derived prompts: examples, recipes, workflows [spec:shape:prompts]', async () => {
  const workflow =
    'name: bake\ndescription: Bakes the proxies.\ninputs:\n  frames: { description: frame range }\nsteps:\n  - id: open\n    tool: scene__open\n    description: opens it\n  - name: both\n    kind: parallel\n    branches:\n      - [{ id: left }, { id: right, tool: go }]\n';
  const { app } = await promptApp({
    alpha: prompting(
      'alpha',
      {
        'prompts.yaml': 'workflows:\n  - file: flows/bake.yaml\n  - { file: flows/bake.yaml, prompt_name: bake_it }\n',
        'flows/bake.yaml': workflow,
        'references/EXAMPLES.md': '# Example\nUse {{braces}} freely.\n',
        'recipes/soup.md': 'Boil.',
        'recipes/bread.md': 'Bake.',
      },
      '    examples: references/EXAMPLES.md\n    recipes: recipes/*.md',
    ),
  });
  await app.skills.load('alpha');
  expect(await namesOf(app)).toEqual([
    'alpha.bake',
    'alpha.examples',
    'alpha.recipes.bread',
    'alpha.recipes.soup',
    'bake_it',
  ]);
  expect(textOf(await app.prompts.render('alpha.examples', { braces: 'x' }))).toContain('Use {{braces}} freely.');
  const bake = textOf(await app.prompts.render('alpha.bake', {}));
  expect(bake).toContain('Bakes the proxies.');
  expect(bake).toContain('- frames - frame range');
  expect(bake).toContain('1. open: scene__open - opens it');
  expect(bake).toContain('   2.2. right: go');
});

test('a broken prompt file fails no load and is told in the log; what is good of it is published', async () => {
  const { app } = await promptApp(
    {
      broken: prompting('broken', { 'prompts.yaml': 'prompts: [\n' }),
      partly: prompting('partly', {
        'prompts.yaml': `${promptsYaml('good')}  - name: "bad name"\n    template: x\n  - name: empty\n  - 7\n`,
      }),
      lost: prompting('lost', {}, '    prompts: gone.yaml\n    workflows: no.yaml\n    examples: [1]'),
    },
    { log_level: 'warn' },
  );
  for (const name of ['broken', 'partly', 'lost']) await app.skills.load(name);
  expect(await namesOf(app)).toEqual(['good']);
  const log = logged(app);
  for (const part of [
    'prompts.yaml',
    'bad name',
    'prompts[2]',
    'prompts[3] must be a mapping',
    'gone.yaml',
    'no.yaml',
  ]) {
    expect(log).toContain(part.replaceAll('"', '\\"'));
  }
});

test('files stay inside the package: "..", absolute paths and links that lead out give nothing', async () => {
  const outside = await tempDir();
  await writeFile(join(outside, 'secret.md'), 'secret');
  await writeFile(join(outside, 'secret.prompt.yaml'), 'template: secret');
  const { app, root } = await promptApp(
    {
      alpha: prompting(
        'alpha',
        { 'prompts.yaml': `workflows: [{ file: ${JSON.stringify(join(outside, 'secret.md'))} }]`, 'in/ok.md': 'fine' },
        '    examples: ["../../secret.md", "link/secret.md", "in/*.md"]\n    recipes: link/*.md',
      ),
      beta: prompting('beta', {}, '    prompts: "link/*.yaml"'),
    },
    { log_level: 'warn' },
  );
  await symlink(outside, join(root, 'alpha/link'));
  await symlink(outside, join(root, 'beta/link'));
  await app.skills.load('alpha');
  await app.skills.load('beta');
  expect(await namesOf(app)).toEqual(['alpha.examples.ok']);
  expect(logged(app)).toContain('outside the package');
});

test('size caps: a file that is too large, and a pipe, are problems and not hangs', async () => {
  const { app, root } = await promptApp({
    alpha: prompting('alpha', { 'prompts.yaml': `# ${'x'.repeat(140 * 1024)}\n` }, '    recipes: pipe.md'),
  });
  if (process.platform !== 'win32') {
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(root, 'alpha/pipe.md')]);
  }
  await app.skills.load('alpha');
  expect(await namesOf(app)).toEqual([]);
});

test('edits of prompt files take effect while the skill is loaded; a save that does not parse takes nothing away', async () => {
  const { app, root } = await promptApp(
    {
      alpha: prompting('alpha', { 'prompts.yaml': promptsYaml('one') }),
      beta: prompting('beta', { 'prompts/x.prompt.yaml': 'template: x\n' }, '    prompts: prompts/*.prompt.yaml'),
    },
    { watch_skills: true },
  );
  await new Promise(resolve => setTimeout(resolve, 300));
  await app.skills.load('alpha');
  await app.skills.load('beta');
  await new Promise(resolve => setTimeout(resolve, 300));
  const becomes = (...names: string[]) =>
    waitFor(async () => String(await namesOf(app)) === String(names), `the prompts ${names}`);
  const file = join(root, 'alpha/prompts.yaml');
  await becomes('one', 'x');
  await saveAtomically(file, promptsYaml('one', 'two'));
  await becomes('one', 'two', 'x');
  await writeFile(file, 'prompts: [ broken');
  await new Promise(resolve => setTimeout(resolve, 200));
  await becomes('one', 'two', 'x');
  await writeFile(join(root, 'beta/prompts/y.prompt.yaml'), 'template: y\n');
  await becomes('one', 'two', 'x', 'y');
  await rm(join(root, 'beta/prompts'), { recursive: true });
  await becomes('one', 'two');
  await mkdir(join(root, 'alpha/examples'));
  await writeFile(join(root, 'alpha/examples/e.md'), 'An example.');
  await writeFile(file, promptsYaml('three'));
  await writeSkill(root, 'alpha', { 'SKILL.md': skillMd('alpha', { svc: '    examples: examples/*.md' }) });
  await becomes('alpha.examples.e', 'three');
  expect(app.skills.isLoaded('alpha')).toBe(true);
});
