/**
 * `npm run browser [-- [--figures] <word>...]`: the admin page in Chromium against the built gateway with real instances. First what
 * people do, then every panel in light and dark, wide and narrow, with a screenshot of each in test/browser/shots/ and a
 * look by axe; with `--figures` also how quick it is, which other work on the machine would spoil. Words choose by name.
 * `--json <file>` also writes the counts and what failed.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { chromiumPath, openBrowser } from './chromium.ts';
import { figures } from './figures.ts';
import { hardStories, restart } from './hard.ts';
import { listenTo } from './judge.ts';
import { lookAtAll, lookAtStates } from './looks.ts';
import { lookAtSignIn } from './sign-in.ts';
import { type Story, stories } from './stories.ts';
import { type Studio, startStudio } from './studio.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, figures: { type: 'boolean' } },
});
const chosen = (name: string): boolean => positionals.every(word => name.toLowerCase().includes(word.toLowerCase()));
const shots = join(import.meta.dirname, 'shots');
const counts = { passed: 0, failed: 0, failures: [] as string[] };

function told(name: string, problems: readonly string[], note = ''): void {
  counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name}${note && `: ${note}`}`);
  for (const each of problems) console.log(`       ${each}`);
  if (problems.length > 0) counts.failures.push([name, ...problems].join('\n  '));
}

async function tell(browser: Browser, studio: Studio, { name, tell: run, passes }: Story): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const heard = listenTo(page, new URL(studio.admin).origin);
  const problems: string[] = [];
  try {
    await run(page, studio);
  } catch (error) {
    problems.push(String((error as Error).message));
    await page.screenshot({ path: join(shots, `failed-${name.replaceAll(/\W+/g, '-').slice(0, 40)}.png`) });
  }
  told(name, [...problems, ...heard().filter(each => !passes?.test(each))]);
  await context.close();
}

async function run(executable: string): Promise<void> {
  await mkdir(shots, { recursive: true });
  const studio = await startStudio();
  try {
    const browser = await openBrowser(executable);
    try {
      for (const each of [...stories, ...hardStories, restart])
        if (chosen(each.name)) await tell(browser, studio, each);
      const guarded = 'a gateway that asks for tokens: signed in, out, and thrown out';
      if (chosen(guarded)) told(guarded, await lookAtSignIn(browser, shots));
      for (const { name, problems } of await lookAtAll(browser, studio, shots, chosen)) told(name, problems);
      for (const { name, problems } of await lookAtStates(browser, shots, chosen)) told(name, problems);
      for (const each of values.figures ? figures : []) {
        if (!chosen(each.name)) continue;
        const { problems, note } = await each.measure(browser, studio);
        told(each.name, problems, note);
      }
    } finally {
      await browser.close();
    }
  } finally {
    await studio.stop();
  }
  if (counts.passed + counts.failed === 0) throw new Error('nothing has this name');
}

const executable = chromiumPath();
if (executable === undefined) {
  console.log('skipped: there is no Chromium (apt-get install chromium, or set SVC_TEST_CHROMIUM to its path)');
} else {
  await run(executable);
  console.log(`${counts.passed} looks and stories passed, ${counts.failed} failed; screenshots in test/browser/shots/`);
}
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
