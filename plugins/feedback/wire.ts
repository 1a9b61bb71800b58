/** What the two sides of feedback say to each other. */
import type { FindingContext } from '../../schemas/finding.ts';

/** Asks the host who reports. */
export const identityQuestion = 'feedback.identity';
/** Asks the host for the token of its gateway. */
export const tokenQuestion = 'feedback.token';

/** What a provider of the host gave, or what it threw. */
export type Provided<T> = { value: T } | { problem: string };

/** Of each provider that there is. */
export interface ProvidedIdentity {
  instance_id?: Provided<unknown>;
  context?: Provided<Partial<FindingContext>>;
}

/** The failure of a start, as the host saw it. */
export interface StartFailure {
  code: string;
  message: string;
}
