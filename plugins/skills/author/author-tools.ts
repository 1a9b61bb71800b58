/** Internal tools for the bundled author's kit: validate a directory, scaffold a package. */
import { type Static, Type } from 'typebox';
import type { ToolEntry } from '../../tools/api.ts';
import { scaffoldSkill } from './scaffold.ts';
import { scaffoldTemplates } from './scaffold-templates.ts';
import type { SkillReport } from './validation.ts';

const validateInput = Type.Object(
  { path: Type.String({ minLength: 1, description: 'Directory of the package.' }) },
  { additionalProperties: false },
);

const scaffoldInput = Type.Object(
  {
    name: Type.String({ minLength: 1, description: 'Name of the skill: lower-case letters, digits and "-".' }),
    directory: Type.String({ minLength: 1, description: 'Directory in which the package is created.' }),
    description: Type.Optional(Type.String({ description: 'What the skill is for and when to use it.' })),
    template: Type.Optional(Type.Enum([...scaffoldTemplates], { description: 'Language of the first tool.' })),
    tool: Type.Optional(Type.String({ minLength: 1, description: 'Name of the first tool.' })),
    dcc: Type.Optional(Type.String({ minLength: 1, description: 'Host type the skill is for.' })),
  },
  { additionalProperties: false },
);

const asSchema = (schema: object) => schema as unknown as Record<string, unknown>;

export const authorTools = (validate: (path: string) => Promise<SkillReport>): readonly ToolEntry[] => [
  {
    definition: {
      name: 'svc.validate_skill',
      description: 'Checks a skill package directory without executing anything.',
      input_schema: asSchema(validateInput),
    },
    handler: args => validate((args as Static<typeof validateInput>).path),
  },
  {
    definition: {
      name: 'svc.scaffold_skill',
      description: 'Creates a new, working skill package.',
      input_schema: asSchema(scaffoldInput),
    },
    handler: args => scaffoldSkill(args as Static<typeof scaffoldInput>),
  },
];
