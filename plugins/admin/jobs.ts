/** What instances tell of their jobs, as rows. Pure. */
import type { Json } from '../../schemas/loose.ts';
import { redacted } from '../../schemas/redaction.ts';
import type { BackendNotification } from '../gateway/backends/api.ts';

/** A job as it is now; undefined for a notification of something else. */
export function jobUpdate({ instance_id, method, params }: BackendNotification): Json | undefined {
  if (method !== 'notifications/$/dcc.jobUpdated' || typeof params.job_id !== 'string') return undefined;
  const { result: _, ...rest } = params;
  return redacted({ ...rest, instance_id }) as Json;
}
