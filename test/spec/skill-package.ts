/** Writes skill packages for tests and benchmarks. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

export interface SkillTool {
  name: string;
  description?: string;
  group?: string;
  /** Body of the tool's function of `(args, ctx)`; default returns its arguments. */
  body?: string;
  input_schema?: Record<string, unknown>;
  execution?: 'sync' | 'async';
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
    files[`tools/${tool}.ts`] ??= `export default async (args: any, ctx: any) => { ${body} };\n`;
  }
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return join(root, name);
}
