/** From what somebody wrote to a finding of the one form, or a sentence that says what is wrong with it. */
import {
  type AgentFinding,
  AgentFindingSchema,
  type Finding,
  FindingV1Schema,
  type LegacyReport,
  LegacyReportSchema,
  type LegacySubmission,
  LegacySubmissionSchema,
} from './finding.ts';
import { excessOfFinding, findingOfLegacy, trimmedFinding } from './finding-rules.ts';
import { jsonObject } from './json-object.ts';
import { isObject, type Json } from './loose.ts';

export interface ReadingDeps {
  /** Validates against one of our schemas; gives what is wrong. */
  check(schema: Record<string, unknown>, value: unknown): readonly { readonly message: string }[] | undefined;
  /** Makes the error that is thrown. */
  refuse(reason: string, cause?: unknown): Error;
}

export type FindingReader = ReturnType<typeof createFindingReader>;

/** Everything throws what `refuse` makes. */
export function createFindingReader({ check, refuse }: ReadingDeps) {
  const checked = <T>(schema: object, value: unknown): T => {
    const problems = check(schema as Record<string, unknown>, value);
    if (problems) throw refuse(problems.map(each => each.message).join('; '));
    return value as T;
  };
  const checkedFinding = <T extends { evidence: object }>(schema: object, given: unknown): T => {
    const value = trimmedFinding(given);
    const unclear = ambiguityOf(value);
    if (unclear !== undefined) throw refuse(unclear);
    const finding = checked<T>(schema, value);
    const excess = excessOfFinding(finding);
    if (excess !== undefined) throw refuse(excess);
    return finding;
  };

  return {
    /** What an agent gave the feedback tool: its part of a finding, or the older form. */
    ofAgent(given: Json): AgentFinding {
      if (!('tool_name' in given)) return checkedFinding<AgentFinding>(AgentFindingSchema, given);
      return findingOfLegacy(checked<LegacyReport>(LegacyReportSchema, trimmedFinding(given)));
    },
    finding: (given: unknown): Finding => checkedFinding<Finding>(FindingV1Schema, given),
    legacy: (given: unknown): LegacySubmission => checked(LegacySubmissionSchema, trimmedFinding(given)),
    /** The object that the bytes of a body or a file are. */
    body: (bytes: Uint8Array): Json => jsonObject(bytes, refuse),
  };
}

/** What a schema would say at greater length. */
function ambiguityOf(finding: unknown): string | undefined {
  if (!isObject(finding)) return undefined;
  const { repro, tool_slug, evidence } = finding;
  if (isObject(repro) && 'argv' in repro === 'steps' in repro) {
    return 'exactly one of "repro.argv" and "repro.steps" is required';
  }
  if (tool_slug === undefined && isObject(evidence) && evidence.error_kind === undefined) {
    return 'what it is about is required: "tool_slug" or "evidence.error_kind"';
  }
  return undefined;
}
