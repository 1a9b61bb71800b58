/** `artefact://`: a content-addressed store beside the registry, served when `enable_artefact_resources` is on. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin } from '../../kernel/index.ts';
import type {} from './api.ts';
import { createArtefactProducer } from './artefacts.ts';
import { createArtefactStore } from './store.ts';

export const schemeArtefactPlugin = definePlugin(
  { name: 'scheme-artefact', dependencies: ['resources'] },
  (app, { config, kernel, scope, log }) => {
    const { enable_artefact_resources: enabled, max_resource_bytes: most } = config;
    const store = createArtefactStore(join(config.registry_dir ?? tmpdir(), 'dcc-mcp-artefacts'), kernel.ids.now);
    scope.add('artefact://', app.resources.addProducer(createArtefactProducer(store, enabled, most)));
    const changed = <T>(done: T): T => {
      if (enabled) app.resources.listChanged();
      return done;
    };
    app.decorate('schemeArtefact', {
      ...store,
      putBytes: (bytes, info) => store.putBytes(bytes, info).then(changed),
      putFile: (path, info) => store.putFile(path, info).then(changed),
    });
    if (enabled) store.prune().catch((err: unknown) => log.warn({ err }, 'old artefacts could not be removed'));
  },
);
