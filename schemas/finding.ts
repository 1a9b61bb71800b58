/** Finding v1: what somebody found wrong, as a record that can be routed, deduplicated and filed. */
import { type Static, Type } from 'typebox';
import { FINDING_V1_SCHEMA_VERSION } from './finding-version.ts';

const identifier = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });
const prose = (description: string) => Type.String({ minLength: 1, maxLength: 4096, description });
const list = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), { minItems: 1, maxItems: 64, description }));

const repro = Type.Object(
  { argv: list('a command line that shows it'), steps: list('steps that show it') },
  { additionalProperties: false, minProperties: 1, maxProperties: 1, description: 'exactly one of argv and steps' },
);

const evidenceSchema = Type.Object(
  {
    request_id: Type.Optional(identifier('id of the request that failed')),
    job_id: Type.Optional(identifier('id of the job that failed')),
    instance_id: Type.Optional(identifier('the instance that was asked; the runtime says it')),
    error_kind: Type.Optional(identifier('kind of the error: the subject where there is no tool_slug')),
    run_id: Type.Optional(identifier('id of the run that failed')),
  },
  {
    maxProperties: 64,
    additionalProperties: Type.Unknown(),
    description:
      'at most 32 KiB as JSON. Of a skill, routing is {source: "skill_metadata", skill_name, repo, issues_url} from its links',
  },
);

export type FindingEvidence = Static<typeof evidenceSchema> & { [name: string]: unknown };
const evidence = Type.Unsafe<FindingEvidence>(evidenceSchema);

/** What an agent writes. */
const authored = {
  phase: Type.Enum(['install', 'startup', 'dispatch', 'skill', 'other'], { description: 'where it went wrong' }),
  severity: Type.Enum(['blocker', 'degraded', 'workaround_found', 'suggestion'], { description: 'how bad it is' }),
  tool_slug: Type.Optional(identifier('the tool that it is about; else evidence.error_kind is required')),
  intent: prose('what was to be done'),
  observed: prose('what happened'),
  expected: prose('what should have happened'),
  repro,
  evidence,
};

/** The subject is a tool or a kind of error. */
const subject = {
  anyOf: [{ required: ['tool_slug'] }, { properties: { evidence: { type: 'object', required: ['error_kind'] } } }],
};

const exclusions = {
  raw_payloads_excluded: Type.Optional(
    Type.Boolean({ default: false, description: 'no arguments and results are in it' }),
  ),
  prompts_excluded: Type.Optional(Type.Boolean({ default: false, description: 'no prompts are in it' })),
  scripts_excluded: Type.Optional(Type.Boolean({ default: false, description: 'no scripts are in it' })),
  auth_material_excluded: Type.Optional(Type.Boolean({ default: false, description: 'no credentials are in it' })),
  local_urls_excluded: Type.Optional(Type.Boolean({ default: false, description: 'no local addresses are in it' })),
  absolute_paths_excluded: Type.Optional(Type.Boolean({ default: false, description: 'no paths are in it' })),
  private_identifiers_excluded: Type.Optional(
    Type.Boolean({ default: false, description: 'no names and ids are in it' }),
  ),
};
const allExcluded = {
  required: Object.keys(exclusions),
  properties: Object.fromEntries(Object.keys(exclusions).map(each => [each, { const: true }])),
};

const redaction_status = Type.Object(
  {
    mode: Type.Enum(['needs-review', 'public-safe'], { description: 'public-safe when a reviewer has said so' }),
    redaction_markers_detected: Type.Boolean({ description: 'something was taken out of what the agent wrote' }),
    ...exclusions,
  },
  {
    additionalProperties: false,
    if: { properties: { mode: { const: 'public-safe' } } },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own keyword
    then: allExcluded,
    description: 'who has looked at it: public-safe needs every exclusion',
  },
);

/** What only the runtime says. */
const context = {
  dcc_type: identifier('host type'),
  adapter: identifier('package of the adapter'),
  adapter_version: identifier('its version, or unknown'),
  core_version: identifier('version of the server, or unknown'),
  host_version: identifier('version of the host, or unknown'),
  os: identifier('platform: linux, win32, darwin'),
};

export const FindingV1Schema = Type.Object(
  {
    schema_version: Type.Literal(FINDING_V1_SCHEMA_VERSION, { description: 'version of this schema' }),
    fingerprint: Type.String({
      pattern: '^sha256:[0-9a-f]{64}$',
      description: 'SHA-256 over owning repository, phase, subject and major version of the host',
    }),
    ...context,
    ...authored,
    redaction_status,
  },
  { $id: 'svc:finding-v1', description: 'Finding v1', additionalProperties: false, ...subject },
);

export const AgentFindingSchema = Type.Object(authored, {
  $id: 'svc:agent-finding',
  description: 'What an agent writes of a finding',
  additionalProperties: false,
  ...subject,
});

const legacy = {
  tool_name: identifier('the tool that it is about'),
  intent: prose('what was to be done'),
  attempt: Type.Optional(prose('what was tried')),
  blocker: prose('what stood in the way'),
  severity: Type.Enum(['blocked', 'workaround_found', 'suggestion'], { description: 'how bad it is' }),
  request_id: Type.Optional(identifier('id of the request that failed')),
  job_id: Type.Optional(identifier('id of the job that failed')),
};

export const LegacyReportSchema = Type.Object(legacy, {
  $id: 'svc:legacy-feedback',
  description: 'The older form of a report',
  additionalProperties: false,
});

/** Over HTTP, where no runtime fills in who reports. */
export const LegacySubmissionSchema = Type.Object(
  {
    ...legacy,
    dcc_type: Type.Optional(identifier('host type')),
    instance_id: Type.Optional(identifier('the instance that was asked')),
  },
  { $id: 'svc:legacy-submission', description: 'The older form of a report, over HTTP', additionalProperties: false },
);

export type Finding = Static<typeof FindingV1Schema>;
export type AgentFinding = Static<typeof AgentFindingSchema>;
export type LegacyReport = Static<typeof LegacyReportSchema>;
export type LegacySubmission = Static<typeof LegacySubmissionSchema>;
export type FindingContext = Pick<Finding, keyof typeof context>;
