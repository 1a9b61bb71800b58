/** Rows of the error table for the search engine. */
import { defineErrors } from '../../kernel/index.ts';

export const searchErrors = defineErrors('SVC_SEARCH', {
  LEXICON_INVALID: { rpc: null, http: 400, template: 'search_lexicon cannot be read: {reason}' },
});
