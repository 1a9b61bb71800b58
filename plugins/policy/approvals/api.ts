/** What other plugins may use of approvals: whether something says of its tools what was approved. */
import type {} from './events.ts';
import type { PendingApproval } from './pending.ts';
import type { SaidOfTool, SubjectKind } from './store.ts';

/** Who describes tools. */
export interface Subject {
  readonly kind: SubjectKind;
  /** What it is known by: the directory of a skill, host type and address of a server. */
  readonly key: string;
  readonly name: string;
  /** By name; what it says beside its tools stands under its own, in brackets. */
  readonly tools: Readonly<Record<string, SaidOfTool>>;
}

export interface Verdict {
  /** Names of the tools that are new, or say something else than what was approved. */
  readonly changed: ReadonlySet<string>;
  /** They must not be shown, and not be called. */
  readonly quarantined: boolean;
}

export interface ApprovalsService {
  readonly mode: 'off' | 'flag' | 'strict';
  /** Approves what is seen for the first time; never rejects. */
  judge(subject: Subject): Promise<Verdict>;
  /** Nobody describes tools there any more, for this process. */
  forget(kind: SubjectKind, key: string): void;
  pending(): Promise<PendingApproval[]>;
  /** Accepts what waits under a name or a key; with `fingerprint` only that. Throws SVC_APPROVALS_*. */
  accept(wanted: { name: string; fingerprint?: string | undefined }): Promise<PendingApproval>;
}

export { acceptPending, type PendingApproval, pendingIn } from './pending.ts';
export { createApprovalStore, type SaidOfTool, type SubjectKind } from './store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    approvals: ApprovalsService;
  }
}
