/** Keywords over the bundled index of public adapter packages. */
import { type CatalogEntry, catalog } from '../../../../schemas/catalog.ts';

export function searchCatalog(query: string): readonly CatalogEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return catalog.filter(({ name, description, dcc, tags, category }) => {
    const text = [name, description, ...dcc, ...tags, category].join('\n').toLowerCase();
    return words.every(word => text.includes(word));
  });
}
