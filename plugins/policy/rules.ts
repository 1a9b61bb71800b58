/** The rules of a policy file: the first that matches decides, else its default. */
import { type Static, Type } from 'typebox';
import type { EventEnvelope, JsonSchema, Schemas, Veto } from '../../kernel/index.ts';
import { objectOf, text } from '../../schemas/loose.ts';
import { isLike } from '../../schemas/wildcard.ts';
import { pathOf, readYaml } from '../../schemas/yaml-document.ts';

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

type Rule = Static<typeof RuleSchema>;

/** A veto, or undefined for what is allowed. */
export type Policy = (event: EventEnvelope) => Veto | undefined;

const code = 'policy_denied';

/** What MCP says of a tool that does not say it itself. */
const unsaid: Readonly<Record<string, boolean>> = {
  read_only_hint: false,
  destructive_hint: true,
  idempotent_hint: false,
  open_world_hint: true,
};

/** Throws an error that names the line. */
export function readPolicy(yaml: string, schemas: Pick<Schemas, 'compileWithDefaults'>): Policy {
  const file = readYaml(yaml);
  const value = (file.value ?? {}) as Static<typeof PolicySchema>;
  const [problem] = schemas.compileWithDefaults(PolicySchema as unknown as JsonSchema)(value) ?? [];
  if (problem) throw new Error(`line ${file.lineOf(pathOf(problem.field))}: ${problem.message}`);
  return event => {
    const rule = value.rules.find(each => matches(each, event));
    if ((rule?.effect ?? value.default) === 'allow') return undefined;
    return { code, reason: rule?.reason ?? 'the policy of this server does not allow it' };
  };
}

/** A condition on what an event is not about does not hold: a rule on tools says nothing of loading a skill. */
function matches(rule: Rule, { attributes, source, correlation }: EventEnvelope): boolean {
  const { tools, skills, dcc_types, callers, annotations } = rule;
  return (
    holds(tools, attributes.tool_slug, attributes.tool_name) &&
    holds(skills, attributes.skill_name) &&
    holds(dcc_types, attributes.dcc_type, source.dcc_type) &&
    holds(callers, correlation.client, correlation.agent_id) &&
    (annotations === undefined || (attributes.tool_name !== undefined && hinted(annotations, attributes.annotations)))
  );
}

const holds = (wanted: readonly string[] | undefined, ...values: unknown[]): boolean =>
  wanted === undefined ||
  values.some(value => text(value) !== undefined && isLike(String(value), wanted, { caseSensitive: false }));

function hinted(wanted: Readonly<Record<string, boolean>>, given: unknown): boolean {
  const said = objectOf(given);
  return Object.entries(wanted).every(([hint, value]) => {
    const snake = hint.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
    const camel = snake.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const is =
      said[snake] ??
      said[camel] ??
      (said.readOnlyHint === true || said.read_only_hint === true ? snake === 'read_only_hint' : unsaid[snake]);
    return is === value;
  });
}
