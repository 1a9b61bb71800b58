/** The host's own audit log: its records cross a handful at a time. */
import { type AsyncDisposer, type HostHalf, wrongArgument } from '../../../../kernel/light.ts';
import type { AuditOutcome } from '../../../audit/api.ts';

/** An audit log of the host: calls back with every record, and returns how to stop when it can. */
export interface HostAuditLog {
  onRecord(callback: (record: HostAuditRecord) => void): unknown;
}

/** One record of the host's audit log; `action` alone is required. */
export interface HostAuditRecord {
  action: string;
  timestamp_ms?: number;
  actor?: string;
  /** JSON text of the parameters; secrets are censored on arrival. */
  params_json?: string;
  duration_ms?: number;
  outcome?: AuditOutcome;
}

export interface HostAudit {
  /** Forwards every record of a host's audit log to `audit://recent`. */
  wireAuditLog(log: HostAuditLog): Promise<AsyncDisposer>;
}

/** Records that cross at once at most: the ring of the server keeps no more. */
const mostRecords = 500;

export const auditHalf = {
  plugin: 'scheme-audit',
  operations: ['wireAuditLog'],
  open: (link): HostAudit => ({
    async wireAuditLog(log) {
      if (typeof log?.onRecord !== 'function') throw wrongArgument('auditLog', 'an object with a function "onRecord"');
      let waiting: HostAuditRecord[] = [];
      let sending: NodeJS.Immediate | undefined;
      const send = (): void => {
        sending = undefined;
        const records = waiting;
        waiting = [];
        // Best effort: a server that is ending takes no more.
        if (!link.ended()) link.call('wireAuditLog', { records }).catch(() => undefined);
      };
      // Asked first, so that a server without an audit ring says so.
      await link.call('wireAuditLog', { records: [] });
      const stop = log.onRecord(record => {
        waiting.push(sendable(record));
        if (waiting.length > mostRecords) waiting.shift();
        sending ??= setImmediate(send);
      });
      let stopped = false;
      return async () => {
        if (stopped) return;
        stopped = true;
        if (typeof stop === 'function') stop();
        if (sending) clearImmediate(sending);
      };
    },
  }),
} satisfies HostHalf<HostAudit>;

/** The members that cross; a record of the host may hold anything beside them. */
function sendable({
  action,
  timestamp_ms,
  actor,
  params_json,
  duration_ms,
  outcome,
}: HostAuditRecord): HostAuditRecord {
  return {
    action: String(action),
    timestamp_ms: typeof timestamp_ms === 'number' ? timestamp_ms : Date.now(),
    ...(actor !== undefined && { actor: String(actor) }),
    ...(params_json !== undefined && { params_json: String(params_json) }),
    duration_ms: typeof duration_ms === 'number' ? duration_ms : 0,
    outcome: outcomeOf(outcome),
  };
}

/** Only what says nothing, or that it went well, is a success: a refusal or failure is one however it is spelled. */
function outcomeOf(outcome: unknown): AuditOutcome {
  if (outcome === undefined || outcome === null || outcome === true) return 'success';
  if (typeof outcome === 'string') {
    if (/^(?:success(?:ful)?|succeeded|ok)$/i.test(outcome)) return 'success';
    if (/^(?:denied|deny|refused|rejected|forbidden|blocked|vetoed)$/i.test(outcome)) {
      return { denied: { reason: outcome } };
    }
    return { error: { message: outcome || 'unknown outcome' } };
  }
  if (typeof outcome !== 'object') return { error: { message: String(outcome) } };
  const { denied, error, success } = outcome as Record<string, unknown>;
  if (denied !== undefined && denied !== false) return { denied: { reason: textOf(denied, 'reason') } };
  if (error !== undefined && error !== null) return { error: { message: textOf(error, 'message') } };
  return success === true ? 'success' : { error: { message: 'unknown outcome' } };
}

/** A text, or that of an object's member. */
function textOf(value: unknown, member: string): string {
  const told = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[member] : value;
  return typeof told === 'string' && told !== '' ? told : 'no reason was given';
}
