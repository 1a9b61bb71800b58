/** Real servers for the specification's tests: `createServer` of the package entry, and skill packages on disk. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import * as entry from '../../plugins/index.ts';
import type { SkillSummary } from '../../plugins/skills/api.ts';
import type { ToolHandler } from '../../plugins/tools/api.ts';
import type { ServerOptions } from '../../schemas/server-config.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import { tempDir } from '../helper.ts';
import { type ConnectOptions, connect, type Wire } from './wire.ts';

type Maybe<T> = T | Promise<T>;

/** The service as the specification's table has it, in our spelling. */
export interface Service {
  readonly port: number;
  readonly bind_addr: string;
  readonly is_gateway: boolean;
  readonly instance_id: string | null;
  mcpUrl(): string;
  shutdown(): Promise<void>;
  signalShutdown(): void;
}

/** The operations of a server as the specification's table has them. */
export interface Server {
  start(): Promise<Service>;
  registerTool(definition: ToolDefinition, handler?: ToolHandler): unknown;
  registerHandler(tool: string, handler: ToolHandler): unknown;
  hasHandler(tool: string): Maybe<boolean>;
  discover(extraPaths?: readonly string[], dccName?: string): Promise<number>;
  loadSkill(name: string): Promise<string[]>;
  unloadSkill(name: string): Promise<boolean>;
  searchSkills(input?: Record<string, unknown>): Maybe<SkillSummary[]>;
  listSkills(status?: 'loaded' | 'unloaded'): Maybe<SkillSummary[]>;
  isLoaded(name: string): Maybe<boolean>;
  loadedCount(): Maybe<number>;
}

export type CreateServer = (options?: ServerOptions) => Server;

/** The package's own entry; a broken or missing export fails the first test that uses it. */
export const { createServer } = entry as unknown as { createServer: CreateServer };

export interface Running {
  server: Server;
  service: Service;
  /** Opens a session. */
  connect(options?: ConnectOptions): Promise<Wire>;
}

/** Options under which a test meets nothing of the machine: no gateway, no bundled skills, no watcher, no log. */
export const quiet: ServerOptions = {
  spawn_mode: 'ambient',
  gateway_port: 0,
  bundled_skills: false,
  watch_skills: false,
  log_level: 'silent',
};

/** A server that runs until the test ends; `prepare` registers what must be there before start. */
export async function startServer(
  options: ServerOptions = {},
  prepare: (server: Server) => void | Promise<void> = () => undefined,
): Promise<Running> {
  const server = createServer({ ...quiet, ...options });
  await prepare(server);
  const service = await server.start();
  onTestFinished(() => service.shutdown());
  return { server, service, connect: given => connect(service.mcpUrl(), given) };
}

/** As `startServer`, with one session open. */
export async function startConnected(
  options: ServerOptions = {},
  prepare?: (server: Server) => void | Promise<void>,
): Promise<Running & { client: Wire }> {
  const running = await startServer(options, prepare);
  return { ...running, client: await running.connect() };
}

export interface SkillTool {
  name: string;
  description?: string;
  group?: string;
  /** Body of the tool's function of `(args, ctx)`; default returns its arguments. */
  body?: string;
  input_schema?: Record<string, unknown>;
}

export interface SkillFixture {
  description?: string;
  dcc?: string;
  version?: string;
  tags?: string[];
  searchHint?: string;
  depends?: string[];
  stage?: string;
  tools?: SkillTool[];
  groups?: { name: string; description?: string; tools: string[]; 'default-active'?: boolean }[];
  /** More files by path inside the package. */
  files?: Record<string, string>;
}

/** Writes a skill package into `root` and returns its directory. */
export async function writeSkill(root: string, name: string, fixture: SkillFixture = {}): Promise<string> {
  const { tools = [{ name: `${name}_echo` }], groups } = fixture;
  const svc = {
    dcc: fixture.dcc ?? 'python',
    version: fixture.version ?? '1.2.3',
    tags: fixture.tags ?? [],
    ...(fixture.searchHint && { 'search-hint': fixture.searchHint }),
    ...(fixture.depends && { depends: fixture.depends }),
    ...(fixture.stage && { stage: fixture.stage }),
    tools: 'tools.yaml',
    ...(groups && { groups: 'groups.yaml' }),
  };
  const front = { name, description: fixture.description ?? `The ${name} skill.`, metadata: { svc } };
  const files: Record<string, string> = {
    'SKILL.md': `---\n${stringify(front)}---\n\n# ${name}\n`,
    'tools.yaml': stringify({
      tools: tools.map(({ body: _, ...declared }) => ({
        description: `Tool ${declared.name}.`,
        input_schema: { type: 'object' },
        source_file: `tools/${declared.name}.ts`,
        ...declared,
      })),
    }),
    ...(groups && { 'groups.yaml': stringify({ groups }) }),
    ...fixture.files,
  };
  for (const { name: tool, body = 'return args;' } of tools) {
    files[`tools/${tool}.ts`] = `export default async (args: any, ctx: any) => { ${body} };\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return join(root, name);
}

/** A fresh folder with skill packages, for `skill_paths`. */
export async function skillFolder(skills: Record<string, SkillFixture>): Promise<string> {
  const root = await tempDir();
  for (const [name, fixture] of Object.entries(skills)) await writeSkill(root, name, fixture);
  return root;
}

/** Names of listed tools. */
export const namesOf = (tools: readonly Record<string, unknown>[]): string[] => tools.map(tool => String(tool.name));
