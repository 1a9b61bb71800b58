/** What other plugins may use of approvals: whether something says of its tools what was approved. */

export type SubjectKind = 'skill' | 'server';

/** What a tool says, as far as people can compare it. */
export interface SaidOfTool {
  readonly fingerprint: string;
  readonly description: string;
  /** Title and annotations: no part of the fingerprint, and approved with it. */
  readonly hints?: string;
}

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

/** Something that waits to be accepted. */
export interface PendingApproval {
  readonly kind: SubjectKind;
  readonly key: string;
  readonly name: string;
  /** Of all that it says now: who accepts this one accepts nothing later. */
  readonly fingerprint: string;
  /** RFC 3339. */
  readonly since: string;
  readonly quarantined: boolean;
  readonly changes: readonly {
    readonly tool: string;
    readonly change: 'added' | 'changed';
    readonly fingerprint: string;
    readonly description: string;
    readonly approved_fingerprint: string | null;
    readonly approved_description: string | null;
  }[];
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

export { acceptPending, pendingIn } from './pending.ts';
export { createApprovalStore } from './store.ts';

declare module 'fastify' {
  interface FastifyInstance {
    approvals: ApprovalsService;
  }
}
