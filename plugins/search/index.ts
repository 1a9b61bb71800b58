/** The search engine: what finds tools, skills and records by words, for every room that searches. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from './api.ts';
import { settings } from './config.ts';
import { searchErrors } from './errors.ts';
import { lexiconWith, studioRows } from './lexicon/files.ts';
import { createSearchService } from './service.ts';

export const searchPlugin = definePlugin(
  { name: 'search', config: settings, errors: searchErrors },
  (app, { config }) => {
    app.decorate(
      'searchEngine',
      createSearchService(() => lexiconWith(studioRows(config.search_lexicon))),
    );
  },
);
