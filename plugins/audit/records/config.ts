/** Settings of the records of calls. */
import { type Static, Type } from 'typebox';
import { count, optionalPath } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  gateway_audit_dir: optionalPath(
    'directory where the gateway keeps audit.jsonl and traces.jsonl; without it the newest calls are kept in memory',
  ),
  gateway_audit_max_rows: count(5000, 'rows that each of these files keeps; the oldest go first', 1),
  gateway_audit_max_bytes: count(52428800, 'bytes that each of these files keeps; the oldest rows go first', 4096),
});

export type Settings = Static<typeof settings>;
