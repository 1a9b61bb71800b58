/** From the text of a file to a row, or why it is none. */
import { summary, type Validator } from '../../../kernel/index.ts';
import { type InstanceRow, instanceSchemaVersion } from '../../../schemas/instance.ts';

export type RowReading =
  | { readonly row: InstanceRow }
  /** `keep`: written by a newer program, for whom it stays where it is. */
  | { readonly reason: string; readonly keep: boolean };

/** Reads the text of `<instance_id>.json`; `validate` fills in what is missing. */
export function readRow(text: string, instanceId: string, validate: Validator): RowReading {
  if (text.trim() === '') return refused('the file is empty');
  if (text.includes('\0')) return refused('the file contains NUL bytes');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused(`the file is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused('the file is no JSON object');
  const raw = value as Record<string, unknown>;
  const version = raw.schema_version ?? 0;
  if (typeof version === 'number' && version > instanceSchemaVersion) {
    const reason = `schema_version ${version} is newer than ${instanceSchemaVersion}, the newest that this program reads`;
    return { reason, keep: true };
  }
  const row = known(raw);
  const problems = validate(row);
  if (problems) return refused(`the row is not valid: ${summary(problems)}`);
  if (row.instance_id !== instanceId) return refused(`the row is of instance ${String(row.instance_id)}`);
  return { row: row as unknown as InstanceRow };
}

const refused = (reason: string): RowReading => ({ reason, keep: false });

/** Loose on read: times of either form, and of the metadata what can be a text. */
function known(raw: Record<string, unknown>): Record<string, unknown> {
  const row = { ...raw };
  row.registered_at = seconds(raw.registered_at);
  delete row.last_heartbeat;
  for (const name of ['metadata', 'extras', 'documents']) if (row[name] === null) delete row[name];
  const { metadata } = row;
  if (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)) {
    const texts = Object.entries(metadata).filter(([, each]) => /^(string|number|boolean)$/.test(typeof each));
    row.metadata = Object.fromEntries(texts.map(([name, each]) => [name, String(each)]));
  }
  return row;
}

function seconds(value: unknown): unknown {
  const { secs_since_epoch: whole, nanos_since_epoch: nanos } = (value ?? {}) as Record<string, unknown>;
  if (typeof whole === 'number') return whole + (typeof nanos === 'number' ? nanos / 1e9 : 0);
  return value ?? 0;
}
