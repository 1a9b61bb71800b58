/** What a Python host and its companion say to each other: one JSON object a line, `t` is its type. */
import { type Static, Type } from 'typebox';
import { hostTypePattern } from './settings.ts';
import { ToolDefinitionSchema } from './tool.ts';

/** Versions of the protocol that this server speaks; the newest common one is taken. */
export const linkProtocol = { oldest: 1, newest: 1 } as const;

/** Longest line, either way. */
export const longestLine = 8 * 1024 * 1024;

const anything = Type.Unknown();
const fields = Type.Record(Type.String(), anything);
const id = Type.String({ maxLength: 64, description: 'id of the call that it is about' });
const name = Type.String({ minLength: 1, maxLength: 256 });
const pid = Type.Integer({ minimum: 1, maximum: 4294967295, description: 'process id' });
const affinity = Type.Union([Type.Literal('main'), Type.Literal('any')], { description: 'thread that it runs on' });
const message = <const T extends string, const P extends Record<string, object>>(t: T, properties: P) =>
  Type.Object({ t: Type.Literal(t), ...properties }, { $id: `svc:host-${t}`, description: `Host: ${t}` });

const state = {
  scene: Type.Optional(anything),
  row: Type.Optional(fields),
  status: Type.Optional(Type.Union([Type.String(), Type.Null()])),
};

export const HelloSchema = message('hello', {
  protocol: Type.Integer({ minimum: 1, description: 'newest version that the module speaks' }),
  min_protocol: Type.Integer({ minimum: 1, description: 'oldest version that it speaks' }),
  module_version: Type.String({ maxLength: 64 }),
  dcc_type: Type.String({ pattern: hostTypePattern, description: 'host type' }),
  dcc_version: Type.String({ maxLength: 256, description: 'version of the application' }),
  pid,
  python: Type.String({ maxLength: 64, description: 'version of its Python' }),
  background: Type.Boolean({ description: 'it has no window' }),
  options: Type.Record(Type.String(), anything, { description: 'options of the server' }),
  tools: Type.Array(anything, { description: 'tool definitions' }),
  state: Type.Object(state, { description: 'what is open' }),
  early: Type.Optional(
    Type.Array(Type.Record(Type.String(), anything), { description: 'messages that count before the server starts' }),
  ),
  resume: Type.Union([
    Type.Null(),
    Type.Object({ instance_id: Type.Union([Type.String(), Type.Null()]), port: Type.Integer() }),
  ]),
});

/** Messages after the `hello`, by type; of another type nothing is taken. */
export const hostMessages = {
  tool: message('tool', { definition: Type.Pick(ToolDefinitionSchema, ['name'], { additionalProperties: true }) }),
  untool: message('untool', { name }),
  resource: message('resource', {
    scheme: name,
    templates: Type.Array(anything),
    affinity,
    completes: Type.Optional(Type.Boolean({ description: 'it completes variables of its templates' })),
  }),
  prompt: message('prompt', {
    definition: Type.Object({ name }),
    rendered: Type.Optional(Type.Boolean({ description: 'by a function; else by its template' })),
  }),
  buffer: message('buffer', { session_id: name }),
  forget: message('forget', { key: Type.String({ maxLength: 600, description: 'type and name of what goes' }) }),
  on: message('on', { name, key: name }),
  before: message('before', { name, key: name }),
  feedback: message('feedback', {
    settings: fields,
    providers: Type.Array(Type.Enum(['finding_context_provider', 'instance_id_provider', 'gateway_token_provider']), {
      description: 'functions of the host that every report asks',
    }),
  }),
  state: message('state', { key: Type.Enum(['scene', 'row', 'status']), value: anything }),
  event: message('event', { name, attributes: fields }),
  begin: message('begin', { id }),
  result: message('result', { id, value: anything }),
  error: message('error', {
    id,
    code: Type.String({ maxLength: 256 }),
    message: Type.String(),
    own: Type.Optional(Type.Boolean({ description: 'its author meant it for the caller' })),
    details: Type.Optional(fields),
    where: Type.Optional(Type.Array(Type.String())),
    retryable: Type.Optional(Type.Boolean()),
  }),
  progress: message('progress', {
    id,
    progress: Type.Number(),
    total: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    message: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  log: message('log', { id, level: Type.String(), data: anything }),
  close_stream: message('close_stream', {
    id,
    retry_ms: Type.Number({ minimum: 0, description: 'until the client is to come back' }),
  }),
  ask: message('ask', {
    id,
    call: Type.String({ maxLength: 64, description: 'the call whose client is asked' }),
    method: name,
    params: fields,
    timeout_ms: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  }),
  operation: message('operation', { id, name, input: Type.Optional(anything) }),
  child: message('child', { pid, running: Type.Boolean() }),
  pong: message('pong', {
    n: Type.Integer(),
    main_lag_ms: Type.Number({ description: 'since the main thread came by' }),
    tool: Type.Union([Type.String(), Type.Null()], { description: 'what it runs' }),
    running: Type.Integer(),
    waiting: Type.Integer(),
  }),
  bye: message('bye', {}),
} as const;

export type Hello = Static<typeof HelloSchema>;
export type HostMessages = { [Kind in keyof typeof hostMessages]: Static<(typeof hostMessages)[Kind]> };
export type HostMessage = HostMessages[keyof HostMessages];
export type Affinity = Static<typeof affinity>;
