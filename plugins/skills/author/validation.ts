/** Checks a package directory the way loading would, and beyond: for authors, the CLI and the author's kit. Executes nothing. */
import { basename, relative, resolve } from 'node:path';
import { createSchemas, type JsonSchema, messageOf } from '../../../kernel/index.ts';
import { readPackage, type SkillPackage } from '../packages/manifest.ts';
import { packageFolder } from '../packages/package-contents.ts';
import { type Finding, finding, type SkillFinding } from '../packages/rejection.ts';
import { type LoadedSkill, loadedSkill } from '../packages/skill-files.ts';
import { resolveToolFiles } from '../packages/tool-files.ts';

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

/** Validates the package in `path`; never throws for what is wrong with it. What `checks` find are warnings. */
export async function validateSkillDirectory(path: string, checks: Iterable<SkillCheck> = []): Promise<SkillReport> {
  const location = resolve(path);
  const reading = await readPackage(location);
  if ('skipped' in reading) {
    const { skill_name, directory_name, reason_code, message, suggested_fix } = reading.skipped;
    return {
      ...{ valid: false, skill_name, directory_name, reason_code, message, suggested_fix },
      errors: [{ reason_code, message, suggested_fix }],
      ...{ warnings: [], tools: [], groups: [], depends: [] },
    };
  }
  const { package: found } = reading;
  const { missing, unread, warnings } = found.manifest;
  // A load does without them; their author meant them to be there.
  const errors: SkillFinding[] = [
    ...(unread ? [unread] : []),
    ...missing.map(each => finding(each.reason_code as Finding['reason_code'], each.message)),
    ...schemaErrors(found),
  ];
  const told = new Set(errors.map(each => each.message));
  const files = await resolveToolFiles(found.directory, found.manifest.tools, ({ reason_code, message }) =>
    errors.push(finding(reason_code as Finding['reason_code'], message)),
  );
  const tools = found.manifest.tools.map(({ name }): ValidatedTool => {
    const file = files.find(each => each.name === name);
    return { name, kind: file?.kind ?? 'none', file: file ? relative(found.directory, file.path) : '' };
  });
  const parts = await Promise.all([...checks].map(check => check(loadedSkill(found))));
  return {
    valid: errors.length === 0,
    skill_name: found.name,
    directory_name: basename(location),
    ...errors[0],
    errors,
    warnings: [
      ...warnings.filter(each => !told.has(each.message)),
      ...warningsOf(found, basename(location), errors.length === 0 ? tools : []),
      ...(await servingWarnings(found)),
      ...parts.flat(),
    ],
    tools,
    groups: found.manifest.groups.map(each => each.name),
    depends: found.manifest.depends,
  };
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

function schemaErrors({ manifest }: SkillPackage): SkillFinding[] {
  const schemas = createSchemas();
  return manifest.tools.flatMap(tool =>
    (['input_schema', 'output_schema'] as const).flatMap(field => {
      const schema = tool[field];
      const problem = schema && schemaProblem(schemas, schema);
      return problem ? [finding('invalid_tool_schema', `tool "${tool.name}": ${field} ${problem}`)] : [];
    }),
  );
}

function schemaProblem(schemas: ReturnType<typeof createSchemas>, schema: JsonSchema): string | undefined {
  if ('type' in schema && schema.type !== 'object') return 'must have "type": "object"';
  try {
    schemas.compile(schema);
    return undefined;
  } catch (error) {
    return `is not a valid JSON Schema (${error instanceof Error ? error.message : String(error)})`;
  }
}

function warningsOf({ name, manifest }: SkillPackage, directory: string, tools: ValidatedTool[]): SkillFinding[] {
  const warn = (when: boolean, reason_code: string, message: string, suggested_fix: string): SkillFinding[] =>
    when ? [{ reason_code, message, suggested_fix }] : [];
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
      ),
      ...warn(
        `${name}__${tool.name}`.length > 64,
        'long_qualified_name',
        `"${name}__${tool.name}" is longer than 64 characters`,
        'Shorten one of the names: it is published cut when another skill has a tool of that name.',
      ),
    ]),
    ...tools.flatMap(tool =>
      warn(
        tool.kind === 'none',
        'tool_not_executable',
        `tool "${tool.name}" has no file: it will be listed but cannot run`,
        `Add tools/${tool.name}.ts or scripts/${tool.name}.py, or name a source_file.`,
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
