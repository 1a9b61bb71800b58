/** What feedback tells the bus. */

export type FeedbackReported = {
  feedback_id: string;
  dcc_type: string;
  instance_id?: string;
  phase: string;
  severity: string;
  tool_slug?: string;
  fingerprint: string;
};

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'feedback.reported': FeedbackReported;
  }
}

export const feedbackEvents = {
  'feedback.reported': 'a finding was accepted and stored',
} as const;
