/** Install SOP v1: what somebody, or an agent, did to install an adapter, and what is left to do. */
import { type Static, Type } from 'typebox';

const identifier = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });
const prose = (description: string) => Type.String({ description });
const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const step = Type.Object(
  {
    id: identifier('which step of the procedure'),
    status: identifier('how it went'),
    description: Type.Optional(prose('what it does')),
    message: Type.Optional(prose('what it said')),
  },
  { description: 'a step that was taken' },
);

const fileEdit = Type.Object(
  {
    path: Type.String({ minLength: 1, description: 'the file' }),
    action: Type.Enum(['create', 'update', 'remove'], { description: 'what becomes of it' }),
    content: Type.Optional(prose('what it holds then')),
  },
  { additionalProperties: false, description: 'a file to be changed' },
);

const nextStep = Type.Object(
  {
    id: identifier('which step of the procedure'),
    description: prose('what it does'),
    why: prose('why it is needed'),
    command: Type.Optional(Type.Array(Type.String(), { minItems: 1, description: 'a command line to be run' })),
    file_edit: Type.Optional(fileEdit),
  },
  {
    additionalProperties: false,
    oneOf: [{ required: ['command'] }, { required: ['file_edit'] }],
    description: 'a step that is left: exactly one of command and file_edit',
  },
);

export const InstallSopV1Schema = Type.Object(
  {
    schema_version: Type.Literal(1, { description: 'version of this schema' }),
    status: Type.Enum(['planned', 'running', 'ok', 'failed', 'partial', 'requires_restart'], {
      description: 'how far it is, or how it ended',
    }),
    dcc_type: identifier('host type'),
    adapter_version: identifier('version of the adapter, or unknown'),
    core_version: identifier('version of the server, or unknown'),
    steps: Type.Array(step, { description: 'what was done' }),
    next_steps: Type.Array(nextStep, { description: 'what is left to do' }),
    receipt_path: orNull('where the receipt was written'),
    verify: Type.Object(
      {
        directly_usable: Type.Boolean({ description: 'it can be used as it is' }),
        failure_stage: orNull('where it failed'),
        failure_reason: orNull('why it failed'),
      },
      { description: 'whether it works' },
    ),
  },
  { $id: 'svc:install-sop-v1', description: 'Install SOP v1: further members may stand beside these' },
);

export type InstallSop = Static<typeof InstallSopV1Schema> & Readonly<Record<string, unknown>>;

/** How an installation ends: before that it is no report of what was done. */
export const isTerminal = ({ status }: InstallSop): boolean => status !== 'planned' && status !== 'running';
