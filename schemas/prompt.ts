/** Prompt files of a skill package (shape:prompts): `prompts.yaml`, or one prompt per file. */
import { type Static, Type } from 'typebox';

const optional = (description: string) => Type.Optional(Type.String({ description }));

/** What a placeholder may be called; also the pattern that rendering looks for. */
export const argumentName = '[A-Za-z_][A-Za-z0-9_.-]{0,63}';

export const PromptArgumentSchema = Type.Object(
  {
    name: Type.String({ pattern: `^${argumentName}$`, description: 'name of the placeholder' }),
    description: optional('what to give'),
    required: Type.Boolean({ default: false, description: 'rendering is refused without it' }),
    default: optional('text that stands for the argument when it is not given'),
    values: Type.Array(Type.String(), { default: [], maxItems: 1000, description: 'values offered by completion' }),
  },
  { description: 'argument of a prompt', additionalProperties: true },
);

/** One entry of the `prompts:` list, or the whole of a `*.prompt.yaml` file. */
export const PromptDeclarationSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$', description: 'name, unique in the skill' }),
    title: optional('title shown to people'),
    description: optional('one line on what the prompt is for'),
    arguments: Type.Array(PromptArgumentSchema, { default: [], maxItems: 50, description: 'placeholders of the text' }),
    template: Type.String({ minLength: 1, description: 'text with `{{argument}}` placeholders' }),
  },
  { $id: 'svc:skill-prompt', description: 'Prompt declaration', additionalProperties: true },
);

/** One entry of the `workflows:` list: a workflow file that is summarised as a prompt. */
export const WorkflowReferenceSchema = Type.Object(
  {
    file: Type.String({ minLength: 1, description: 'workflow file, relative to the package' }),
    prompt_name: optional('name of the prompt instead of `<skill>.<workflow>`'),
  },
  { $id: 'svc:skill-workflow-reference', description: 'Workflow to derive a prompt from', additionalProperties: true },
);

export type PromptDeclaration = Static<typeof PromptDeclarationSchema>;
export type WorkflowReference = Static<typeof WorkflowReferenceSchema>;
