/** Writes a new skill package: complete, valid, and there all at once, so that a watcher never sees half of it. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { skillErrors } from '../errors.ts';
import { exists } from '../packages/package-files.ts';
import { type ScaffoldTemplate, scaffoldTemplates, templateFiles } from './scaffold-templates.ts';
import { skillTypes } from './skill-types.ts';

export interface ScaffoldOptions {
  /** Name of the skill and of its directory: lower-case letters, digits and `-`. */
  name: string;
  /** Directory in which the package directory is made. */
  directory: string;
  description?: string | undefined;
  /** Default `typescript`. */
  template?: string | undefined;
  /** Name of the tool, default `measure_text`. */
  tool?: string | undefined;
  /** Host type, default `python`. */
  dcc?: string | undefined;
}

export interface Scaffolded {
  skill_name: string;
  directory: string;
  /** Relative to the directory. */
  files: string[];
}

/** Shorter than what is accepted: `__skill__<name>` is a tool name of at most 64 characters. */
const maxSkillName = 55;

/** Creates `<directory>/<name>`; throws SVC_SKILLS_SCAFFOLD_REFUSED for a bad name or when it exists already. */
export async function scaffoldSkill(options: ScaffoldOptions): Promise<Scaffolded> {
  const { name, template = 'typescript', tool = 'measure_text', dcc = 'python' } = options;
  const description =
    options.description?.trim() || `Measures texts: words, lines, characters. Use when a text's size matters.`;
  const refuse = (reason: string, cause?: unknown) => skillErrors.SCAFFOLD_REFUSED({ skill: name, reason }, cause);
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > maxSkillName) {
    throw refuse(
      `"${name.slice(0, 80)}" is not 1 to ${maxSkillName} lower-case letters, digits and single "-" between them`,
    );
  }
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(tool)) throw refuse(`"${tool.slice(0, 80)}" cannot name a tool`);
  if (!isTemplate(template)) throw refuse(`template must be one of ${scaffoldTemplates.join(', ')}`);
  if (description.length > 1024) throw refuse('the description is longer than 1024 characters');

  const target = join(resolve(options.directory), name);
  if (await exists(target)) throw refuse(`"${name}" exists already in that directory; nothing was overwritten`);
  const files = templateFiles(template, { name, description, dcc, tool }, await skillTypes());
  const part = join(dirname(target), `.svc-new-${randomUUID()}`);
  try {
    // Not recursive: on some virtual file systems that never returns, and a mistyped path should not grow a tree.
    await mkdir(dirname(target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await mkdir(part);
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(part, file)), { recursive: true });
      // The rest of the mode is the umask's.
      await writeFile(join(part, file), text, { mode: file.endsWith('.sh') ? 0o777 : 0o666 });
    }
    await rename(part, target);
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw refuse(
      code === 'ENOENT' ? 'its parent directory does not exist' : `the files cannot be written (${code})`,
      error,
    );
  }
  return { skill_name: name, directory: target, files: Object.keys(files) };
}

const isTemplate = (name: string): name is ScaffoldTemplate => (scaffoldTemplates as readonly string[]).includes(name);
