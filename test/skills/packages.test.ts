/** The manifests of the bundled skills: complete, consistent, and what clients accept. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../skills/', import.meta.url));
const bundled = ['diagnostics', 'skill-author-kit'];
const packages = [...bundled, 'examples/scene-inspector'];

interface Tool {
  name: string;
  description: string;
  source_file: string;
  group?: string;
  execution: string;
  input_schema: {
    properties: Record<string, { description?: string }>;
    additionalProperties: boolean;
    required?: string[];
  };
  output_schema: object;
  annotations: Record<string, boolean>;
  'next-tools'?: Record<string, string[]>;
}
interface Group {
  name: string;
  description: string;
  tools: string[];
}

const read = (skill: string, file: string): string => readFileSync(join(root, skill, file), 'utf8');
const toolsOf = (skill: string) => (parse(read(skill, 'tools.yaml')) as { tools: Tool[] }).tools;
const groupsOf = (skill: string) => (parse(read(skill, 'groups.yaml')) as { groups: Group[] }).groups;

function frontmatter(skill: string) {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]+)$/.exec(read(skill, 'SKILL.md'));
  return { data: parse(match?.[1] ?? ''), body: match?.[2] ?? '' };
}

test('the bundled skills and the examples are there', () => {
  const folders = readdirSync(root).filter(name => statSync(join(root, name)).isDirectory());
  expect(folders.sort()).toEqual([...bundled, 'examples'].sort());
});

test.each(packages)('%s: SKILL.md has only the keys that the format allows and names its files', skill => {
  const { data, body } = frontmatter(skill);
  const allowed = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];
  expect(Object.keys(data).filter(key => !allowed.includes(key))).toEqual([]);
  expect(data.name).toBe(basename(skill));
  expect(data.description.length).toBeGreaterThan(60);
  expect(data.compatibility.length).toBeLessThanOrEqual(500);
  for (const key of ['tools', 'groups', 'prompts']) {
    const file = data.metadata.svc[key];
    if (file !== undefined) expect(existsSync(join(root, skill, file))).toBe(true);
  }
  for (const tool of toolsOf(skill)) expect(body).toContain(tool.name);
});

test.each(packages)('%s: every tool has its source, a name and descriptions within the limits, and hints', skill => {
  for (const tool of toolsOf(skill)) {
    expect(`${basename(skill)}__${tool.name}`).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(existsSync(join(root, skill, tool.source_file))).toBe(true);
    expect(tool.description.length).toBeLessThanOrEqual(500);
    expect(tool.description).toMatch(/When to use: .*How to use: /s);
    expect(['sync', 'async']).toContain(tool.execution);
    const hints = ['read_only_hint', 'destructive_hint', 'idempotent_hint', 'open_world_hint'];
    expect(Object.keys(tool.annotations).sort()).toEqual(hints.sort());
    for (const property of Object.values(tool.input_schema.properties)) expect(property.description).toBeTruthy();
    expect(tool.input_schema.additionalProperties).toBe(false);
  }
});

test.each(packages)('%s: schemas compile under 2020-12 and stay readable without merge keys', skill => {
  const ajv = new Ajv2020({ strict: true, strictRequired: true, allowUnionTypes: true });
  for (const tool of toolsOf(skill)) {
    expect(() => ajv.compile(tool.input_schema)).not.toThrow();
    expect(() => ajv.compile(tool.output_schema)).not.toThrow();
  }
  expect(read(skill, 'tools.yaml')).not.toContain('<<');
});

test.each(packages)('%s: groups and next-tools name tools that exist', skill => {
  const tools = toolsOf(skill);
  const names = tools.map(tool => tool.name);
  expect(new Set(names).size).toBe(names.length);
  const members = groupsOf(skill).flatMap(group => group.tools.map(tool => `${group.name}/${tool}`));
  expect(members.sort()).toEqual(
    tools
      .filter(tool => tool.group)
      .map(tool => `${tool.group}/${tool.name}`)
      .sort(),
  );
  for (const tool of tools) {
    for (const next of Object.values(tool['next-tools'] ?? {}).flat()) {
      const [owner, name] = next.split('__') as [string, string];
      expect(owner).toBe(basename(skill));
      expect(names).toContain(name);
    }
  }
});

test('the prompt of scene-inspector declares every placeholder it uses', () => {
  const { prompts } = parse(read('examples/scene-inspector', 'prompts.yaml')) as {
    prompts: { arguments: { name: string }[]; template: string }[];
  };
  for (const prompt of prompts) {
    const used = [...prompt.template.matchAll(/\{\{(\w+)\}\}/g)].map(match => match[1] ?? '');
    const declared = prompt.arguments.map(argument => argument.name);
    expect([...new Set(used)].sort()).toEqual(declared.sort());
  }
});
