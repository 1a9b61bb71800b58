/** What a package's declarations become in the tool table: definitions, groups, and handlers that follow the code. */
import type { SkillToolDeclaration } from '../../../schemas/skill-manifest.ts';
import type { ToolDefinition } from '../../../schemas/tool.ts';
import type { ToolEntry, ToolGroup, ToolHandler } from '../../tools/api.ts';
import { flagsOf, type SkillFlag } from '../catalog/flags.ts';
import { skillErrors } from '../errors.ts';
import { isolationOf } from '../packages/isolation.ts';
import type { SkillPackage } from '../packages/manifest.ts';
import type { ToolFile } from '../packages/tool-files.ts';
import type { RunHostScript } from '../runtime/host-script.ts';
import type { SkillRuntime } from '../runtime/runtime-api.ts';
import { runtimeErrors } from '../runtime/runtime-errors.ts';
import { flagsOf as commandLineOf, publicParameters } from '../runtime/script-protocol.ts';

/** The pointer that a reload swaps: handlers look the running code up per call. */
export interface RuntimeSlot {
  runtime: SkillRuntime | undefined;
  /** Settles when the newest save of the skill is applied; undefined when none waits. */
  pending(): Promise<void> | undefined;
  /** Which version it is that answers now, for the caller who waited for one. */
  answering(): Readonly<Record<string, unknown>>;
  /** What runs Python scripts in the host; undefined where that has no Python. */
  scriptHost(): RunHostScript | undefined;
}

/** Keys of a declaration that `ToolDefinition` has under the same name. */
const carried = ['title', 'icons', 'output_schema', 'execution', 'timeout_hint_secs'] as const;
/** Keys that are told elsewhere, or steer only the loader. */
const consumed = new Set<string>([
  ...['name', 'description', 'category', 'tags', 'input_schema', 'annotations', 'group', 'affinity', 'source_file'],
  // A package does not say of itself what there is to say of it.
  'flags',
  ...['enforce_thread_affinity', 'thread_affinity', 'read_only', 'destructive', 'idempotent', 'open_world'],
  ...carried,
]);

/** What a package is besides what it says. */
export interface Standing {
  /** May say where its code runs. */
  trusted: boolean;
  /** Of what it says, what nobody has approved. */
  changed?: ReadonlySet<string> | undefined;
}

/** Entries of the table for every declared tool; one without a file gets no handler. */
export function toolEntries(
  found: SkillPackage,
  files: readonly ToolFile[],
  slot: RuntimeSlot,
  { trusted, changed }: Standing,
): ToolEntry[] {
  const executable = new Map(files.map(each => [each.name, each]));
  return found.manifest.tools.map(tool => {
    const file = executable.get(tool.name);
    const flags = flagsOf({ package: found, ...(changed && { changed }) }, tool.name);
    const definition = toolDefinition(found, tool, flags);
    if (!file) return { definition };
    const elsewhere = handlerOf(found, tool, file, slot, trusted);
    // What would not run in a process of its own is not let into the host's.
    if (!trusted || !isForHost(tool, file)) return { definition, handler: elsewhere };
    const handler: ToolHandler = (args, call) => {
      const run = slot.scriptHost();
      if (!run) return elsewhere(args, call);
      const given = publicParameters(args);
      return run({ tool: call.tool.name, file: file.path, args: given, flags: commandLineOf(given) }, call);
    };
    return { definition, handler, inHost: () => slot.scriptHost() !== undefined };
  });
}

/** A Python script that says that it needs the host's own process, or its main thread. */
const isForHost = ({ requires_in_process, affinity }: SkillToolDeclaration, { kind, path }: ToolFile): boolean =>
  kind === 'script' && /\.pyw?$/i.test(path) && (requires_in_process || affinity === 'main');

/** The tool's own code, or the refusal of a tool whose code would not run where it says that it must. */
function handlerOf(
  { name: skill, manifest }: SkillPackage,
  { name: tool, requires_in_process }: SkillToolDeclaration,
  { kind }: ToolFile,
  slot: RuntimeSlot,
  trusted: boolean,
): ToolHandler {
  if (!requires_in_process || (kind === 'module' && isolationOf(manifest, trusted) !== 'process')) {
    return toolHandler(skill, tool, slot);
  }
  const reason = reasonOf(kind, trusted);
  return () => {
    throw runtimeErrors.NOT_IN_PROCESS({ skill, tool, reason });
  };
}

function reasonOf(kind: ToolFile['kind'], trusted: boolean): string {
  if (kind === 'script') return 'a script runs as a process of its own';
  return trusted
    ? 'its skill has isolation "process"'
    : 'its skill is of a scope that trusted_skill_scopes does not name';
}

export const toolGroups = ({ manifest }: SkillPackage): ToolGroup[] =>
  manifest.groups.map(({ name, description, default_active }) => ({ name, description, default_active }));

function toolDefinition(
  { manifest }: SkillPackage,
  tool: SkillToolDeclaration,
  flags: readonly SkillFlag[],
): ToolDefinition {
  const present = Object.fromEntries(carried.filter(key => tool[key] !== undefined).map(key => [key, tool[key]]));
  const metadata = Object.fromEntries(
    Object.entries(tool).filter(([key, value]) => !consumed.has(key) && !isIdle(value)),
  );
  return {
    ...(present as Pick<ToolDefinition, (typeof carried)[number]>),
    name: tool.name,
    description: tool.description,
    category: tool.category,
    tags: [...new Set([...manifest.tags, ...tool.tags])],
    dcc: manifest.dcc,
    version: manifest.version,
    input_schema: tool.input_schema ?? { type: 'object' },
    annotations: tool.annotations,
    group: tool.group,
    affinity: tool.affinity,
    enforce_thread_affinity: tool.enforce_thread_affinity,
    metadata: { ...metadata, ...(flags.length > 0 && { flags }) },
  };
}

/** False, empty text and empty lists and mappings say nothing. */
const isIdle = (value: unknown): boolean =>
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isIdle));

function toolHandler(skill: string, tool: string, slot: RuntimeSlot): ToolHandler {
  const now: ToolHandler = (args, call) => {
    const { runtime } = slot;
    if (!runtime) throw skillErrors.NOT_LOADED({ skill, tool });
    return runtime.call(tool, args, call);
  };
  const waited: ToolHandler = (args, call) => {
    call.aside = { skill: slot.answering() };
    return now(args, call);
  };
  return (args, call) => slot.pending()?.then(() => waited(args, call)) ?? now(args, call);
}
