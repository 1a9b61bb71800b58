/** Skill packages that benchmarks load, in a folder that goes with them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SkillFixture, writeSkill } from '../spec/skill-package.ts';
import { echoSchema } from './peers/echo.ts';

/** Runs `body` with a folder of `skills`. */
export async function withSkills<T>(
  skills: Record<string, SkillFixture>,
  body: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  try {
    for (const [name, fixture] of Object.entries(skills)) await writeSkill(folder, name, fixture);
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A skill whose one tool echoes, under the schema of the in-thread one. */
export const echoSkill = (tool = 'skill_echo'): SkillFixture => ({
  tools: [{ name: tool, input_schema: { ...echoSchema } }],
});

/** A skill that leaves behind what a careless author leaves behind. */
export const dirtySkill: SkillFixture = {
  tools: [
    {
      name: 'dirty',
      body: `
        globalThis.__litter = (globalThis.__litter ?? []).concat(new Array(100_000).fill('litter'));
        setInterval(() => globalThis.__litter.length, 5);
        process.on('uncaughtException', () => undefined);
        process.on('exit', () => undefined);
        return { ok: true };`,
    },
  ],
  files: { 'tools/unused.ts': 'export const unused = 1;\n' },
};
