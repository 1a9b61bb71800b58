/** Feedback at the gateway: checked, stored, told, and only then accepted. It makes no issue anywhere. */
import { randomUUID } from 'node:crypto';
import { type Bus, messageOf } from '../../kernel/index.ts';
import { catalog } from '../../schemas/catalog.ts';
import type { Finding, FindingContext } from '../../schemas/finding.ts';
import { routeOf } from '../../schemas/finding-route.ts';
import { completeFinding, findingOfLegacy, unknownContext } from '../../schemas/finding-rules.ts';
import type { Json } from '../../schemas/loose.ts';
import type { Instance } from '../instances/api.ts';
import type { FeedbackEntry, FeedbackReceipt } from './api.ts';
import { feedbackErrors } from './errors.ts';
import type { FindingReader } from './reading.ts';
import { entryOf } from './records.ts';

export interface SubmissionDeps {
  reader: FindingReader;
  append(entry: FeedbackEntry): Promise<void>;
  bus: Pick<Bus, 'emit'>;
  /** An instance that the gateway knows. */
  instance(id: string): Instance | undefined;
  now: () => number;
}

export const eventsUri = 'resources://gateway/events';

/** Characters of what an entry of the ring says of a report. */
const mostTold = 8192;
/** Types of instances that named none. */
const unnamed: ReadonlySet<string> = new Set(['python', 'unknown']);

const refuse = (reason: string) => feedbackErrors.INVALID({ reason });

export function createSubmissions({ reader, append, bus, instance, now }: SubmissionDeps) {
  /** Who reports: the same that the gateway knows under that id, if it knows any. */
  const known = (id: string | undefined, dcc_type: string | undefined): Instance | undefined => {
    const found = id === undefined ? undefined : instance(id);
    if (!found || dcc_type === undefined || unnamed.has(found.dcc_type)) return found;
    if (found.dcc_type.toLowerCase() === dcc_type.toLowerCase()) return found;
    throw refuse(`instance ${id} is of type "${found.dcc_type}", not "${dcc_type}"`);
  };

  const identified = (finding: Finding): Finding => {
    known(finding.evidence.instance_id, finding.dcc_type);
    return finding;
  };
  const ofLegacy = (body: Json): Finding => {
    const { dcc_type, instance_id, ...report } = reader.legacy(body);
    const row = known(instance_id, dcc_type)?.row;
    const context: FindingContext = {
      ...unknownContext(dcc_type ?? row?.dcc_type ?? 'gateway'),
      ...(row?.adapter_version && { adapter_version: row.adapter_version }),
      ...(row?.version && { host_version: row.version }),
    };
    return completeFinding(findingOfLegacy(report), context, instance_id);
  };

  return {
    /** Rejects with SVC_FEEDBACK_INVALID, or SVC_FEEDBACK_UNWRITABLE: then nothing is stored and nothing told. */
    async submit(body: Json): Promise<FeedbackReceipt> {
      const finding = 'schema_version' in body ? identified(reader.finding(body)) : ofLegacy(body);
      const { instance_id } = finding.evidence;
      const feedback_id = randomUUID();
      const at = now();
      const entry = entryOf(finding, feedback_id, at);
      try {
        await append(entry);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw feedbackErrors.UNWRITABLE({ reason: code ?? messageOf(error) }, error);
      }
      const { dcc_type, phase, severity, tool_slug, fingerprint, schema_version } = finding;
      const whose = { dcc_type, ...(instance_id && { instance_id }) };
      const reason = JSON.stringify({ feedback_id, report: told(finding) });
      bus.emit('gateway.noted', { attributes: { event: 'feedback_reported', ...whose, reason } });
      const what = { phase, severity, fingerprint, ...(tool_slug !== undefined && { tool_slug }) };
      bus.emit('feedback.reported', { attributes: { feedback_id, ...whose, ...what } });
      return {
        ...{ ok: true, success: true, feedback_id, recorded_at: new Date(at).toISOString() },
        ...{ event_resource_uri: eventsUri, schema_version, fingerprint },
        ...routed(finding),
      };
    },
  };
}

/** Whose it is by the bundled catalogue, where that is known. */
function routed(finding: Finding): Pick<FeedbackReceipt, 'routed'> {
  try {
    const { rationale, ...owner } = routeOf(finding, catalog);
    return { routed: { ...owner, route_rationale: rationale } };
  } catch {
    return {};
  }
}

/** Of a report what an entry of the ring has room for. */
function told(finding: Finding): object {
  if (JSON.stringify(finding).length <= mostTold) return finding;
  const { repro: _, evidence, ...rest } = finding;
  const short = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > 512 ? `${value.slice(0, 512)}…` : value,
  ]);
  const { request_id, job_id, instance_id, error_kind } = evidence;
  return {
    ...Object.fromEntries(short),
    evidence: { request_id, job_id, instance_id, error_kind },
    truncated: true,
  };
}
