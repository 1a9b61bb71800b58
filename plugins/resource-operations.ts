/** The server's side of the resource operations: what the host registers becomes producers that ask it back. */
import type { FastifyInstance } from 'fastify';
import type { Disposer } from '../kernel/light.ts';
import type {} from './audit/api.ts';
import type { SourceQuestion } from './host-sources.ts';
import type { ResourceContents, ResourceProducer, ResourceRecord, ResourceTemplate } from './resources/api.ts';
import type { ArtefactInfo } from './resources/schemes/artefact/api.ts';
import type {} from './resources/schemes/audit/api.ts';
import type { UsdProject } from './resources/schemes/openusd/api.ts';
import type {} from './resources/schemes/scene/api.ts';
import type { EventPage } from './resources/schemes/session-events/api.ts';
import type { HostAuditRecord } from './server-api.ts';

/** Decorators that operations need; the plugin is the same name in kebab-case. */
export type Feature = Extract<
  keyof FastifyInstance,
  'skills' | 'host' | 'workflows' | 'resources' | 'audit' | `scheme${string}`
>;

export interface ResourceOperationsDeps {
  app: FastifyInstance;
  link: { source(question: SourceQuestion, signal: AbortSignal): Promise<unknown> };
  registered(undo: Disposer): number;
  feature<T>(name: Feature, operation: string, found: () => T): T;
}

export interface ProducerShape {
  key: number;
  scheme: string;
  templates: ResourceTemplate[];
  completes: boolean;
  enabled: boolean;
}

export function createResourceOperations({ app, link, registered, feature }: ResourceOperationsDeps) {
  const artefacts = (operation: string) => feature('schemeArtefact', operation, () => app.schemeArtefact);
  const never = new AbortController().signal;
  const maxBytes = app.kernel.config.max_resource_bytes;

  const producerOf = ({ key, scheme, templates, completes, enabled }: ProducerShape): ResourceProducer => ({
    scheme,
    list: async () => (await link.source({ key, ask: 'list' }, never)) as ResourceRecord[],
    read: async (uri, { signal }) =>
      (await link.source({ key, ask: 'read', uri, maxBytes }, signal)) as ResourceContents[] | undefined,
    templates: () => templates,
    ...(completes && {
      complete: async (uriTemplate: string, variable: string, value: string) =>
        (await link.source({ key, ask: 'complete', uriTemplate, variable, value }, never)) as string[],
    }),
    enabled: () => enabled,
  });

  return {
    setScene: (text: string | null): null => {
      feature('schemeScene', 'setScene', () => app.schemeScene).setSceneText(text);
      return null;
    },
    auditRecords: (records: readonly HostAuditRecord[]): null => {
      const scheme = feature('schemeAudit', 'wireAuditLog', () => app.schemeAudit);
      for (const record of records) scheme.append(record);
      return null;
    },
    registerSessionEventBuffer: ({ key, session_id }: { key: number; session_id: string }): number => {
      const events = feature('schemeSessionEvents', 'registerSessionEventBuffer', () => app.schemeSessionEvents);
      return registered(
        events.registerSessionEventBuffer({
          session_id,
          page: async options => (await link.source({ key, ask: 'page', options }, never)) as EventPage,
        }),
      );
    },
    addProducer: (shape: ProducerShape): number => {
      const resources = feature('resources', 'addProducer', () => app.resources);
      const remove = resources.addProducer(producerOf(shape));
      resources.listChanged();
      return registered(async () => {
        await remove();
        resources.listChanged();
      });
    },
    registerOpenusd: async (project: UsdProject): Promise<number> =>
      registered(await feature('schemeOpenusd', 'registerOpenusd', () => app.schemeOpenusd).register(project)),
    putArtefactBytes: ({ bytes, info }: { bytes: Uint8Array; info: ArtefactInfo | undefined }) =>
      artefacts('putBytes').putBytes(bytes, info),
    putArtefactFile: ({ path, info }: { path: string; info: ArtefactInfo | undefined }) =>
      artefacts('putFile').putFile(path, info),
    getArtefact: (uri: string) => artefacts('get').get(uri),
    listArtefacts: (_: null) => artefacts('list').list(),
    resourceUpdated: (uri: string): null => {
      feature('resources', 'updated', () => app.resources).updated(uri);
      return null;
    },
    resourceListChanged: (_: null): null => {
      feature('resources', 'listChanged', () => app.resources).listChanged();
      return null;
    },
  };
}
