/** Real servers for the specification's tests: `createServer` of the package entry, and skill packages on disk. */
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { definePlugin, type Plugin } from '../../kernel/index.ts';
import type { ServerBus, ServerOptions } from '../../plugins/index.ts';
import * as entry from '../../plugins/index.ts';
import type { SkillSummary } from '../../plugins/skills/api.ts';
import type { ToolHandler } from '../../plugins/tools/api.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import { testEnv } from '../environment.ts';
import { tempDir } from '../helper.ts';
import { type SkillFixture, writeSkill } from './skill-package.ts';
import { type ConnectOptions, connect, type Wire } from './wire.ts';

export type { SkillFixture };

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
  readonly bus: ServerBus;
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

interface Extra {
  /** Plugin objects that join the built-in ones. */
  add?: readonly Plugin[];
  /** Environment that options are read from. */
  env?: Record<string, string | undefined>;
  /** Built-in plugins switched off, others by module specifier. */
  plugins?: Record<string, boolean>;
}

export type CreateServer = (options?: ServerOptions, extra?: Extra) => Server;

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
  add: readonly Plugin[] = [],
): Promise<Running> {
  const server = createServer({ ...quiet, ...options }, { env: testEnv, add });
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

/** A fresh folder with skill packages, for `skill_paths`. */
export async function skillFolder(skills: Record<string, SkillFixture>): Promise<string> {
  const root = await tempDir();
  for (const [name, fixture] of Object.entries(skills)) await writeSkill(root, name, fixture);
  return root;
}

/** As `startServer`, with the application inside it; its scope must be empty once the server has stopped. */
export async function startInside(
  options: ServerOptions = {},
  prepare?: (server: Server) => void | Promise<void>,
): Promise<Running & { app: FastifyInstance }> {
  let inside: FastifyInstance | undefined;
  onTestFinished(() => {
    const left = inside?.kernel.scope.list() ?? [];
    if (left.length > 0) throw new Error(`left in the scope after shutdown: ${left.join(', ')}`);
  });
  const spy = definePlugin({ name: 'spy' }, app => {
    inside = app;
  });
  const running = await startServer(options, prepare, [spy]);
  if (!inside) throw new Error('the server started without the added plugin');
  return { ...running, app: inside };
}

/** Names of listed tools. */
export const namesOf = (tools: readonly Record<string, unknown>[]): string[] => tools.map(tool => String(tool.name));
