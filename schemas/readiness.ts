/** Readiness as an instance reports it and the gateway reads it (CONTRACT 2). */

/** The bits of the readiness payload, in its order. */
export const readinessBits = [
  'process',
  'dcc',
  'skill_catalog',
  'dispatcher',
  'host_execution_bridge',
  'main_thread_executor',
] as const;

export type ReadinessBit = (typeof readinessBits)[number];
export type Readiness = Record<ReadinessBit, boolean>;
