/**
 * Writes the log of what goes wrong in the host: failed starts, handlers that throw, and what the host itself reports. It is
 * for this user's eyes; of it `svc-cli feedback bundle` tells others what kind of error it was, and nothing that it says.
 */
import { join } from 'node:path';
import type { FindingContext } from '../../schemas/finding.ts';
import { hostErrorEvent, hostErrorFile, hostErrorPrefix } from '../../schemas/host-error-log.ts';
import { createRecordFile } from '../../schemas/record-file.ts';
import { redacted, withoutSecrets } from '../../schemas/redaction.ts';
import { stateDirectory } from '../../schemas/state-directory.ts';

/** What is known of an error; all but the message may be left out. */
export interface HostError {
  message: string;
  /** What the host was at: bootstrap, runtime (default), dispatch. */
  phase?: string;
  /** Who says so: the name of a logger, a hook, a tool (default: host). */
  source?: string;
  /** stderr (default), stdout, logging, script_editor. */
  stream?: string;
  /** Default: error. */
  level?: string;
  exception_type?: string;
  traceback?: string;
  python_version?: string;
  min_core_version?: string;
  /** Process of the host, where it is another than this one. */
  dcc_pid?: number;
  metadata?: Readonly<Record<string, unknown>>;
}

const most = { message: 8192, traceback: 32_768, metadata: 16_384 };
const file = { maxBytes: 5 << 20, kept: 4 } as const;

/** The line of an error, as programs that read such logs know it. */
export function lineOfHostError(error: HostError, context: FindingContext, pid: number, now: number): string {
  const { message, traceback, metadata = {}, phase = 'runtime', source = 'host', stream = 'stderr' } = error;
  const { level = 'error', dcc_pid = pid, exception_type, python_version, min_core_version } = error;
  const { dcc_type, adapter_version, core_version } = context;
  const more = redacted(metadata);
  const event = {
    ...{ event: hostErrorEvent, dcc_type, dcc_pid, phase, source, stream, level },
    message: withoutSecrets(message.slice(0, most.message)),
    ...(exception_type !== undefined && { exception_type }),
    ...(traceback !== undefined && { traceback: withoutSecrets(traceback.slice(0, most.traceback)) }),
    ...{ adapter_version, core_version, min_core_version, python_version },
    metadata: JSON.stringify(more).length > most.metadata ? { truncated: true } : more,
  };
  return `${new Date(now).toISOString()} ${level.toUpperCase()} ${hostErrorPrefix}${JSON.stringify(event)}`;
}

export interface HostErrorsDeps {
  /** `log_dir`. */
  directory: string | null;
  context: FindingContext;
  /** Of the host, now. */
  pid(): number;
}

/** Nothing is opened before there is something to write. */
export function createHostErrors({ directory, context, pid }: HostErrorsDeps) {
  const files = new Map<number, ReturnType<typeof createRecordFile>>();
  return {
    /** Resolves with the file when it is written. */
    async record(error: HostError): Promise<string> {
      const { dcc_pid = pid() } = error;
      const path = join(directory ?? stateDirectory(), hostErrorFile(context.dcc_type, dcc_pid));
      const log = files.get(dcc_pid) ?? createRecordFile(path, file);
      files.set(dcc_pid, log);
      await log.append(lineOfHostError(error, context, dcc_pid, Date.now()));
      return path;
    },
    close: async (): Promise<void> => void (await Promise.all([...files.values()].map(each => each.close()))),
  };
}
