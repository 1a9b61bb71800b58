/** Reads what a prompt file says: good entries become prompts, bad ones problems that name the field. */
import { createSchemas, type JsonSchema, type Problem, summary } from '../../kernel/index.ts';
import type { Asking } from '../../schemas/asking.ts';
import {
  type PromptDeclaration,
  PromptDeclarationSchema,
  type PromptMessageDeclaration,
  type WorkflowReference,
  WorkflowReferenceSchema,
} from '../../schemas/prompt.ts';

type Fields = Record<string, unknown>;

export interface PromptArgument {
  name: string;
  description?: string;
  required: boolean;
  /** Text that stands for the argument when it is not given; otherwise nothing does. */
  default?: string;
  /** What completion offers. */
  values?: readonly string[];
}

/** As MCP has it: its texts and URIs may hold `{{argument}}` placeholders while it is not rendered. */
export interface PromptMessage {
  role: 'user' | 'assistant';
  content: Record<string, unknown>;
}

export interface RenderedPrompt {
  description?: string;
  messages: readonly PromptMessage[];
}

/** The request that a prompt is rendered for: `elicit`, `sample` and `roots` ask its client. */
export interface PromptCall extends Asking {
  readonly signal: AbortSignal;
}

export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments: readonly PromptArgument[];
  /** One message of the user with `{{argument}}` placeholders; one that names no argument is left as it is. */
  template?: string;
  /** Several messages of any kind, instead of the template. */
  messages?: readonly PromptMessage[];
  /** Renders it instead of both, from the arguments as texts. */
  render?(args: Record<string, string>, call: PromptCall): Promise<RenderedPrompt>;
}

type GivenArgument = Partial<PromptDeclaration['arguments'][number]> & { name: string };
type GivenPrompt = Omit<Partial<PromptDeclaration>, 'arguments' | 'messages'> & {
  name: string;
  arguments?: readonly GivenArgument[];
};

/** A prompt as a file declares it; files that its messages name are not read yet. */
export interface DeclaredPrompt {
  prompt: Prompt;
  messages: readonly PromptMessageDeclaration[] | undefined;
}

export interface Declarations {
  prompts: DeclaredPrompt[];
  workflows: WorkflowReference[];
  /** Sentences on what was left out. */
  problems: string[];
}

const mostEntries = 500;

const schemas = createSchemas();
const checkPrompt = schemas.compileWithDefaults(PromptDeclarationSchema as unknown as JsonSchema);
const checkWorkflow = schemas.compileWithDefaults(WorkflowReferenceSchema as unknown as JsonSchema);

/** A list form (`prompts:`, `workflows:`, or the list alone), or one prompt, named `fallback` when it names itself not. */
export function readDeclarations(data: unknown, fallback?: string): Declarations {
  if (data === null || data === undefined) return { prompts: [], workflows: [], problems: [] };
  if (Array.isArray(data)) return readDeclarations({ prompts: data });
  if (!isFields(data)) throw new Error('it must hold a "prompts:" list or one prompt');
  if (fallback !== undefined && !('prompts' in data) && !('workflows' in data)) {
    return readDeclarations({ prompts: [{ name: fallback, ...data }] });
  }
  const problems: string[] = [];
  const read = (key: 'prompts' | 'workflows', check: (entry: Fields) => Problem[] | undefined): Fields[] => {
    const entries = data[key] ?? [];
    if (!Array.isArray(entries)) throw new Error(`"${key}" must be a list`);
    if (entries.length > mostEntries) throw new Error(`"${key}" has more than ${mostEntries} entries`);
    return entries.flatMap((entry: unknown, index) => {
      const label = `${key}[${index}]`;
      if (!isFields(entry)) {
        problems.push(`${label} must be a mapping`);
        return [];
      }
      const fields = key === 'prompts' ? withTexts(entry) : { ...entry };
      const found = check(fields) ?? (key === 'prompts' ? textProblem(fields) : undefined);
      if (found) problems.push(`${label}${nameOf(entry)}: ${summary(found)}`);
      return found ? [] : [fields];
    });
  };
  const prompts = read('prompts', checkPrompt) as PromptDeclaration[];
  const workflows = read('workflows', checkWorkflow) as WorkflowReference[];
  const declared = prompts.map(each => ({ prompt: toPrompt(each), messages: each.messages }));
  return { prompts: declared, workflows, problems };
}

/** What a prompt says stands in its template or in its messages, each of which is of one kind. */
function textProblem({ template, messages }: Fields): Problem[] | undefined {
  const problem = (field: string, message: string): Problem[] => [{ field, message }];
  if (!Array.isArray(messages))
    return template === undefined ? problem('template', '"template" is required') : undefined;
  if (template !== undefined) return problem('messages', 'give "template" or "messages", not both');
  const wrong = messages.findIndex(each => Object.keys(each as Fields).filter(name => name !== 'role').length !== 1);
  if (wrong < 0) return undefined;
  return problem(`messages.${wrong}`, `"messages.${wrong}" must have one of text, image, audio, resource and link`);
}

/** A copy whose values of choice are texts: `values: [1, 2]` means "1" and "2"; `enum` is another name for it. */
function withTexts(entry: Fields): Fields {
  if (!Array.isArray(entry.arguments)) return { ...entry };
  const texts = (value: unknown): unknown => (Array.isArray(value) ? value.map(asText) : value);
  return {
    ...entry,
    arguments: entry.arguments.map((each: unknown) => {
      if (!isFields(each)) return each;
      const values = texts(each.values ?? each.enum);
      return {
        ...each,
        ...(values !== undefined && { values }),
        ...('default' in each && { default: asText(each.default) }),
      };
    }),
  };
}

/** `given`: a declaration, whose defaults may be missing. */
export const toPrompt = ({ name, title, description, arguments: all = [], template }: GivenPrompt): Prompt => ({
  name,
  ...(title !== undefined && { title }),
  ...(description !== undefined && { description }),
  arguments: all.map(each => ({
    name: each.name,
    ...(each.description !== undefined && { description: each.description }),
    required: each.required ?? false,
    ...(each.default !== undefined && { default: each.default }),
    ...(each.values && each.values.length > 0 && { values: each.values }),
  })),
  ...(template !== undefined && { template }),
});

const nameOf = ({ name }: Fields): string => (typeof name === 'string' ? ` "${name.slice(0, 80)}"` : '');

const asText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
