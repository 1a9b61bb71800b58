/** Who wants to hear of calls as they end. Their rows are made only when somebody asks for one. */

import type { Disposer } from '../../../kernel/index.ts';
import type { CallRecord } from '../../../schemas/call-record.ts';
import type { FollowedCall } from './api.ts';
import { durationOf, type Rows } from './rows.ts';

export function createFollowers(rows: Pick<Rows, 'audit'>) {
  const hearers = new Set<(call: FollowedCall) => void>();
  return {
    follow(hear: (call: FollowedCall) => void): Disposer {
      hearers.add(hear);
      return () => void hearers.delete(hear);
    },
    tell(record: CallRecord): void {
      if (hearers.size === 0) return;
      const { ok, operation } = record;
      const call = { ok, operation, duration_ms: durationOf(record), row: () => rows.audit(record) };
      for (const hear of hearers) hear(call);
    },
  };
}
