/** What approvals tell the bus. */

/** Of one skill, or one server behind the gateway. */
export type ApprovalEvent = {
  kind: 'skill' | 'server';
  name: string;
  /** Of all that it says. */
  fingerprint: string;
  /** Names of the tools that are new or say something else; the skill itself is named by its own name. */
  changed: string[];
};

declare module '../../../kernel/events.ts' {
  interface KernelEvents {
    'approval.changed': ApprovalEvent & { quarantined: boolean };
    'approval.accepted': ApprovalEvent & { key: string };
  }
}

export const approvalEvents = {
  'approval.changed': 'a skill or a server says something else of its tools than what was approved',
  'approval.accepted': 'somebody accepted what a skill or a server says of its tools now',
} as const;
