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

const Media = Type.Union(
  [
    Type.String({ minLength: 1, description: 'file of the package' }),
    Type.Object({
      file: optional('file of the package'),
      data: optional('the bytes in base64, where there is no file'),
      mimeType: optional('media type, when the name of the file does not tell it'),
    }),
  ],
  { description: 'a file, or its data' },
);

const Resource = Type.Union(
  [
    Type.String({ minLength: 1, description: 'file of the package' }),
    Type.Object({
      uri: optional('its URI; `skill://<skill>/<file>` for a file of the package'),
      file: optional('file of the package'),
      text: optional('what it holds, where there is no file'),
      mimeType: optional('media type, when the name of the file does not tell it'),
    }),
  ],
  { description: 'a resource that the message carries' },
);

/** One message of a prompt: a role, and one of the others. */
export const PromptMessageSchema = Type.Object(
  {
    role: Type.Union([Type.Literal('user'), Type.Literal('assistant')], {
      default: 'user',
      description: 'who says it',
    }),
    text: optional('text with `{{argument}}` placeholders'),
    image: Type.Optional(Media),
    audio: Type.Optional(Media),
    resource: Type.Optional(Resource),
    link: Type.Optional(
      Type.Object(
        {
          uri: Type.String({ minLength: 1, description: 'URI of a resource that the client can read' }),
          name: optional('its name'),
          mimeType: optional('its media type'),
        },
        { description: 'a link to a resource' },
      ),
    ),
  },
  { description: 'message of a prompt', additionalProperties: false },
);

/** One entry of the `prompts:` list, or the whole of a `*.prompt.yaml` file. */
export const PromptDeclarationSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}$', description: 'name, unique in the skill' }),
    title: optional('title shown to people'),
    description: optional('one line on what the prompt is for'),
    arguments: Type.Array(PromptArgumentSchema, { default: [], maxItems: 50, description: 'placeholders of the text' }),
    template: Type.Optional(Type.String({ minLength: 1, description: 'text with `{{argument}}` placeholders' })),
    messages: Type.Optional(
      Type.Array(PromptMessageSchema, { minItems: 1, maxItems: 50, description: 'messages, instead of a template' }),
    ),
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

export type PromptMessageDeclaration = Static<typeof PromptMessageSchema>;
export type PromptDeclaration = Static<typeof PromptDeclarationSchema>;
export type WorkflowReference = Static<typeof WorkflowReferenceSchema>;
