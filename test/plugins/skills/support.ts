/** Real skill packages in temporary folders, and applications with the real skills and tools plugins. */
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { EventEnvelope, Plugin } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { searchPlugin } from '../../../plugins/search/index.ts';
import { createSkillsPlugin } from '../../../plugins/skills/index.ts';
import type { ToolResult } from '../../../plugins/tools/api.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import { tempDir, testApp } from '../../helper.ts';
import { mcpProbe, type Sent } from '../tools/support.ts';

export interface SkillApp {
  app: FastifyInstance;
  /** The admin search path. */
  root: string;
  /** Every skill event so far. */
  events: EventEnvelope[];
  /** `notifications/tools/list_changed` and others, as broadcast. */
  broadcasts: Sent[];
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** `structuredContent` of a call. */
  json(name: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Names of the skill events since `from`. */
  names(from?: number): string[];
}

export type Files = Record<string, string>;

/** Writes files below `directory`, making folders as needed. */
export async function writeFiles(directory: string, files: Files): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

/** Replaces a file in one step, as editors do. */
export async function saveAtomically(path: string, text: string): Promise<void> {
  await writeFile(`${path}.tmp~`, text);
  await rename(`${path}.tmp~`, path);
}

export interface SkillInput {
  /** Lines below `metadata.svc`, each with its indentation of four. */
  svc?: string;
  description?: string;
  tools?: string;
  files?: Files;
}

/** SKILL.md text of a skill. */
export const skillMd = (name: string, { svc = '', description = `About ${name}.` }: SkillInput = {}): string =>
  `---\nname: ${name}\ndescription: ${description}\nmetadata:\n  svc:\n    version: 1.2.3\n${svc}\n---\n\nGuidance of ${name}.\n`;

/** The files of a skill whose tool `<name>_answer` returns `answer`. */
export const answering = (name: string, answer: string, input: SkillInput = {}): Files => {
  const tool = `${name.replaceAll('-', '_')}_answer`;
  return {
    'SKILL.md': skillMd(name, input),
    'tools.yaml': input.tools ?? `tools:\n  - name: ${tool}\n    description: Answers.\n`,
    [`tools/${tool}.ts`]: answerCode(answer),
    ...input.files,
  };
};

export const answerCode = (answer: string): string =>
  `export default (args: Record<string, unknown>) => ({ answer: ${JSON.stringify(answer)}, args });\n`;

/** Writes a package `name` below `root`. */
export const writeSkill = (root: string, name: string, files: Files): Promise<string> =>
  writeFiles(join(root, name), files);

/** An application over one admin search path, without bundled skills and without the machine's own environment. */
export async function skillApp(
  packages: Record<string, Files> = {},
  options: ServerOptions = {},
  env: Record<string, string> = {},
  before: readonly Plugin[] = [],
): Promise<SkillApp> {
  const home = await realpath(await tempDir());
  const root = join(home, 'skills');
  await mkdir(root);
  for (const [name, files] of Object.entries(packages)) await writeSkill(root, name, files);
  const { plugin, broadcasts } = mcpProbe();
  const events: EventEnvelope[] = [];
  const environment = { PATH: process.env.PATH, HOME: home, SVC_DISABLE_DEFAULT_SKILL_PATHS: '1', ...env };
  const own = { skill_paths: [root], bundled_skills: false, watch_skills: false, cache_dir: join(home, 'cache') };
  const app = await testApp(
    [...before, searchPlugin, plugin, toolsPlugin, createSkillsPlugin(false)],
    { ...own, ...options },
    environment,
  );
  app.kernel.bus.on('skill.*', event => void events.push(event));
  const call = (name: string, args: Record<string, unknown> = {}) => app.tools.call({ name, args });
  const json = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await call(name, args);
    if (result.isError && result.structuredContent === undefined) throw new Error(JSON.stringify(result.content));
    return result.structuredContent as Record<string, unknown>;
  };
  return { app, root, events, broadcasts, call, json, names: (from = 0) => events.slice(from).map(each => each.name) };
}
