/** Whether the host behind the REST twin can take calls now (shape:health, shape:envelope). */
import { missingBits } from '../../../schemas/readiness.ts';
import type { HealthService } from '../../health/api.ts';
import { restErrors } from '../errors.ts';

/** Throws SVC_REST_NOT_READY with the bits that are missing; without a health plugin nothing is ever missing. */
export function createReadyCheck(health: Pick<HealthService, 'readiness'> | undefined): () => void {
  return () => {
    const missing = health ? missingBits(health.readiness()) : [];
    if (missing.length > 0) throw restErrors.NOT_READY({ missing_bits: missing, missing: missing.join(', ') });
  };
}
