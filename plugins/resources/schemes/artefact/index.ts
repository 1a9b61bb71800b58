/** `artefact://`: a content-addressed store beside the registry, served when `enable_artefact_resources` is on. */

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin } from '../../../../kernel/index.ts';
import type { ArtefactStore, FileRef } from './api.ts';
import { createArtefactProducer } from './artefacts.ts';
import { settings } from './config.ts';
import { artefactErrors } from './errors.ts';
import { createExpiry } from './expiry.ts';
import { addArtefactOperations } from './operations.ts';
import { createArtefactStore } from './store.ts';

export const schemeArtefactPlugin = definePlugin(
  { name: 'scheme-artefact', errors: artefactErrors, config: settings, dependencies: ['resources'] },
  (app, { config, kernel, scope, log }) => {
    const { enable_artefact_resources: enabled } = config;
    const { resources } = app;
    const { now } = kernel.ids;
    const folder = createArtefactStore(join(config.registry_dir ?? tmpdir(), 'dcc-mcp-artefacts'), now);
    const expiry = createExpiry({
      ...{ now, list: folder.list },
      onExpired(gone) {
        for (const uri of gone) resources.removed(uri);
        resources.listChanged();
      },
      onFailure: err => log.warn({ err }, 'expired artefacts could not be told'),
    });
    scope.add('expiry of artefacts', expiry.close);

    const noted = (refs: FileRef[]): FileRef[] => {
      if (enabled) expiry.note(refs);
      return refs;
    };
    const put = (ref: FileRef): FileRef => {
      noted([ref]);
      if (enabled) resources.listChanged();
      return ref;
    };
    // What another server stored is waited for once it was listed here.
    const store: ArtefactStore = {
      get: folder.get,
      list: () => folder.list().then(noted),
      putBytes: (bytes, info) => folder.putBytes(bytes, info).then(put),
      putFile: (path, info) => folder.putFile(path, info).then(put),
    };
    app.decorate('schemeArtefact', store);
    addArtefactOperations(app.host, store, scope);
    scope.add('artefact://', resources.addProducer(createArtefactProducer(store, enabled, resources.maxBytes)));
    if (!enabled) return;
    folder
      .prune()
      .then(store.list)
      .catch((err: unknown) => log.warn({ err }, 'old artefacts could not be removed'));
  },
);
