/**
 * Checks a package directory the way loading would, and beyond: for authors, the CLI and the author's kit. What it finds
 * has file and line; its code is built and parsed, and nothing of it is executed.
 */
import { basename, relative, resolve } from 'node:path';
import { createSchemas, type Environment, type JsonSchema, messageOf } from '../../../kernel/index.ts';
import { readPackage, type SkillPackage } from '../packages/manifest.ts';
import { packageFolder } from '../packages/package-contents.ts';
import { finding, type ReasonCode, type SkillFinding } from '../packages/rejection.ts';
import { type LoadedSkill, loadedSkill } from '../packages/skill-files.ts';
import { createSourceLines, type Place, type SourceLines, type Step } from '../packages/source-lines.ts';
import { resolveToolFiles } from '../packages/tool-files.ts';
import { checkCode } from './code-check.ts';
import { unknownKeys } from './unknown-keys.ts';

export interface ValidatedTool {
  name: string;
  kind: 'module' | 'script' | 'none';
  /** Relative to the package; empty without a file. */
  file: string;
}

/** What `validateSkillDirectory` finds; messages name no absolute path. */
export interface SkillReport {
  valid: boolean;
  skill_name: string;
  directory_name: string;
  /** The first of `errors`. */
  reason_code?: string;
  message?: string;
  suggested_fix?: string;
  errors: SkillFinding[];
  warnings: SkillFinding[];
  tools: ValidatedTool[];
  groups: string[];
  depends: string[];
}

/** What a plugin that publishes more of a package than its tools finds wrong with its part. */
export type SkillCheck = (skill: LoadedSkill) => Promise<readonly SkillFinding[]>;

export interface ValidateOptions {
  /** What they find are warnings. */
  checks?: Iterable<SkillCheck>;
  /** Where interpreters are looked for; without one no script is parsed. */
  env?: Environment | undefined;
}

/** Validates the package in `path`; never throws for what is wrong with it. */
export async function validateSkillDirectory(
  path: string,
  { checks = [], env }: ValidateOptions = {},
): Promise<SkillReport> {
  const location = resolve(path);
  const lines = createSourceLines();
  const reading = await readPackage(location, undefined, lines);
  if ('skipped' in reading) {
    const { skill_name, directory_name, dcc: _dcc, tags: _tags, ...refusal } = reading.skipped;
    return {
      ...{ valid: false, skill_name, directory_name, ...refusal },
      errors: [refusal, ...unknownKeys(lines).errors],
      ...{ warnings: [], tools: [], groups: [], depends: [] },
    };
  }
  const { package: found } = reading;
  const { missing, unread, warnings } = found.manifest;
  const ofTool = (name: string, key: string): Place => {
    const { file, steps = [] } = lines.list('tools') ?? {};
    return { file, steps: [...steps, 'tools', { name }, key] };
  };
  const lost: SkillFinding[] = [];
  const files = await resolveToolFiles(found.directory, found.manifest.tools, ({ name, reason_code, message }) => {
    lost.push({ ...finding(reason_code as ReasonCode, message), ...lines.place(ofTool(name, 'source_file')) });
  });
  const parts = await Promise.all([...checks].map(check => check(loadedSkill(found, lines))));
  const told = parts.flat().map(each => ({ ...each, ...placeOf(each, lines) }));
  const keys = unknownKeys(lines);
  const code = await checkCode({ skill: found.name, directory: found.directory, files, env });
  // A load does without them; their author meant them to be there.
  const gone = new Set([unread?.message, ...missing.map(each => each.message)]);
  const errors: SkillFinding[] = [
    ...warnings.filter(each => gone.has(each.message)),
    ...keys.errors,
    ...schemaErrors(found).map(({ tool, field, ...each }) => ({ ...each, ...lines.place(ofTool(tool, field)) })),
    ...lost,
    ...code.errors,
  ];
  const tools = found.manifest.tools.map(({ name }): ValidatedTool => {
    const file = files.find(each => each.name === name);
    return { name, kind: file?.kind ?? 'none', file: file ? relative(found.directory, file.path) : '' };
  });
  const [first] = errors;
  return {
    valid: errors.length === 0,
    skill_name: found.name,
    directory_name: basename(location),
    ...(first && { reason_code: first.reason_code, message: first.message, suggested_fix: first.suggested_fix }),
    errors,
    warnings: [
      ...warnings.filter(each => !gone.has(each.message)),
      ...keys.warnings,
      ...warningsOf(found, basename(location), lost.length === 0 ? tools : [], lines),
      ...(await servingWarnings(found)),
      ...told,
      ...code.warnings,
    ],
    tools,
    groups: found.manifest.groups.map(each => each.name),
    depends: found.manifest.depends,
  };
}

/** Where a finding of another plugin stands: it names the file, then the entry by number or name, then a key. */
function placeOf({ message }: SkillFinding, lines: SourceLines): Pick<SkillFinding, 'file' | 'line'> {
  const [, file = '', rest = ''] = /^([^:]+): (.*)$/s.exec(message) ?? [];
  if (!lines.sources.has(file)) return {};
  const [, line] = /\bat line (\d+)/.exec(rest) ?? [];
  if (line !== undefined) return { file, line: Number(line) };
  const [, list, index] = /\b(prompts|workflows|resources)\[(\d+)\]/.exec(rest) ?? [];
  const [, entry] = /\bentry (\d+)/.exec(rest) ?? [];
  const quoted = [...rest.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text);
  const number = index === undefined ? Number(entry) - 1 : Number(index);
  const way: Step[] = Number.isNaN(number) ? quoted.slice(0, 1).map(name => ({ name })) : [number];
  return lines.place({ file, steps: [list ?? 'prompts', 'resources', ...way, ...quoted] });
}

/** Why agents are not served the package, when they are not. */
const servingWarnings = (found: SkillPackage): Promise<SkillFinding[]> =>
  packageFolder(found)
    .contents()
    .then(
      () => [],
      error => [
        {
          reason_code: 'not_served_to_agents',
          message: `the package is not served as an Agent Skill: ${messageOf(error)}`,
          suggested_fix: 'Keep the package to 512 files and 16 MiB: large or generated files belong elsewhere.',
        },
      ],
    );

function schemaErrors({ manifest }: SkillPackage): (SkillFinding & { tool: string; field: string })[] {
  const schemas = createSchemas();
  return manifest.tools.flatMap(tool =>
    (['input_schema', 'output_schema'] as const).flatMap(field => {
      const schema = tool[field];
      const problem = schema && schemaProblem(schemas, schema);
      const message = `tool "${tool.name}": ${field} ${problem}`;
      return problem ? [{ ...finding('invalid_tool_schema', message), tool: tool.name, field }] : [];
    }),
  );
}

function schemaProblem(schemas: ReturnType<typeof createSchemas>, schema: JsonSchema): string | undefined {
  if ('type' in schema && schema.type !== 'object') return 'must have "type": "object"';
  try {
    schemas.compile(schema);
    return undefined;
  } catch (error) {
    return `is not a valid JSON Schema (${messageOf(error)})`;
  }
}

function warningsOf(
  { name, manifest }: SkillPackage,
  directory: string,
  tools: ValidatedTool[],
  lines: SourceLines,
): SkillFinding[] {
  const inTools = lines.list('tools') ?? {};
  const warn = (
    when: boolean,
    reason_code: string,
    message: string,
    suggested_fix: string,
    tool?: string,
  ): SkillFinding[] => {
    if (!when) return [];
    const steps = [...(inTools.steps ?? []), 'tools', { name: tool ?? '' }];
    const place = tool === undefined ? { file: 'SKILL.md' } : { file: inTools.file, steps };
    return [{ reason_code, message, suggested_fix, ...lines.place(place) }];
  };
  return [
    ...warn(
      name !== directory,
      'name_differs_from_directory',
      `the skill is named "${name}", its directory "${directory}"`,
      'Give both the same name: the Agent Skills format asks for it.',
    ),
    ...warn(
      name !== name.toLowerCase() || name.includes('_'),
      'unusual_name',
      `"${name}" is not lower-case letters, digits and "-"`,
      'Rename it: agents are served only skills whose names hold to the Agent Skills format.',
    ),
    ...warn(
      manifest.description.length > 1024,
      'long_description',
      'the description is longer than 1024 characters',
      'Move details to the body of SKILL.md.',
    ),
    ...warn(
      manifest.body === '',
      'no_guidance',
      'SKILL.md has no text below the frontmatter',
      'Say how to use the tools.',
    ),
    ...manifest.tools.flatMap(tool => [
      ...warn(
        tool.description === '',
        'no_tool_description',
        `tool "${tool.name}" has no description`,
        'Say in a sentence what the tool does.',
        tool.name,
      ),
      ...warn(
        `${name}__${tool.name}`.length > 64,
        'long_qualified_name',
        `"${name}__${tool.name}" is longer than 64 characters`,
        'Shorten one of the names: it is published cut when another skill has a tool of that name.',
        tool.name,
      ),
    ]),
    ...tools.flatMap(tool =>
      warn(
        tool.kind === 'none',
        'tool_not_executable',
        `tool "${tool.name}" has no file: it will be listed but cannot run`,
        `Add tools/${tool.name}.ts or scripts/${tool.name}.py, or name a source_file.`,
        tool.name,
      ),
    ),
    ...warn(
      manifest.depends.includes(name),
      'depends_on_itself',
      'the skill depends on itself',
      'Remove its own name from depends.',
    ),
  ];
}
