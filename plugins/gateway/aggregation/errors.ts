/** Rows of the error table for the aggregated resources and prompts. */
import { defineErrors } from '../../../kernel/index.ts';
import { alike } from '../../../schemas/error-rows.ts';

export const aggregationErrors = defineErrors('SVC_AGGREGATION', {
  ...alike([-32602, 400, 'invalid-params'], {
    BAD_URI: 'The URI "{uri}" names no instance: take URIs from resources/list, such as scene://<instance>/current',
  }),
  ...alike([-32602, 429], {
    TOO_MANY: 'This session follows {limit} resources of instance {instance} already: unsubscribe from one first',
  }),
  ...alike([-32602, 404, 'not-found'], {
    UNKNOWN_PROMPT: 'No prompt is named "{name}": take names from prompts/list, such as i_1a2b3c4d__review_H_scene',
  }),
});
