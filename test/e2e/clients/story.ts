/** The main job of the product, as a user has it: the built program, copied bundled skills, an official client. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../kernel/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { listening, runProgram } from '../program.ts';
import type { CallResult, DrivenClient, Driver } from './driver.ts';

const json = ({ content }: CallResult): Record<string, unknown> => JSON.parse(content[0]?.text ?? '');

async function names(client: DrivenClient): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listPage(cursor);
    found.push(...page.names);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

/** Names of the skills that ship with the server: `skills/examples` holds others. */
export async function bundledSkills(): Promise<string[]> {
  const entries = await readdir(join(packageRoot, 'skills'), { withFileTypes: true });
  return entries.filter(each => each.isDirectory() && each.name !== 'examples').map(({ name }) => name);
}

/** The program over a folder with copies of the bundled skills; default settings otherwise, as a user has them. */
async function startedProgram(driver: Driver) {
  const [skills, home] = [await tempDir(), await tempDir()];
  await cp(join(packageRoot, 'skills'), skills, { recursive: true });
  const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), SVC_SKILL_PATHS: skills, SVC_BUNDLED_SKILLS: 'false' };
  const run = runProgram(['serve', '--json', '--port', '0', '--gateway-port', '0'], env);
  const { mcp_url } = await listening(run);
  let changes = 0;
  const client = await driver.open(mcp_url, { onListChanged: () => (changes += 1) });
  onTestFinished(() => client.close());
  return { run, skills, client, changes: () => changes };
}

/** Declares the story for one client. */
export function story(driver: Driver): void {
  describe(`the first run, with ${driver.name}`, () => {
    test('stubs are listed, a skill loads, its tools work, an edited file answers the next call', async () => {
      const { run, skills, client, changes } = await startedProgram(driver);
      const bundled = await bundledSkills();
      const listed = await names(client);
      expect(bundled.length).toBeGreaterThanOrEqual(2);
      expect(listed).toEqual(expect.arrayContaining(bundled.map(name => `__skill__${name}`)));
      expect(listed).not.toContain('process_status');

      const loaded = json(await client.call('load_skill', { skill_name: 'diagnostics' }));
      expect(loaded.registered_tools).toContain('process_status');
      const after = await names(client);
      expect(after).toContain('process_status');
      expect(after).not.toContain('__skill__diagnostics');
      const status = async () => json(await client.call('process_status'));
      expect(await status()).toMatchObject({ success: true, message: expect.stringContaining('skills loaded') });

      const file = join(skills, 'diagnostics', 'tools', 'process-status.ts');
      const before = await readFile(file, 'utf8');
      const edited = before.replace('export default async function processStatus', 'async function processStatus');
      expect(edited).not.toBe(before);
      await writeFile(
        file,
        `${edited}
export default async (args: Fields, ctx: SkillContext) => ({ ...(await processStatus(args, ctx)), message: 'edited' });
`,
      );
      await waitFor(async () => (await status()).message === 'edited', 'the edited tool');

      // A broken save keeps the last good version serving.
      await writeFile(file, 'export default async () => { this is not a program');
      for (let call = 0; call < 20; call += 1) {
        expect(await status()).toMatchObject({ success: true, message: 'edited' });
        await new Promise(resolve => setTimeout(resolve, 25));
      }
      await writeFile(file, before);
      await waitFor(async () => (await status()).message !== 'edited', 'the repaired tool');

      expect(json(await client.call('unload_skill', { skill_name: 'diagnostics' }))).toMatchObject({ unloaded: true });
      expect(await names(client)).toContain('__skill__diagnostics');
      await waitFor(() => changes() > 0, 'a list_changed');
      run.child.kill('SIGTERM');
      expect(await run.ended).toBe(0);
    });
  });
}
