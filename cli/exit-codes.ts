/** What a failure means to a shell: exit code, name and whether trying again may help. */
import { stripVTControlCharacters } from 'node:util';
import * as Errors from '@oclif/core/errors';
import { isSvcError } from '../kernel/light.ts';
import { messageOf } from '../schemas/thrown.ts';

export interface ExitRow {
  code: number;
  name: string;
  meaning: string;
}

/** The documented exit codes. */
export const exitRows: readonly ExitRow[] = [
  { code: 0, name: 'OK', meaning: 'done; also a clean stop by Ctrl-C, SIGTERM, `stop`, or the end of its terminal' },
  { code: 1, name: 'GENERAL_ERROR', meaning: 'anything without a code of its own' },
  { code: 2, name: 'INVALID_INPUT', meaning: 'a bad flag, option, path or skill directory' },
  { code: 3, name: 'UNAVAILABLE', meaning: 'something that is needed does not answer' },
  { code: 4, name: 'TIMEOUT', meaning: 'something took too long' },
  { code: 5, name: 'CANCELLED', meaning: 'ended by a second Ctrl-C before it could stop' },
  { code: 6, name: 'PERMISSION_DENIED', meaning: 'a file or port may not be used' },
  { code: 7, name: 'CONFLICT', meaning: 'the port is in use, or the name is taken' },
];

/** The body of the error envelope. */
export interface Failure {
  code: string;
  message: string;
  exit_code: number;
  retryable: boolean;
  details?: Record<string, unknown>;
}

const byHttpStatus: Readonly<Record<number, number>> = {
  401: 6,
  403: 6,
  408: 4,
  409: 7,
  429: 3,
  499: 5,
  502: 3,
  503: 3,
  504: 4,
};

const bySystemCode: Readonly<Record<string, number>> = {
  EADDRINUSE: 7,
  EEXIST: 7,
  EACCES: 6,
  EPERM: 6,
  ENOENT: 2,
  ENOTDIR: 2,
  EADDRNOTAVAIL: 2,
  ENOTFOUND: 2,
  ETIMEDOUT: 4,
  ECONNREFUSED: 3,
};

/** What the status of another program's answer means, with the sentence that came with it. */
export function failureOfStatus(status: number, message: string): Failure {
  const own = status === 400 || status === 404 ? 2 : (byHttpStatus[status] ?? 1);
  const exit_code = status >= 500 ? 3 : own;
  const code = exitRows[exit_code]?.name ?? 'GENERAL_ERROR';
  return { code, message, exit_code, retryable: exit_code === 3 || exit_code === 4, details: { status } };
}

/** A failure that another process of ours was told, to be told here in its place. */
export const carriedFailure = (failure: Failure): Error => Object.assign(new Error(failure.message), { failure });

/** Any thrown value as the failure that a user is told. */
export function describeFailure(error: unknown): Failure {
  const carried = (error as { failure?: Failure } | null)?.failure;
  if (error instanceof Error && carried) return carried;
  const exitCode = exitCodeOf(error);
  const failure: Failure = {
    code: exitRows[exitCode]?.name ?? 'GENERAL_ERROR',
    message: oneLine(messageOf(error)),
    exit_code: exitCode,
    retryable: exitCode === 3 || exitCode === 4,
  };
  if (isSvcError(error)) failure.details = { code: error.code, ...error.details };
  return failure;
}

function exitCodeOf(error: unknown): number {
  if (isSvcError(error)) {
    const { http } = error.row;
    return byHttpStatus[http] ?? (http >= 400 && http < 500 ? 2 : 1);
  }
  if (error instanceof Errors.CLIError) return 2;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return (code !== undefined && bySystemCode[code]) || 1;
}

/** The first line without colours, or with what oclif appends to it left out. */
function oneLine(message: string): string {
  const [first = '', ...rest] = stripVTControlCharacters(message)
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean);
  const help = rest.some(line => line.startsWith('See more help'));
  const more = rest.filter(line => !line.startsWith('See more help'));
  return [first, ...more].join(' ') + (help ? ' (see --help)' : '');
}
