/** What the host does with artefacts; the store itself says what is wrong with bytes or their sidecar. */
import type { Host, Scope } from '../../../../kernel/index.ts';
import { anyOf, inputOf, optional, text } from '../../../../schemas/operation.ts';
import type { ArtefactInfo, ArtefactStore } from './api.ts';

const info = optional(anyOf<ArtefactInfo>());

export function addArtefactOperations(host: Host, store: ArtefactStore, scope: Scope): void {
  const operations = [
    host.operation('putArtefactBytes', inputOf({ bytes: anyOf<Uint8Array>(), info }), ({ bytes, info }) =>
      store.putBytes(bytes, info),
    ),
    host.operation('putArtefactFile', inputOf({ path: text, info }), ({ path, info }) => store.putFile(path, info)),
    host.operation('getArtefact', inputOf({ uri: text }), ({ uri }) => store.get(uri)),
    host.operation('listArtefacts', inputOf({}), () => store.list()),
  ];
  for (const undo of operations) scope.add('operation', undo);
}
