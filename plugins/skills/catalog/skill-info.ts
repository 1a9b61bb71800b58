/** Everything a model may want to know of one skill before or after it is loaded (get_skill_info, load_skill). */
import { cautionFor } from '../../../schemas/suspect-text.ts';
import type { ToolRecord } from '../../tools/api.ts';
import { isolationOf } from '../packages/isolation.ts';
import type { CatalogSkill } from './catalog.ts';
import { flagsOf, type SkillFlag } from './flags.ts';
import type { PackageProblems } from './package-warnings.ts';
import type { SkillDiagnostic, SkillSummary } from './summaries.ts';

const longestGuidance = 32 * 1024;

/** Full metadata, groups, tools with their schemas, and the guidance text. Works from the manifest alone. */
export function skillInfo(
  summary: SkillSummary,
  skill: CatalogSkill,
  trusted: boolean,
  diagnostic: SkillDiagnostic | undefined,
  { missing, warnings }: PackageProblems,
): Record<string, unknown> {
  const found = skill.package;
  const { manifest } = found;
  const { body } = manifest;
  const isolation = isolationOf(manifest, trusted);
  return {
    ...summary,
    ...(manifest.license !== undefined && { license: manifest.license }),
    ...(manifest.compatibility !== undefined && { compatibility: manifest.compatibility }),
    ...(manifest.intent !== undefined && { intent: manifest.intent }),
    allowed_tools: manifest.allowed_tools,
    search_aliases: manifest.search_aliases,
    depends: manifest.depends,
    products: manifest.products,
    ...(isolation !== undefined && { isolation }),
    links: manifest.links,
    example_prompts: manifest.example_prompts,
    skill_path: found.directory,
    ...cautionFor([summary]),
    groups: manifest.groups,
    tools: manifest.tools.map(tool => ({
      name: tool.name,
      ...(tool.title !== undefined && { title: tool.title }),
      description: tool.description,
      inputSchema: tool.input_schema ?? { type: 'object' },
      ...(tool.output_schema && { outputSchema: tool.output_schema }),
      annotations: wireAnnotations(tool.annotations),
      group: tool.group,
      execution: tool.execution ?? 'sync',
      affinity: tool.affinity,
      ...(tool.timeout_hint_secs !== undefined && { timeout_hint_secs: tool.timeout_hint_secs }),
      next_tools: tool.next_tools,
      fingerprint: manifest.review.tools[tool.name]?.fingerprint,
      ...flagged(flagsOf(skill, tool.name)),
    })),
    guidance: body.length > longestGuidance ? `${body.slice(0, longestGuidance)}…` : body,
    metadata: manifest.metadata,
    ...(missing.length > 0 && { missing_tools: missing }),
    ...(warnings.length > 0 && { warnings }),
    ...(diagnostic && { error: diagnostic }),
  };
}

const flagged = (flags: readonly SkillFlag[]) => (flags.length > 0 ? { flags } : {});

/** A tool of a loaded skill, as load_skill returns it (shape:builtin-outputs). */
export function loadedTool(record: ToolRecord): Record<string, unknown> {
  return {
    name: record.name,
    description: record.description,
    inputSchema: record.input_schema,
    ...(record.output_schema && { outputSchema: record.output_schema }),
    skill_name: record.skill_name,
    annotations: wireAnnotations(record.annotations),
    metadata: {
      dcc: {
        affinity: record.affinity,
        execution: record.execution ?? 'sync',
        ...(record.timeout_hint_secs !== undefined && { timeoutHintSecs: record.timeout_hint_secs }),
        jobStrategy: record.metadata.job_strategy ?? 'monolithic',
        enforceThreadAffinity: record.enforce_thread_affinity,
      },
    },
    ...(Array.isArray(record.metadata.flags) && { flags: record.metadata.flags }),
  };
}

/** Annotations in MCP's spelling. */
const wireAnnotations = (annotations: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(annotations).map(([key, value]) => [
      key.replace(/_(\w)/g, (_, first) => first.toUpperCase()),
      value,
    ]),
  );
