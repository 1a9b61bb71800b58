/** The report of an installation, as the public may read it: it is checked whole, and of it only what is named here is told. */
import type { Finding } from '../../../schemas/finding.ts';
import type { InstallSop } from '../../../schemas/install-sop.ts';
import { jsonObject } from '../../../schemas/json-object.ts';
import { publicCommand, publicValue } from '../../../schemas/public-value.ts';
import { publicText } from '../../../schemas/redaction.ts';
import { cliErrors } from '../../errors.ts';
import { bytesOfFile } from '../own-file.ts';

const mostBytes = 256 << 10;

/** Rejects with SVC_CLI_INSTALL_REPORT_INVALID, also when it is of another installation than the finding. */
export async function readInstallReport(file: string, finding: Finding): Promise<InstallSop> {
  const refuse = (reason: string, cause?: unknown) => cliErrors.INSTALL_REPORT_INVALID({ file, reason }, cause);
  const report = jsonObject(await bytesOfFile(file, mostBytes, refuse), refuse) as unknown as InstallSop;
  const [{ createSchemas, summary }, { InstallSopV1Schema, isTerminal }] = await Promise.all([
    import('../../../kernel/index.ts'),
    import('../../../schemas/install-sop.ts'),
  ]);
  const problems = createSchemas().compile(InstallSopV1Schema as unknown as Record<string, unknown>, 'own')(report);
  if (problems) throw refuse(summary(problems));
  if (!isTerminal(report)) throw refuse(`its status is "${report.status}": it has not ended`);
  for (const name of ['dcc_type', 'core_version', 'adapter_version'] as const) {
    if (report[name] !== finding[name]) {
      throw refuse(`its ${name} is "${report[name]}", that of the finding is "${finding[name]}"`);
    }
  }
  return report;
}

export function publicInstallReport(report: InstallSop, names: readonly string[]): object {
  const clean = (text: string | null | undefined) => (typeof text === 'string' ? publicText(text, names) : text);
  const { schema_version, status, dcc_type, adapter_version, core_version, steps, next_steps, verify } = report;
  const others = Object.fromEntries(
    ['stage', 'exit_code', 'rollback', 'error'].flatMap(name =>
      report[name] === undefined ? [] : [[name, publicValue(report[name], { names })]],
    ),
  );
  return {
    ...{ schema_version, status, dcc_type: clean(dcc_type) },
    ...{ adapter_version: clean(adapter_version), core_version: clean(core_version) },
    ...others,
    steps: steps.map(({ id, status: how, description, message }) => ({
      ...{ id: clean(id), status: clean(how) },
      ...(description !== undefined && { description: clean(description) }),
      ...(message !== undefined && { message: clean(message) }),
    })),
    next_steps: next_steps.map(({ id, description, why, command, file_edit }) => ({
      ...{ id: clean(id), description: clean(description), why: clean(why) },
      ...(command && { command: publicCommand(command, names) }),
      ...(file_edit && { file_edit: { path: '[path-redacted]', action: file_edit.action } }),
    })),
    receipt_path: report.receipt_path === null ? null : '[path-redacted]',
    verify: {
      directly_usable: verify.directly_usable,
      failure_stage: clean(verify.failure_stage),
      failure_reason: clean(verify.failure_reason),
    },
  };
}
