/** Readiness as an instance reports it and the gateway reads it (shape:health). */

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

/** Bits without which no call can be served. */
const neededBits = readinessBits.slice(0, 4);

/** Those of them that are not set. */
export const missingBits = (bits: Readiness): ReadinessBit[] => neededBits.filter(bit => !bits[bit]);
