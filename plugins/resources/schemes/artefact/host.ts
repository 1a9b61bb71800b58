/** The artefact store as the host uses it. */
import { resolve } from 'node:path';
import { type HostHalf, plainCopy } from '../../../../kernel/light.ts';
import type { ArtefactInfo, ArtefactStore } from './api.ts';

export interface HostArtefacts {
  /** The store behind `artefact://`; it works whether or not `enable_artefact_resources` shows it to clients. */
  readonly artefacts: ArtefactStore;
}

export const artefactHalf = {
  plugin: 'scheme-artefact',
  operations: ['putArtefactBytes', 'putArtefactFile', 'getArtefact', 'listArtefacts'],
  open(link): HostArtefacts {
    const crossing = (info: ArtefactInfo | undefined) => info && plainCopy('info', info);
    return {
      artefacts: {
        putBytes: async (bytes, info) => link.call('putArtefactBytes', { bytes, info: crossing(info) }),
        putFile: async (path, info) => link.call('putArtefactFile', { path: resolve(path), info: crossing(info) }),
        get: uri => link.call('getArtefact', { uri }),
        list: () => link.call('listArtefacts', {}),
      },
    };
  },
} satisfies HostHalf<HostArtefacts>;
