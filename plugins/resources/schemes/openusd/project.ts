/** `openusd://` over one project: its records, its manifests, and its files. */
import { isUtf8 } from 'node:buffer';
import type { ResourceContents, ResourceProducer, ResourceRecord } from '../../api.ts';
import { locate, openFound } from './confinement.ts';
import { usdErrors } from './errors.ts';
import { type Family, families, isTextMime, jsonMime, scheme, stageUri } from './families.ts';
import type { Given } from './given.ts';
import type { Inventory, Item } from './inventory.ts';

/** `maxBytes`: most characters of text or base64 in one read. */
export function createProjectProducer(
  { root, label }: Given,
  inventory: () => Promise<Inventory>,
  maxBytes: number,
): ResourceProducer {
  const rootRecord = ({ family, kind, title }: (typeof families)[number]): ResourceRecord => ({
    uri: `${scheme}://${family}`,
    name: `${label} ${title}`,
    description: `Manifest of ${title} of ${label}`,
    mimeType: jsonMime,
    _meta: { kind: `${kind}-manifest`, project_root_label: label, metadata: { project_root_label: label } },
  });

  const json = (uri: string, value: unknown): ResourceContents => ({
    uri,
    mimeType: jsonMime,
    text: JSON.stringify(value),
  });

  const manifest = (uri: string, stock: Inventory, family: Family): ResourceContents => {
    const { items, truncated } = stock.families[family];
    const kind = families.find(each => each.family === family)?.kind;
    const resources = items.map(each => each.entry);
    return json(uri, {
      kind,
      project_label: label,
      count: resources.length,
      resources,
      ...(truncated && { truncated }),
    });
  };

  const contents = async ({ entry, located, content }: Item): Promise<ResourceContents> => {
    const { uri, mimeType } = entry;
    if (content !== undefined) {
      return { uri, mimeType, text: typeof content === 'string' ? content : JSON.stringify(content) };
    }
    if (!located) return json(uri, entry);
    if (located.status === 'outside') throw usdErrors.OUTSIDE({ name: uri });
    // Looked at again now: the file may have become a link since the stock was taken.
    const now = await locate(root, root.given, located.path);
    if (now.status === 'outside') throw usdErrors.OUTSIDE({ name: uri });
    if (now.status === 'missing' || !now.stats.isFile()) throw usdErrors.MISSING({ uri });
    const bytes = await bytesOf(uri, now.real);
    if (isTextMime(mimeType) && isUtf8(bytes)) return { uri, mimeType, text: bytes.toString('utf8') };
    return { uri, mimeType, blob: bytes.toString('base64') };
  };

  const bytesOf = async (uri: string, real: string): Promise<Buffer> => {
    const file = await openFound(real).catch((error: unknown) => {
      throw usdErrors.MISSING({ uri }, error);
    });
    try {
      const { size } = await file.stat();
      if (size > maxBytes) throw usdErrors.TOO_LARGE({ uri, bytes: size, limit: maxBytes });
      return await file.readFile();
    } finally {
      await file.close();
    }
  };

  return {
    scheme,
    async list() {
      const stock = await inventory();
      const records = families.flatMap(each => [
        rootRecord(each),
        ...stock.families[each.family].items.map(item => recordOf(item)),
      ]);
      return [recordOf(stock.stage), ...records];
    },
    // An unknown one reads as such, and a file that is missing may come.
    knows: () => true,
    async read(uri) {
      const stock = await inventory();
      const family = families.find(each => uri === `${scheme}://${each.family}`)?.family;
      if (family) return [manifest(uri, stock, family)];
      const item = stock.byUri.get(uri);
      return [item ? await contents(item) : json(uri, { error: 'unknown-usd-resource', uri })];
    },
    templates: () =>
      families.map(({ family, one, title }) => ({
        uriTemplate: `${scheme}://${family}/{name}`,
        name: one,
        description: `One of the ${title} of ${label}; ${scheme}://${family} lists them, ${stageUri} is the stage`,
      })),
    async follow() {
      // Changes are told against what is known of the project.
      await inventory();
      return () => undefined;
    },
    async complete(uriTemplate, _variable, value) {
      const prefix = uriTemplate.slice(0, uriTemplate.indexOf('{'));
      const uris = [...(await inventory()).byUri.keys()];
      return uris.filter(uri => uri.startsWith(prefix + value)).map(uri => uri.slice(prefix.length));
    },
  };
}

/** The record of an item; what MCP has no field for stands in `_meta` as the manifest has it. */
function recordOf({ entry }: Item): ResourceRecord {
  const { uri, name, description, mimeType, ...rest } = entry;
  const size = rest.file_ref?.size_bytes;
  return { uri, name, description, mimeType, ...(size !== undefined && { size }), _meta: rest };
}
