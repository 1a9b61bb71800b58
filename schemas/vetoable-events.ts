/** The only events that a policy hook can veto; the last two are reserved (specification: Vetoes). */
export const vetoableEvents = ['skill.loading', 'tool.dispatched', 'resource.subscribed', 'client.initialize'] as const;
export type VetoableEvent = (typeof vetoableEvents)[number];
