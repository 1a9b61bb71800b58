/**
 * Holds what skills and servers say of their tools against what was approved: what is seen for the first time is, what
 * differs later waits until somebody accepts it. The files count, whoever wrote them last.
 */
import type { Bus, Logger } from '../../../kernel/index.ts';
import { revealed } from '../../../schemas/hidden-text.ts';
import type { ApprovalsService, Subject, Verdict } from './api.ts';
import type { Settings } from './config.ts';
import { acceptPending, changesIn, fingerprintOf, pendingIn } from './pending.ts';
import type { ApprovalStore, StoredApproval } from './store.ts';

export interface ApprovalsDeps {
  mode: Settings['tool_approvals'];
  store: ApprovalStore;
  bus: Pick<Bus, 'emit'>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** How soon an acceptance by another process is noticed. */
const lookMs = 1000;
/** Of a description that is kept to be compared. */
const longest = 4000;

const nothing: Verdict = { changed: new Set(), quarantined: false };

export function createApprovals({ mode, store, bus, now, log }: ApprovalsDeps) {
  const strict = mode === 'strict';
  /** What this process has found changed, by kind and key, with the fingerprint that was told. */
  const waiting = new Map<string, { subject: Subject; fingerprint: string }>();
  /** Of what cannot be kept on disk. */
  const unkept = new Map<string, StoredApproval>();
  let timer: NodeJS.Timeout | undefined;
  const at = (): string => new Date(now()).toISOString();
  const idOf = ({ kind, key }: Pick<Subject, 'kind' | 'key'>): string => `${kind}\0${key}`;

  const keep = async (record: StoredApproval): Promise<void> => {
    try {
      await store.put(record);
      unkept.delete(idOf(record));
    } catch (err) {
      if (unkept.size === 0) log.warn({ err }, 'approvals of tools cannot be kept: they count until this process ends');
      unkept.set(idOf(record), record);
    }
  };

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  const accepted = ({ kind, key, name, tools }: Subject, changed: string[]): void => {
    waiting.delete(idOf({ kind, key }));
    if (waiting.size === 0) stop();
    bus.emit('approval.accepted', { attributes: { kind, key, name, fingerprint: fingerprintOf(tools), changed } });
  };

  const look = async (): Promise<void> => {
    for (const { subject } of [...waiting.values()]) {
      const stored = await store.get(subject.kind, subject.key).catch(() => undefined);
      if (stored && changesIn(stored.approved.tools, subject.tools).length === 0 && waiting.has(idOf(subject))) {
        accepted(subject, []);
      }
    }
  };

  const wait = (subject: Subject, changed: string[]): void => {
    const fingerprint = fingerprintOf(subject.tools);
    const told = waiting.get(idOf(subject))?.fingerprint === fingerprint;
    waiting.set(idOf(subject), { subject, fingerprint });
    timer ??= setInterval(() => void look(), lookMs).unref();
    if (told) return;
    const { kind, name } = subject;
    bus.emit('approval.changed', { attributes: { kind, name, fingerprint, changed, quarantined: strict } });
    log.warn(
      { kind, name, changed, quarantined: strict },
      'tools say something else of themselves than what was approved',
    );
  };

  const service: ApprovalsService = {
    mode,
    async judge(given) {
      if (mode === 'off') return nothing;
      const subject = brief(given);
      const { kind, key, name, tools } = subject;
      let stored: StoredApproval | undefined;
      try {
        stored = unkept.get(idOf(subject)) ?? (await store.get(kind, key));
      } catch (err) {
        log.warn({ err, kind, name }, 'what was approved of tools cannot be read');
        return { changed: new Set(Object.keys(tools)), quarantined: strict };
      }
      if (!stored) {
        await keep({ kind, key, name, by: 'first_use', approved: { at: at(), tools }, pending: null });
        return nothing;
      }
      const changed = changesIn(stored.approved.tools, tools);
      if (changed.length === 0) {
        waiting.delete(idOf(subject));
        // What waited was taken back.
        if (stored.pending) await keep({ ...stored, pending: null });
        return nothing;
      }
      if (!stored.pending || fingerprintOf(stored.pending.tools) !== fingerprintOf(tools)) {
        await keep({ ...stored, name, pending: { at: at(), tools } });
      }
      wait(subject, changed);
      return { changed: new Set(changed), quarantined: strict };
    },
    forget(kind, key) {
      waiting.delete(idOf({ kind, key }));
      if (waiting.size === 0) stop();
    },
    pending: () => pendingIn(store, strict),
    async accept(wanted) {
      const done = await acceptPending(store, wanted, at());
      const own = waiting.get(idOf(done));
      if (own)
        accepted(
          own.subject,
          done.changes.map(each => each.tool),
        );
      return done;
    },
  };

  return { service, close: stop };
}

const brief = (subject: Subject): Subject => ({
  ...subject,
  name: revealed(subject.name).slice(0, 200),
  tools: Object.fromEntries(
    Object.entries(subject.tools).map(([name, said]) => [
      name,
      { ...said, description: revealed(said.description).slice(0, longest) },
    ]),
  ),
});
