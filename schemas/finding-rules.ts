/** What holds of a finding beyond its JSON Schema: normal form, fingerprint, who owns it. Pure, and loads nothing. */
import { createHash } from 'node:crypto';
import type { AgentFinding, Finding, FindingContext, FindingEvidence, LegacyReport } from './finding.ts';
import { FINDING_V1_SCHEMA_VERSION } from './finding-version.ts';
import { isObject, type Json, objectOf, text } from './loose.ts';
import { isMarked } from './redaction.ts';

/** Bytes of the evidence as JSON. */
export const mostEvidenceBytes = 32_768;
/** Bytes of a finding as JSON: more is neither stored nor read. */
export const mostFindingBytes = 1_000_000;
const mostText = 4096;

const knownEvidence = ['request_id', 'job_id', 'instance_id', 'error_kind', 'run_id'];

const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
const trimmedMembers = (value: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(value).map(([key, each]) => [key, names.includes(key) ? trimmed(each) : each]));
const trimmedList = (value: unknown): unknown => (Array.isArray(value) ? value.map(trimmed) : value);

/** A finding, or the agent's part of one, without the space around its texts; what is no object stays. */
export function trimmedFinding(given: unknown): unknown {
  if (!isObject(given)) return given;
  const finding = trimmedMembers(given, Object.keys(given));
  if (isObject(finding.repro)) {
    finding.repro = Object.fromEntries(Object.entries(finding.repro).map(([key, each]) => [key, trimmedList(each)]));
  }
  if (isObject(finding.evidence)) finding.evidence = trimmedMembers(finding.evidence, knownEvidence);
  return finding;
}

/** What the schema cannot say: nothing when all is well. */
export function excessOfFinding(finding: { evidence: object }): string | undefined {
  const bytes = bytesOf(finding.evidence);
  if (bytes > mostEvidenceBytes) return `"evidence" has ${bytes} bytes as JSON, at most ${mostEvidenceBytes} are taken`;
  const whole = bytesOf(finding);
  return whole > mostFindingBytes ? `it has ${whole} bytes as JSON, at most ${mostFindingBytes} are taken` : undefined;
}

function bytesOf(value: object): number {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    // Nested deeper than anything can be written.
    return Number.POSITIVE_INFINITY;
  }
}

/** Kinds of errors whose cause is the gateway, the client or the protocol, and no adapter. */
export function isCoreKind(kind: string | undefined): boolean {
  const plain = (kind ?? '').trim().toLowerCase().replaceAll(/[-.]/g, '_');
  return (
    ['unknown_slug', 'instance_offline', 'ambiguous'].includes(plain) ||
    /^(?:gateway|cli|protocol|mcp_protocol|jsonrpc)(?:_|$)/.test(plain)
  );
}

/** A repository as fingerprints and routes have it: `owner/name` in lower case. */
export const plainRepository = (repository: string): string =>
  repository
    .trim()
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^(?:https?:\/\/)?github\.com\//, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');

const organisation = 'dcc-mcp';
export const coreRepository = `${organisation}/dcc-mcp-core`;

/** The repository that owns a finding, as far as the finding itself says. */
export function ownerOf({ adapter, phase, evidence }: Pick<Finding, 'adapter' | 'phase' | 'evidence'>): string {
  if (isCoreKind(text(evidence.error_kind))) return coreRepository;
  const routed = phase === 'skill' ? text(objectOf(evidence.routing).repo) : undefined;
  return routed ?? (adapter.startsWith(`${organisation}-`) ? `${organisation}/${adapter}` : adapter);
}

export type FingerprintBasis = Pick<Finding, 'phase' | 'tool_slug' | 'evidence' | 'host_version'>;

/** The fingerprint that a finding has when `repository` owns it. */
export function fingerprintOf(
  { phase, tool_slug, evidence, host_version }: FingerprintBasis,
  repository: string,
): string {
  const subject = (tool_slug ?? text(evidence.error_kind) ?? '').trim().toLowerCase();
  const [major = 'unknown'] = /\d+/.exec(host_version) ?? [];
  const basis = ['finding-v1', plainRepository(repository), phase, subject, major].join('\n');
  return `sha256:${createHash('sha256').update(basis).digest('hex')}`;
}

/** A name of a package or a file: what would be awkward in one is a dash. */
export const safeName = (name: string): string => name.replaceAll(/[^\w.-]+/g, '-').slice(0, 96) || '-';

/** The package of an adapter that has no other name. */
export const adapterOf = (dcc_type: string): string => `${organisation}-${safeName(dcc_type.toLowerCase())}`;

/** Who reports when nobody says more than a host type. */
export const unknownContext = (dcc_type: string): FindingContext => ({
  dcc_type,
  adapter: adapterOf(dcc_type),
  adapter_version: 'unknown',
  core_version: 'unknown',
  host_version: 'unknown',
  os: process.platform,
});

/** The finding that an older form of report stands for. */
export function findingOfLegacy(report: LegacyReport): AgentFinding {
  const { tool_name, intent, attempt, blocker, severity, request_id, job_id } = report;
  return {
    phase: 'dispatch',
    severity: severity === 'blocked' ? 'blocker' : severity,
    tool_slug: tool_name,
    intent,
    observed: blocker,
    expected: [...`Complete the stated intent: ${intent}`].slice(0, mostText).join(''),
    repro: { steps: [attempt ?? `Invoke ${tool_name} for the stated intent`] },
    evidence: { error_kind: 'legacy_feedback', ...(request_id && { request_id }), ...(job_id && { job_id }) },
  };
}

/** What an agent wrote with what only the runtime may say. */
export function completeFinding(authored: AgentFinding, context: FindingContext, instance_id?: string): Finding {
  const { phase, severity, tool_slug, intent, observed, expected, repro, evidence } = authored;
  const filled: FindingEvidence = { ...evidence, ...(instance_id && { instance_id }) };
  const basis = { phase, ...(tool_slug !== undefined && { tool_slug }), evidence: filled };
  const owner = ownerOf({ adapter: context.adapter, phase, evidence: filled });
  return {
    schema_version: FINDING_V1_SCHEMA_VERSION,
    fingerprint: fingerprintOf({ ...basis, host_version: context.host_version }, owner),
    ...context,
    ...{ ...basis, severity, intent, observed, expected, repro },
    redaction_status: {
      mode: 'needs-review',
      redaction_markers_detected: isMarked(JSON.stringify([tool_slug, intent, observed, expected, repro, evidence])),
      ...{ raw_payloads_excluded: false, prompts_excluded: false, scripts_excluded: false },
      ...{ auth_material_excluded: false, local_urls_excluded: false, absolute_paths_excluded: false },
      private_identifiers_excluded: false,
    },
  };
}
