/** Bundles: each part with what it holds or why it is not there, from real files and what a gateway really answers. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeFailure } from '../../cli/exit-codes.ts';
import { type BundleInput, makeBundle } from '../../cli/svc-cli/bundle/bundle.ts';
import type { Component } from '../../cli/svc-cli/bundle/component.ts';
import { hostErrors } from '../../cli/svc-cli/bundle/host-errors.ts';
import { publicInstallReport, readInstallReport } from '../../cli/svc-cli/bundle/install-report.ts';
import { findGateway } from '../../cli/svc-cli/gateway.ts';
import type { Finding } from '../../plugins/feedback/api.ts';
import { answering } from '../answering-gateway.ts';
import { tempDir } from '../helper.ts';
import { installed, reviewed, step } from '../plugins/feedback/support.ts';

const finding = reviewed as unknown as Finding;
test('of a report of an installation only what is named is told, without paths and secrets', async () => {
  const file = join(await tempDir(), 'report.json');
  await writeFile(file, JSON.stringify(installed));
  expect(publicInstallReport(await readInstallReport(file, finding), [])).toEqual({
    ...{ schema_version: 1, status: 'failed', dcc_type: 'maya', adapter_version: '1.2.3', core_version: '0.1.0' },
    ...{ stage: 'verify', exit_code: 3, error: { code: 'E1', message: 'no [path-redacted]' }, rollback: [] },
    steps: [{ id: 'copy', status: 'ok', message: 'to [path-redacted]' }],
    next_steps: [
      {
        ...step,
        command: [
          ...['mayapy', '-m', 'pip', 'install', '--token', '[auth-redacted]', '--prefix=[path-redacted]'],
          ...['[path-redacted]', 'dcc-mcp-maya==1.2'],
        ],
      },
      { ...step, id: 's2', file_edit: { path: '[path-redacted]', action: 'update' } },
    ],
    receipt_path: '[path-redacted]',
    verify: {
      directly_usable: false,
      failure_stage: 'import',
      failure_reason: 'ModuleNotFoundError in [path-redacted]',
    },
  });
});

test('a report that is none, not over, too large or of another installation is refused with what is wrong', async () => {
  const folder = await tempDir();
  const text = JSON.stringify(installed);
  const changed = (changes: object): string => JSON.stringify({ ...installed, ...changes });
  const refused: readonly (readonly [string | Buffer, RegExp])[] = [
    ['{', /no JSON/],
    ['[]', /no JSON object/],
    [text.replace('{', '{"status":"ok",'), /"status" stands twice/],
    [Buffer.from(text.replace('run it', 'caf\u00e9'), 'latin1'), /no UTF-8/],
    [`${text}${' '.repeat(256 << 10)}`, /at most 262144 are read/],
    [changed({ schema_version: 2 }), /"schema_version" must be 1/],
    [changed({ status: 'planned' }), /it has not ended/],
    [changed({ status: 'running' }), /it has not ended/],
    [changed({ status: 'done' }), /"status" must be one of/],
    [changed({ verify: undefined }), /"verify" is required/],
    [changed({ next_steps: [step] }), /"next_steps.0/],
    [changed({ next_steps: [{ ...step, command: ['a'], file_edit: { path: 'a', action: 'create' } }] }), /exactly one/],
    [changed({ next_steps: [{ ...step, command: [] }] }), /fewer than 1/],
    [changed({ adapter_version: 'unknown' }), /adapter_version is "unknown", that of the finding is "1.2.3"/],
    [changed({ core_version: '0.1.1' }), /core_version is/],
    [changed({ dcc_type: 'Maya' }), /dcc_type is/],
  ];
  for (const [index, [content, message]] of refused.entries()) {
    const file = join(folder, `${index}.json`);
    await writeFile(file, content);
    const failure = describeFailure(await readInstallReport(file, finding).catch((error: unknown) => error));
    expect(failure, String(content).slice(0, 200)).toMatchObject({
      exit_code: 2,
      message: expect.stringMatching(message),
    });
  }
  await symlink(join(folder, '0.json'), join(folder, 'link.json'));
  await expect(readInstallReport(join(folder, 'link.json'), finding)).rejects.toThrow(/it is a link/);
});

const line = (fields: object = {}): string =>
  `2026-11-22 10:00:00 ERROR dcc_mcp_core.host_errors: ${JSON.stringify({
    ...{
      event: 'dcc_host_error',
      dcc_type: 'maya',
      dcc_pid: 4711,
      phase: 'dispatch',
      level: 'error',
      stream: 'stderr',
    },
    ...{ message: 'raw message', traceback: 'File "/home/ada/x.py"', metadata: { token: 'hunter2' } },
    ...{ source: '/home/ada/plug.py', exception_type: 'ValueError', python_version: '3.11.4' },
    ...fields,
  })}`;
const kept = {
  ...{ event: 'dcc_host_error', dcc_type: 'maya', phase: 'dispatch', source: '[path-redacted]', stream: 'stderr' },
  ...{ level: 'error', exception_type: 'ValueError', python_version: '3.11.4', payload_fields_excluded: true },
};

test('of the end of a host error log the fields that say nothing of the user are told', async () => {
  const directory = await tempDir();
  const at = { pid: 4711, directory, maxLines: 3, names: [] };
  const log = join(directory, 'svc-maya.4711.host-errors.log');
  await writeFile(log, [line({ phase: 'old' }), 'noise', line({ dcc_pid: 1 }), line(), ''].join('\n'));
  expect(await hostErrors(finding, at)).toEqual({
    status: 'included',
    data: { records: [kept], truncated: true, max_lines: 3, max_bytes: 262_144, skipped_invalid: 2 },
  });
  await writeFile(log, `${line({ phase: 'cut', message: 'x'.repeat(1000) })}\n${`${line()}\n`.repeat(1000)}`);
  const { data } = (await hostErrors(finding, { ...at, maxLines: 200 })) as Extract<Component, { data: unknown }>;
  expect(data).toMatchObject({ records: { length: 200 }, truncated: true, skipped_invalid: 0 });

  const reasons: Record<string, Promise<Component>> = {
    dcc_pid_not_available: hostErrors(finding, { ...at, pid: undefined }),
    host_error_log_directory_not_available: hostErrors(finding, { ...at, directory: join(directory, 'none') }),
    host_error_log_not_found: hostErrors(finding, { ...at, pid: 4712 }),
  };
  const file = (pid: number): string => join(directory, `svc-maya.${pid}.host-errors.log`);
  await mkdir(file(2));
  await symlink(log, file(3));
  const elsewhere = join(await tempDir(), 'x');
  await writeFile(elsewhere, line());
  await symlink(elsewhere, file(4));
  await writeFile(file(5), 'nothing of ours\n');
  reasons.host_error_log_not_regular_file = hostErrors(finding, { ...at, pid: 3 });
  reasons.host_error_log_outside_log_directory = hostErrors(finding, { ...at, pid: 4 });
  reasons.host_error_log_has_no_valid_records = hostErrors(finding, { ...at, pid: 5 });
  for (const [reason, found] of Object.entries(reasons)) expect(await found).toEqual({ status: 'unavailable', reason });
  expect(await hostErrors(finding, { ...at, pid: 2 })).toMatchObject({ reason: 'host_error_log_not_regular_file' });
});

async function bundle(changes: Partial<BundleInput> = {}) {
  return makeBundle({
    ...{ finding, installReport: undefined, names: [], gateway: answering(undefined) },
    hostErrors: { pid: undefined, directory: '/', maxLines: 50, names: [] },
    doctor: async () => ({ status: 'ok', registry_dir: '/home/ada', pid: 4711, checks: [{ message: 'pid 4711' }] }),
    ...changes,
  });
}

test('a bundle says of each part what it holds, and is complete when none is missing', async () => {
  const report = {
    ...{ schema_version: 'svc.admin.issue-report.v1', privacy_mode: 'public-safe', request_id: 'r-1' },
    summary: { status: 'failed' },
  };
  const evidence = { request_id: 'r-1', dcc_pid: 4711, host_pid: 4712, note: 'of /home/ada' };
  const whole = await bundle({ finding: { ...finding, evidence }, gateway: answering(report) });
  expect(whole).toMatchObject({
    ...{ schema_version: 'svc.feedback-bundle.v1', privacy_mode: 'public-safe', complete: false },
    finding: { ...finding, evidence: { request_id: 'r-1', host_pid: '[id-redacted]', note: 'of [path-redacted]' } },
    version_matrix: {
      ...{
        dcc_type: 'maya',
        adapter: 'dcc-mcp-maya',
        adapter_version: '1.2.3',
        core: '0.1.0',
        host: '2026.1',
        os: 'linux',
      },
    },
    components: {
      issue_report: { status: 'included', data: report },
      doctor: {
        status: 'included',
        data: {
          status: 'ok',
          registry_dir: '[path-redacted]',
          pid: '[id-redacted]',
          checks: [{ message: 'pid [id-redacted]' }],
        },
      },
      host_errors: { status: 'unavailable', reason: 'dcc_pid_not_available' },
      install_execution_report: { status: 'unavailable', reason: 'install_execution_report_not_provided' },
    },
    redaction_status: {
      mode: 'public-safe',
      private_identifiers_excluded: true,
      host_error_payload_fields_excluded: true,
    },
  });
  expect((whole.finding as Finding).evidence).not.toHaveProperty('dcc_pid');

  const directory = await tempDir();
  await writeFile(join(directory, 'svc-maya.4711.host-errors.log'), line());
  const installReport = installed as unknown as NonNullable<BundleInput['installReport']>;
  const hostErrorsAt = { pid: 4711, directory, maxLines: 50, names: [] };
  const none = { ...finding, tool_slug: undefined, evidence: { error_kind: 'lost' } } as unknown as Finding;
  const complete = await bundle({ finding: none, installReport, hostErrors: hostErrorsAt });
  expect(complete).toMatchObject({
    complete: true,
    components: { issue_report: { status: 'not_applicable', reason: 'finding_has_no_request_id' } },
  });

  const raw = { ...report, debug_bundle: {} };
  for (const [answer, reason] of [
    [raw, 'issue_report_not_public_safe'],
    [{ ...report, privacy_mode: 'raw-local-evidence' }, 'issue_report_not_public_safe'],
    ['text', 'issue_report_not_public_safe'],
    [{ ...report, request_id: 'r-2' }, 'issue_report_request_id_mismatch'],
  ] as const) {
    const { components } = await bundle({ gateway: answering(answer) });
    expect(components.issue_report).toEqual({ status: 'unavailable', reason });
  }
  for (const [gateway, reason] of [
    [answering({ error: {} }, 404), 'issue_report_not_found'],
    [answering({ error: {} }, 500), 'issue_report_fetch_failed'],
    [() => findGateway('127.0.0.1:9'), 'gateway_not_available'],
  ] as const) {
    expect((await bundle({ gateway })).components.issue_report).toEqual({ status: 'unavailable', reason });
  }
});
