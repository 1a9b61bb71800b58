/** The shape of a rule of the specification, and the two words that the lists of rules are written with. */

export interface Requirement {
  /** `<section>:<rule>`: what a test cites. */
  readonly id: string;
  /** Heading of the specification that the rule stands under. */
  readonly section: string;
  /** One sentence. */
  readonly rule: string;
  /** Why no test proves it yet. */
  readonly deferred?: string;
  /** What was chosen where the specification says nothing. */
  readonly decision?: string;
}

type Entry = string | Omit<Requirement, 'id' | 'section'>;

/** The rules under one heading, each as `<prefix>:<key>`. */
export function section(prefix: string, heading: string, rules: Record<string, Entry>): Requirement[] {
  return Object.entries(rules).map(([key, entry]) => ({
    id: `${prefix}:${key}`,
    section: heading,
    ...(typeof entry === 'string' ? { rule: entry } : entry),
  }));
}

/** A rule that a later issue delivers. */
export const deferred = (reason: string, rule: string): Entry => ({ rule, deferred: reason });

/** A rule of ours where the specification leaves the point open. */
export const decided = (decision: string, rule: string): Entry => ({ rule, decision });
