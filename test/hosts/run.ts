/**
 * `npm run hosts [-- <word>...]`: real applications with our add-ons against the built server: Blender and FreeCAD,
 * in the background and in a window. Words choose those whose names have them all; one that is not installed is skipped by name.
 * `--json <file>` also writes the counts and what failed.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Application, Step } from './application.ts';
import { blenderInBackground, blenderInWindow, blenderWithViewport } from './blender.ts';
import { freecad, freecadInWindow } from './freecad.ts';
import { blenderHard } from './hard.ts';
import { blenderStory } from './story.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const counts = { passed: 0, failed: 0, failures: [] as string[] };
const all: readonly Application[] = [
  blenderInBackground,
  blenderInWindow,
  blenderWithViewport,
  blenderStory,
  blenderHard,
  freecad,
  freecadInWindow,
];

for (const each of all) {
  if (!positionals.every(word => each.name.includes(word))) continue;
  const missing = await each.missing();
  if (missing !== undefined) {
    console.log(`${each.name}: skipped, ${missing} is not installed`);
    continue;
  }
  const step: Step = async (name, work) => {
    try {
      await work();
      counts.passed += 1;
      console.log(`${each.name}: ${name}: ok`);
    } catch (error) {
      counts.failed += 1;
      const failure = `${each.name}: ${name}: ${error instanceof Error ? error.message : String(error)}`;
      counts.failures.push(failure);
      console.log(failure);
    }
  };
  // What fails before the first step is a failure too.
  await each.run(step).catch((error: unknown) => step('start and end', () => Promise.reject(error)));
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
if (values.json) await writeFile(values.json, JSON.stringify(counts));
process.exitCode = counts.failed > 0 ? 1 : 0;
