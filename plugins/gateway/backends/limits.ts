/** How often the gateway asks an instance again, and when it leaves it alone. */

/** How often a request that changes nothing is repeated where its connection fails. */
export const readRetries = 2;

/** Failures in a row after which an instance is left alone, and for how long. */
export const circuitLimits = { failures: 5, openMs: 5000 };
