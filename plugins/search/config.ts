/** Settings of the search engine. */
import { Type } from 'typebox';
import { optionalPath } from '../../schemas/settings.ts';

export const settings = Type.Object({
  search_lexicon: optionalPath(
    "file or folder of lexicon rows that the gateway's search knows beside its own; read at start",
  ),
});
