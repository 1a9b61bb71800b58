/** Servers with real skill packages and the prompts plugin on a real socket, and SDK clients of them. */
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { PromptListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { healthPlugin } from '../../../plugins/health/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { promptsPlugin } from '../../../plugins/prompts/index.ts';
import { promptMethodsPlugin } from '../../../plugins/prompts/methods/index.ts';
import { resourcesPlugin } from '../../../plugins/resources/index.ts';
import { restInstancePlugin, restPlugin } from '../../../plugins/rest/index.ts';
import { searchPlugin } from '../../../plugins/search/index.ts';
import { createSkillsPlugin } from '../../../plugins/skills/index.ts';
import { toolsPlugin } from '../../../plugins/tools/index.ts';
import { listeningApp, tempDir } from '../../helper.ts';
import { type Files, skillMd, writeSkill } from '../skills/support.ts';

/** A server over one search path that holds `packages`. */
export async function promptApp(packages: Record<string, Files>, options: ServerOptions = {}) {
  const home = await realpath(await tempDir());
  const root = join(home, 'skills');
  await mkdir(root);
  for (const [name, files] of Object.entries(packages)) await writeSkill(root, name, files);
  const env = { PATH: process.env.PATH, HOME: home, SVC_DISABLE_DEFAULT_SKILL_PATHS: '1' };
  const plugins = [
    searchPlugin,
    restPlugin,
    healthPlugin,
    mcpPlugin,
    toolsPlugin,
    createSkillsPlugin(false),
    resourcesPlugin,
    promptMethodsPlugin,
    promptsPlugin,
    restInstancePlugin,
  ];
  const own = { skill_paths: [root], bundled_skills: false, watch_skills: false, cache_dir: join(home, 'cache') };
  const found = await listeningApp(plugins, { ...own, ...options }, env);
  return { ...found, root };
}

/** The official SDK's client, and how often it was told that the prompts changed. */
export async function sdkClient(url: string) {
  const client = new Client({ name: 'prompts-test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)) as Parameters<Client['connect']>[0]);
  onTestFinished(() => client.close());
  const told = { count: 0 };
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => {
    told.count += 1;
  });
  return { client, told };
}

/** The files of a skill of prompts alone. */
export const prompting = (name: string, files: Files, svc = ''): Files => ({
  'SKILL.md': skillMd(name, { svc }),
  ...files,
});

/** A prompt file with one prompt per name; each takes the required argument `path`. */
export const promptsYaml = (...names: string[]): string =>
  `prompts:\n${names
    .map(
      name =>
        `  - name: ${name}\n    description: About ${name}.\n    arguments:\n      - { name: path, required: true }\n    template: "${name} of {{path}}"\n`,
    )
    .join('')}`;

export const textOf = (rendered: { messages: readonly { content: unknown }[] }): string =>
  (rendered.messages[0]?.content as { text: string } | undefined)?.text ?? '';
