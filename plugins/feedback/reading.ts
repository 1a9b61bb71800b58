/** Reads findings as the rows of our errors refuse them. */
import type { Schemas } from '../../kernel/index.ts';
import { createFindingReader, type FindingReader } from '../../schemas/finding-reading.ts';
import { feedbackErrors } from './errors.ts';

export type { FindingReader } from '../../schemas/finding-reading.ts';

/** Everything throws SVC_FEEDBACK_INVALID. */
export const findingReader = (schemas: Pick<Schemas, 'compile'>): FindingReader =>
  createFindingReader({
    check: (schema, value) => schemas.compile(schema, 'own')(value),
    refuse: (reason, cause) => feedbackErrors.INVALID({ reason }, cause),
  });
