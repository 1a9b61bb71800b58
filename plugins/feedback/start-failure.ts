/** The finding of a start that failed: for a person to review, and kept where all others are. */
import type { FindingContext } from '../../schemas/finding.ts';
import { completeFinding } from '../../schemas/finding-rules.ts';
import { withoutSecrets } from '../../schemas/redaction.ts';
import type { FeedbackEntry } from './api.ts';
import type { HostError } from './host-errors.ts';
import { ownEntry } from './records.ts';
import type { StartFailure } from './wire.ts';

const mostText = 4000;

/** The same for the log of the host's errors. */
export const errorOfFailedStart = ({ code, message }: StartFailure): HostError => ({
  ...{ message, phase: 'bootstrap', source: 'adapter_bootstrap', exception_type: code },
});

export function entryOfFailedStart({ code, message }: StartFailure, context: FindingContext): FeedbackEntry {
  const observed = [...withoutSecrets(message)].slice(0, mostText).join('').trim();
  const authored = {
    ...({ phase: 'startup', severity: 'blocker' } as const),
    intent: 'Start the server in its host',
    observed: observed === '' ? 'It failed without a message' : observed,
    expected: 'The server starts and listens',
    repro: { steps: [`Start the server of the host "${context.dcc_type}" with the same settings`] },
    evidence: { error_kind: code.toLowerCase(), dcc_pid: process.pid },
  };
  return ownEntry(completeFinding(authored, context));
}
