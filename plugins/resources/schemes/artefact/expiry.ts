/** Tells when artefacts expire: one timer, for the next of them. */
import { timerAt } from '../../../../schemas/timer-at.ts';
import type { FileRef } from './api.ts';

export interface ExpiryDeps {
  now(): number;
  list(): Promise<readonly FileRef[]>;
  /** `gone` has the URIs without a sidecar that is still live; the list is another one in any case. */
  onExpired(gone: readonly string[]): void;
  onFailure(error: unknown): void;
}

export function createExpiry({ now, list, onExpired, onFailure }: ExpiryDeps) {
  /** When the first sidecar of a URI expires. */
  const times = new Map<string, number>();
  let next = Number.POSITIVE_INFINITY;
  let forget: (() => void) | undefined;
  let closed = false;

  const arm = (time: number): void => {
    if (closed || time >= next) return;
    next = time;
    forget?.();
    forget = timerAt(time, now, () => {
      next = Number.POSITIVE_INFINITY;
      expire().catch(onFailure);
    });
  };

  const note = (refs: Iterable<FileRef>): void => {
    for (const { uri, expires_at } of refs) {
      const time = expires_at === undefined ? Number.NaN : Date.parse(expires_at);
      if (Number.isNaN(time) || time >= (times.get(uri) ?? Number.POSITIVE_INFINITY)) continue;
      times.set(uri, time);
      arm(time);
    }
  };

  const expire = async (): Promise<void> => {
    const due = [...times].filter(([, time]) => time <= now()).map(([uri]) => uri);
    for (const uri of due) times.delete(uri);
    for (const time of times.values()) arm(time);
    if (due.length === 0) return;
    const left = await list();
    if (closed) return;
    note(left);
    const live = new Set(left.map(each => each.uri));
    onExpired(due.filter(uri => !live.has(uri)));
  };

  return {
    /** Waits for the end of these artefacts as well. */
    note,
    close(): void {
      closed = true;
      forget?.();
      times.clear();
    },
  };
}
