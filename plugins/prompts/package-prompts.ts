/** Everything of one skill package that becomes a prompt: its prompt files, and the derived ones (shape:prompts). */
import { messageOf } from '../../kernel/index.ts';
import type { LoadedSkill } from '../skills/api.ts';
import { type Declarations, isFields, type Prompt, readDeclarations } from './declarations.ts';
import { messagesOf } from './message-files.ts';
import { summarizeWorkflow } from './workflow-summary.ts';

/** What one file gives. */
export interface FilePrompts {
  file: string;
  prompts: Prompt[];
  /** Sentences for the log. */
  problems: string[];
  /** The file is there and cannot be used: what it gave before may stand. */
  broken: boolean;
}

interface Source {
  file: string;
  /** The file's own part of a derived name; nothing when it is the only one. */
  stem: string | undefined;
  /** Name that the package gives the prompt. */
  name?: string | undefined;
}

const fallbackFile = 'prompts.yaml';

/** Reads them in order of precedence: of two prompts of one name the first counts. Never rejects. */
export async function readPackagePrompts(skill: LoadedSkill): Promise<FilePrompts[]> {
  const { prompts = fallbackFile, workflows, examples, recipes } = skill.settings;
  const explicit = await promptFiles(skill, prompts, 'prompts' in skill.settings);
  const derived = [
    ...(await each(skill, 'workflows', workflows, source => workflowPrompt(skill, source))),
    ...(await each(skill, 'examples', examples, source => textPrompt(skill, 'examples', source))),
    ...(await each(skill, 'recipes', recipes, source => textPrompt(skill, 'recipes', source))),
  ];
  return [...explicit, ...derived];
}

/** The files behind `prompts:`, and the workflows that they list. */
async function promptFiles(skill: LoadedSkill, setting: unknown, named: boolean): Promise<FilePrompts[]> {
  const workflows: Source[] = [];
  const glob = typeof setting === 'string' && isPattern(setting);
  const files = await each(skill, 'prompts', setting, async ({ file }) => {
    const data = await skill.yaml(file);
    if (data === undefined) {
      if (named) throw new Error('the file does not exist');
      return { prompts: [], problems: [] };
    }
    const found = readDeclarations(data, glob ? stemOf(file) : undefined);
    for (const { file: path, prompt_name } of found.workflows) {
      workflows.push({ file: path, stem: undefined, name: prompt_name });
    }
    return withMessages(skill, found);
  });
  const derived = await Promise.all(
    workflows.map(source => fileOf(skill, source, () => workflowPrompt(skill, source))),
  );
  return [...files, ...derived];
}

/** Reads the files that messages name; a prompt with one that cannot be read is left out. */
async function withMessages(skill: LoadedSkill, { prompts: declared, problems }: Declarations): Promise<Found> {
  const told = [...problems];
  const read = declared.map(async ({ prompt, messages }) => {
    if (messages === undefined) return [prompt];
    try {
      return [{ ...prompt, messages: await messagesOf(skill, messages) }];
    } catch (error) {
      told.push(`prompt "${prompt.name}": ${messageOf(error)}`);
      return [];
    }
  });
  return { prompts: (await Promise.all(read)).flat(), problems: told };
}

type Found = Pick<FilePrompts, 'prompts' | 'problems'>;

/** Reads each file that `setting` (a path, a pattern, or a list of them) names. */
async function each(
  skill: LoadedSkill,
  key: string,
  setting: unknown,
  read: (source: Source) => Promise<Found>,
): Promise<FilePrompts[]> {
  if (setting === undefined) return [];
  try {
    const sources = await sourcesOf(skill, setting);
    return await Promise.all(sources.map(source => fileOf(skill, source, () => read(source))));
  } catch (error) {
    return [{ file: key, prompts: [], problems: [messageOf(error)], broken: true }];
  }
}

async function sourcesOf(skill: LoadedSkill, setting: unknown): Promise<Source[]> {
  if (typeof setting === 'string' && !isPattern(setting)) return [{ file: setting, stem: undefined }];
  const entries = Array.isArray(setting) ? (setting as unknown[]) : [setting];
  const sources = await Promise.all(
    entries.map(async (entry): Promise<Source[]> => {
      const file = isFields(entry) ? entry.file : entry;
      if (typeof file !== 'string') throw new Error('it must name a file, a pattern or a list of files');
      const files = isPattern(file) ? await skill.files(file) : [file];
      const name = isFields(entry) && typeof entry.prompt_name === 'string' ? entry.prompt_name : undefined;
      return files.map(path => ({ file: path, stem: stemOf(path), name }));
    }),
  );
  return sources.flat();
}

async function fileOf(skill: LoadedSkill, { file }: Source, read: () => Promise<Found>): Promise<FilePrompts> {
  try {
    return { file, ...(await read()), broken: false };
  } catch (error) {
    const there = await skill.text(file).then(
      text => text !== undefined,
      () => true,
    );
    return { file, prompts: [], problems: [messageOf(error)], broken: there };
  }
}

async function workflowPrompt(skill: LoadedSkill, { file, name }: Source): Promise<Found> {
  const data = await skill.yaml(file);
  if (data === undefined) throw new Error('the file does not exist');
  const stem = stemOf(file);
  const summary = summarizeWorkflow(data, skill.name, stem);
  const wanted = name ?? `${skill.name}.${nameable(summary.name) ?? stem}`;
  const description = summary.description ?? `The workflow ${summary.name ?? stem} of ${skill.name}, step by step.`;
  return derived(wanted, description, summary.text);
}

async function textPrompt(skill: LoadedSkill, kind: string, { file, stem }: Source): Promise<Found> {
  const text = await skill.text(file);
  if (text === undefined) throw new Error('the file does not exist');
  if (text.trim() === '') return { prompts: [], problems: [] };
  const name = [skill.name, kind, stem].filter(part => part !== undefined).join('.');
  const title = stem === undefined ? '' : ` (${stem})`;
  return derived(
    name,
    `The ${kind} of the skill ${skill.name}${title}.`,
    `Use these ${kind} of the skill ${skill.name}${title} as a guide.\n\n${text}`,
  );
}

/** One prompt without arguments, so that its text is literal. */
function derived(name: string, description: string, template: string): Found {
  if (nameable(name) === undefined) return { prompts: [], problems: [`"${name.slice(0, 80)}" cannot name a prompt`] };
  return { prompts: [{ name, description, arguments: [], template }], problems: [] };
}

const nameable = (name: string | undefined): string | undefined =>
  name !== undefined && /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$/.test(name) ? name : undefined;

const isPattern = (text: string): boolean => /[*?]/.test(text);

/** `workflows/bake.workflow.yaml` as `bake`: what cannot stand in a name becomes `_`. */
function stemOf(file: string): string {
  const base = file.split(/[\\/]/).at(-1) ?? file;
  const stem = base.replace(/\.[^.]*$/, '').replace(/\.(prompt|workflow)$/, '');
  return stem.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'prompt';
}
