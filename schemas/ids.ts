/** Clock and ids, one object so that tests can fake both. */
import { randomBytes, randomUUID } from 'node:crypto';

export interface Ids {
  uuid(): string;
  /** `ev_` id: random per process, then counted, because a call emits several events. */
  event(): string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Nanoseconds since the epoch. */
  nowNs(): number;
}

export function createIds(): Ids {
  const prefix = `ev_${randomBytes(9).toString('base64url')}_`;
  let events = 0;
  return {
    uuid: randomUUID,
    event: () => {
      events += 1;
      return prefix + events;
    },
    now: Date.now,
    nowNs: () => Math.round((performance.timeOrigin + performance.now()) * 1e6),
  };
}
