/** The end of a host's error log: of each record what it is, and nothing of what it says. */
import { constants } from 'node:fs';
import { lstat, open, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Finding } from '../../../schemas/finding.ts';
import { hostErrorEvent, hostErrorFile, hostErrorPrefix } from '../../../schemas/host-error-log.ts';
import { isObject, parsed } from '../../../schemas/loose.ts';
import { publicText } from '../../../schemas/redaction.ts';
import { type Component, included, unavailable } from './component.ts';

const mostBytes = 256 << 10;
const mostField = 256;
const told = [
  ...['event', 'dcc_type', 'phase', 'source', 'stream', 'level', 'exception_type', 'adapter_version'],
  ...['min_core_version', 'core_version', 'python_version'],
];

export interface HostErrorOptions {
  /** Of the host, if anybody knows it. */
  pid: number | undefined;
  directory: string;
  maxLines: number;
  names: readonly string[];
}

export async function hostErrors(finding: Finding, options: HostErrorOptions): Promise<Component> {
  const { pid, directory, maxLines, names } = options;
  if (pid === undefined) return unavailable('dcc_pid_not_available');
  const folder = await realpath(directory).catch(() => undefined);
  const isFolder = folder !== undefined && (await stat(folder).catch(() => undefined))?.isDirectory();
  if (!isFolder) return unavailable('host_error_log_directory_not_available');
  const { dcc_type } = finding;
  const path = join(folder, hostErrorFile(dcc_type, pid));
  try {
    const stats = await lstat(path);
    if (dirname(await realpath(path)) !== folder) return unavailable('host_error_log_outside_log_directory');
    if (!stats.isFile()) return unavailable('host_error_log_not_regular_file');
    const { lines, cut } = await lastLines(path);
    const last = lines.slice(-maxLines);
    const records = last.flatMap(line => recordOf(line, dcc_type, pid, names) ?? []);
    if (records.length === 0) return unavailable('host_error_log_has_no_valid_records');
    const skipped_invalid = last.length - records.length;
    const truncated = cut || last.length < lines.length;
    return included({ records, truncated, max_lines: maxLines, max_bytes: mostBytes, skipped_invalid });
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return unavailable(missing ? 'host_error_log_not_found' : 'host_error_log_read_failed');
  }
}

/** Whole lines of the end. */
async function lastLines(path: string): Promise<{ lines: string[]; cut: boolean }> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('it is no regular file any more');
    const from = Math.max(0, stats.size - mostBytes);
    // One byte more says whether the first line is whole.
    const begin = Math.max(0, from - 1);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, begin);
    const text = buffer.subarray(0, bytesRead).toString('utf8');
    const whole = from > 0 ? text.slice(text.indexOf('\n') + 1) : text;
    return { lines: whole.split(/\r?\n/).filter(each => each !== ''), cut: from > 0 };
  } finally {
    await handle.close();
  }
}

function recordOf(line: string, dcc_type: string, pid: number, names: readonly string[]): object | undefined {
  const at = line.indexOf(hostErrorPrefix);
  const record = at < 0 ? undefined : parsed(line.slice(at + hostErrorPrefix.length));
  if (!isObject(record) || record.event !== hostErrorEvent) return undefined;
  if (record.dcc_type !== dcc_type || record.dcc_pid !== pid) return undefined;
  const fields = told.flatMap(name => {
    const value = record[name];
    return typeof value === 'string' ? [[name, publicText(value, names).slice(0, mostField)] as const] : [];
  });
  return { ...Object.fromEntries(fields), payload_fields_excluded: true };
}
