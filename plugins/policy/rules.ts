/** The rules of a policy file: the first that matches decides, else its default. */
import { type Static, Type } from 'typebox';
import type { EventEnvelope, JsonSchema, Schemas, Veto } from '../../kernel/index.ts';
import { objectOf, text } from '../../schemas/loose.ts';
import { isLike, isOtherGlob } from '../../schemas/wildcard.ts';
import { pathOf, readYaml, type YamlFile } from '../../schemas/yaml-document.ts';

const effect = Type.Enum(['allow', 'deny']);
const patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description }));

const RuleSchema = Type.Object(
  {
    effect,
    tools: patterns('slugs or names of tools'),
    skills: patterns('names of skills'),
    dcc_types: patterns('host types'),
    callers: patterns('names of clients or ids of agents, as they call themselves'),
    annotations: Type.Optional(
      Type.Record(Type.String(), Type.Boolean(), { minProperties: 1, description: 'hints that a tool gives' }),
    ),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'what the caller is told' })),
  },
  { additionalProperties: false, minProperties: 2 },
);

export const PolicySchema = Type.Object(
  {
    default: Type.Enum(['allow', 'deny'], { default: 'allow', description: 'what holds where no rule matches' }),
    rules: Type.Array(RuleSchema, { default: [] }),
  },
  { $id: 'svc:policy', description: 'Policy file', additionalProperties: false },
);

interface Rule extends Omit<Static<typeof RuleSchema>, 'annotations'> {
  readonly line: number;
  /** In both spellings, with what is wanted of each. */
  readonly hints: readonly { readonly snake: string; readonly camel: string; readonly is: boolean }[] | undefined;
}

/** What is decided, and by which line of the file; without one by its default. */
export interface Decision {
  readonly veto: Veto | undefined;
  readonly line: number | undefined;
}

export type Policy = (event: EventEnvelope) => Decision;

const code = 'policy_denied';

/** What MCP says of a tool that does not say it itself. */
const unsaid: Readonly<Record<string, boolean>> = {
  read_only_hint: false,
  destructive_hint: true,
  idempotent_hint: false,
  open_world_hint: true,
  deferred_hint: false,
};

/** Throws an error that names the line and the key. */
export function readPolicy(yaml: string, schemas: Pick<Schemas, 'compileWithDefaults'>): Policy {
  const file = readYaml(yaml);
  const value = (file.value ?? {}) as Static<typeof PolicySchema>;
  const [problem] = schemas.compileWithDefaults(PolicySchema as unknown as JsonSchema)(value) ?? [];
  if (problem) throw new Error(`line ${file.lineOf(pathOf(problem.field))}: ${problem.message}`);
  value.rules.forEach((rule, index) => {
    refuseVoid(file, rule, index);
  });
  const rules = value.rules.map(({ annotations, ...rule }, index): Rule => {
    const hints = annotations && Object.entries(annotations).map(([name, is]) => hintOf(file, index, name, is));
    return { ...rule, hints, line: file.lineOf(['rules', index]) };
  });
  return event => {
    const rule = rules.find(each => matches(each, event));
    const line = rule?.line;
    if ((rule?.effect ?? value.default) === 'allow') return { veto: undefined, line };
    return { veto: { code, reason: rule?.reason ?? 'the policy of this server does not allow it' }, line };
  };
}

/** A rule without conditions would decide all, and a pattern that can fit nothing would leave open what it is to close. */
function refuseVoid(file: YamlFile, rule: Static<typeof RuleSchema>, index: number): void {
  const refuse = (path: readonly (string | number)[], why: string): never => {
    const at = ['rules', index, ...path];
    throw new Error(`line ${file.lineOf(at)}: "${at.join('.')}" ${why}`);
  };
  const { effect: _, reason: __, annotations, ...lists } = rule;
  if (annotations === undefined && Object.keys(lists).length === 0) {
    refuse([], 'has no condition: for what holds otherwise there is the default');
  }
  for (const [key, names] of Object.entries(lists)) {
    names.forEach((name, at) => {
      if (name.trim() === '') refuse([key, at], 'is a name of blanks');
      // Clients call themselves as they like.
      if (key !== 'callers' && isOtherGlob(name)) refuse([key, at], 'fits nothing: only * is a wildcard');
    });
  }
}

/** `destructive`, `destructive_hint` and `destructiveHint` are one. */
function hintOf(file: YamlFile, index: number, name: string, is: boolean) {
  const plain = (each: string): string => each.toLowerCase().replaceAll('_', '').replace(/hint$/, '');
  const snake = Object.keys(unsaid).find(each => plain(each) === plain(name));
  if (snake !== undefined) return { snake, camel: snake.replaceAll(/_(.)/g, (_, at: string) => at.toUpperCase()), is };
  const known = Object.keys(unsaid).map(each => each.replace('_hint', ''));
  const path = ['rules', index, 'annotations', name];
  throw new Error(
    `line ${file.lineOf(path)}: "${path.join('.')}" is no hint of a tool: use one of ${known.join(', ')}`,
  );
}

/** A condition on what an event is not about does not hold: a rule on tools says nothing of loading a skill. */
function matches(rule: Rule, { attributes, source, correlation }: EventEnvelope): boolean {
  const { tools, skills, dcc_types, callers, hints } = rule;
  // As the registry and a search name what says no type.
  const { tool_slug, tool_name, skill_name, dcc_type = source.dcc_type ?? 'python' } = attributes;
  return (
    (tools === undefined || holds(tools, tool_slug, tool_name, ...instanceSlugs(dcc_type, skill_name, tool_name))) &&
    (skills === undefined || holds(skills, skill_name)) &&
    (dcc_types === undefined || holds(dcc_types, dcc_type)) &&
    (callers === undefined || holds(callers, correlation.client, correlation.agent_id)) &&
    (hints === undefined || (tool_name !== undefined && hinted(hints, attributes.annotations)))
  );
}

const holds = (wanted: readonly string[], ...values: unknown[]): boolean =>
  values.some(value => text(value) !== undefined && isLike(String(value), wanted, { caseSensitive: false }));

/** The slugs that the tool has at its instance: a gateway's own names the instance, and the file is to mean one thing. */
function instanceSlugs(dcc_type: unknown, skill_name: unknown, tool_name: unknown): string[] {
  if (text(tool_name) === undefined) return [];
  const [skill, name] = [text(skill_name), String(tool_name)];
  const action = skill !== undefined && name.startsWith(`${skill}__`) ? name.slice(skill.length + 2) : name;
  if (skill !== undefined) return [`${dcc_type}.${skill}.${action}`];
  // A search there finds it as the host's.
  return [`${dcc_type}.${action}`, `${dcc_type}.host.${action}`];
}

function hinted(wanted: NonNullable<Rule['hints']>, given: unknown): boolean {
  const said = objectOf(given);
  const onlyReads = said.readOnlyHint === true || said.read_only_hint === true;
  return wanted.every(({ snake, camel, is }) => {
    // What only reads destroys nothing, and the other hints mean nothing.
    const usual = onlyReads ? snake === 'read_only_hint' : unsaid[snake];
    return (said[snake] ?? said[camel] ?? usual) === is;
  });
}
