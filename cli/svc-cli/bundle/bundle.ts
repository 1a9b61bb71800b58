/** Diagnostics of a finding that anybody may read: what there is, cleaned, and of what there is not why. Nothing is written or started. */
import type { Finding } from '../../../schemas/finding.ts';
import type { InstallSop } from '../../../schemas/install-sop.ts';
import { isObject, isUuid, type Json, text } from '../../../schemas/loose.ts';
import { publicValue } from '../../../schemas/public-value.ts';
import { publicText } from '../../../schemas/redaction.ts';
import { describeFailure } from '../../exit-codes.ts';
import type { Gateway } from '../gateway.ts';
import { type Component, included, notApplicable, unavailable } from './component.ts';
import { type HostErrorOptions, hostErrors } from './host-errors.ts';
import { publicInstallReport } from './install-report.ts';

export interface BundleInput {
  /** Reviewed. */
  finding: Finding;
  installReport: InstallSop | undefined;
  hostErrors: HostErrorOptions;
  /** Rejects where none runs. */
  gateway(): Promise<Gateway>;
  doctor(): Promise<unknown>;
  /** Words that may not be in it. */
  names: readonly string[];
}

export type Bundle = Awaited<ReturnType<typeof makeBundle>>;

export async function makeBundle({ finding, installReport, gateway, doctor, names, ...input }: BundleInput) {
  const [issue_report, doctor_, host_errors] = await Promise.all([
    issueReport(text(finding.evidence.request_id), gateway, names),
    doctor().then(report => included(publicValue(report, { names }))),
    hostErrors(finding, input.hostErrors),
  ]);
  const install_execution_report = installReport
    ? included(publicInstallReport(installReport, names))
    : unavailable('install_execution_report_not_provided');
  const components = { issue_report, doctor: doctor_, host_errors, install_execution_report };
  const clean = (given: string): string => publicText(given, names);
  return {
    schema_version: 'svc.feedback-bundle.v1',
    privacy_mode: 'public-safe',
    complete: [issue_report, host_errors, install_execution_report].every(each => each.status !== 'unavailable'),
    finding: publicFinding(finding, names),
    version_matrix: {
      ...{ dcc_type: clean(finding.dcc_type), adapter: clean(finding.adapter) },
      ...{ adapter_version: clean(finding.adapter_version), core: clean(finding.core_version) },
      ...{ host: clean(finding.host_version), os: clean(finding.os) },
    },
    components,
    redaction_status: {
      mode: 'public-safe',
      ...{ raw_payloads_excluded: true, prompts_excluded: true, scripts_excluded: true, auth_material_excluded: true },
      ...{ local_urls_excluded: true, absolute_paths_excluded: true, private_identifiers_excluded: true },
      host_error_payload_fields_excluded: true,
    },
  };
}

/** Ids by which others find it again, and the public address of its issues. */
const told = ['request_id', 'job_id', 'instance_id', 'run_id', 'issues_url'];

/** As it was reviewed, without the process, and cleaned once more. */
function publicFinding(finding: Finding, names: readonly string[]): unknown {
  const { dcc_pid: _, ...evidence } = finding.evidence;
  const isKnown = (each: string): boolean =>
    isUuid(each) || /^https:\/\/github\.com\/[\w.-]+\/[\w.-]+(?:\/issues)?$/.test(each);
  const clean = (each: string): string => (isKnown(each) ? each : publicText(each, names));
  return publicValue({ ...finding, evidence }, { clean, told });
}

async function issueReport(
  request_id: string | undefined,
  gateway: () => Promise<Gateway>,
  names: readonly string[],
): Promise<Component> {
  if (request_id === undefined) return notApplicable('finding_has_no_request_id');
  let report: Json;
  try {
    const found = await (await gateway()).ask('GET', `/v1/debug/issue-reports/${encodeURIComponent(request_id)}`);
    if (!isObject(found)) return unavailable('issue_report_not_public_safe');
    report = found;
  } catch (error) {
    const { details = {} } = describeFailure(error);
    if (details.code === 'SVC_CLI_NO_GATEWAY' || details.code === 'SVC_CLI_UNREACHABLE') {
      return unavailable('gateway_not_available');
    }
    return unavailable(details.status === 404 ? 'issue_report_not_found' : 'issue_report_fetch_failed');
  }
  const { schema_version, privacy_mode } = report;
  if (schema_version !== 'svc.admin.issue-report.v1' || privacy_mode !== 'public-safe' || 'debug_bundle' in report) {
    return unavailable('issue_report_not_public_safe');
  }
  if (report.request_id !== request_id) return unavailable('issue_report_request_id_mismatch');
  return included(publicValue(report, { clean: each => (isUuid(each) ? each : publicText(each, names)), told }));
}
