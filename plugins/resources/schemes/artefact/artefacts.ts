/** `artefact://sha256/<hex>` over a store. */
import type { ResourceProducer } from '../../api.ts';
import type { ArtefactStore, FileRef } from './api.ts';
import { artefactErrors } from './errors.ts';
import { artefactPrefix } from './sidecar.ts';

export function createArtefactProducer(store: ArtefactStore, enabled: boolean, maxBase64: number): ResourceProducer {
  return {
    scheme: 'artefact',
    polled: true,
    enabled: () => enabled,
    templates: () => [
      { uriTemplate: `${artefactPrefix}{hex}`, name: 'Artefact', description: 'Stored bytes by their SHA-256 digest' },
    ],
    async list() {
      // Several sidecars may describe the same bytes; the first stands for them.
      const byUri = new Map<string, FileRef>();
      for (const ref of await store.list()) if (!byUri.has(ref.uri)) byUri.set(ref.uri, ref);
      return [...byUri.values()].map(ref => {
        const { uri, mime, size_bytes, display_name, ...sidecar } = ref;
        return {
          uri,
          name: display_name ?? uri.slice(artefactPrefix.length, artefactPrefix.length + 12),
          ...(mime !== undefined && { mimeType: mime }),
          size: size_bytes,
          _meta: { ...sidecar, ...(display_name !== undefined && { display_name }) },
        };
      });
    },
    async read(uri) {
      const found = await store.get(uri, Math.floor((maxBase64 * 3) / 4));
      if (!found) throw artefactErrors.NOT_STORED({ uri });
      const { ref, bytes } = found;
      const { buffer, byteOffset, length } = bytes;
      const blob = Buffer.from(buffer, byteOffset, length).toString('base64');
      return [{ uri, mimeType: ref.mime ?? 'application/octet-stream', blob }];
    },
  };
}
