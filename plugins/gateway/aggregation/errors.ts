/** Rows of the error table for the aggregated resources and prompts. */
import { defineErrors } from '../../../kernel/index.ts';

export const aggregationErrors = defineErrors('SVC_AGGREGATION', {
  BAD_URI: {
    rpc: -32602,
    http: 400,
    kind: 'invalid-params',
    template: 'The URI "{uri}" names no instance: take URIs from resources/list, such as scene://<instance>/current',
  },
  UNKNOWN_PROMPT: {
    rpc: -32602,
    http: 404,
    kind: 'not-found',
    template: 'No prompt is named "{name}": take names from prompts/list, such as i_1a2b3c4d__review_H_scene',
  },
});
