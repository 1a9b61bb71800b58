/** The producers of `gateway://` and `resources://`: only the roots of the families are listed. */
import { catalog } from '../../../../schemas/catalog.ts';
import type { ResourceContents, ResourceProducer, ResourceRecord } from '../../api.ts';
import { searchCatalog } from './catalog-search.ts';
import type { createDiagnostics } from './diagnostics.ts';
import type { InstanceViews } from './instance-views.ts';
import { queryOf } from './query.ts';

const json = 'application/json';
const eventsUri = 'resources://gateway/events';

export interface GatewayProducerDeps {
  views: InstanceViews;
  diagnostics: ReturnType<typeof createDiagnostics>;
}

const roots: readonly ResourceRecord[] = [
  { uri: 'gateway://instances', name: 'Instances', description: 'Live registry of instances', mimeType: json },
  {
    uri: 'gateway://diagnostics/process',
    name: 'Gateway process',
    description: 'Gateway process metadata and counts of instances',
    mimeType: json,
  },
  {
    uri: 'gateway://diagnostics/audit',
    name: 'Gateway activity',
    description: 'Pending calls and resource subscriptions',
    mimeType: json,
  },
  {
    uri: 'gateway://diagnostics/metrics',
    name: 'Gateway metrics',
    description: 'Local tool count, live instances, timeouts',
    mimeType: json,
  },
  {
    uri: 'gateway://catalog',
    name: 'Catalogue',
    description: 'Public adapter, skill and plugin packages; ?query= narrows it',
    mimeType: json,
  },
];

export function createGatewayProducer({ views, diagnostics }: GatewayProducerDeps): ResourceProducer {
  const read = (uri: string): object | undefined | Promise<object> => {
    const [path = ''] = uri.slice('gateway://'.length).split('?', 1);
    const [family, name, ...more] = path.split('/');
    if (more.length > 0) return undefined;
    switch (family) {
      case 'instances':
        return name === undefined ? views.list(uri) : views.one(decodeURIComponent(name));
      case 'diagnostics':
        return name === 'process' || name === 'audit' || name === 'metrics' ? diagnostics[name](uri) : undefined;
      case 'catalog':
        return name === undefined ? listing(uri) : catalog.find(each => each.name === decodeURIComponent(name));
      default:
        return undefined;
    }
  };

  return {
    scheme: 'gateway',
    list: () => roots,
    templates: () => [
      { uriTemplate: 'gateway://instances/{instance_id}', name: 'One instance', mimeType: json },
      { uriTemplate: 'gateway://catalog/{name}', name: 'One catalogue entry', mimeType: json },
    ],
    complete: (uriTemplate, _variable, value) =>
      uriTemplate.includes('catalog')
        ? catalog.map(each => each.name).filter(each => each.startsWith(value.toLowerCase()))
        : [],
    async read(uri) {
      const found = await read(uri);
      return found && [{ uri, mimeType: json, text: JSON.stringify(found) }];
    },
  };
}

function listing(uri: string): object {
  const query = queryOf(uri, ['query', 'limit', 'offset']);
  const found = searchCatalog(query.text('query') ?? '');
  const [limit, offset] = [query.count('limit', 100, 100), query.count('offset', 0, Number.MAX_SAFE_INTEGER)];
  const entries = found.slice(offset, offset + limit);
  return { total: found.length, query: query.text('query') ?? '', limit, offset, source: 'marketplace', entries };
}

/** `resources://gateway/events`: the ring of operational events as JSON lines. */
export function createEventsProducer(lines: () => string): ResourceProducer {
  const mimeType = 'application/jsonl';
  return {
    scheme: 'resources',
    list: () => [],
    read: (uri): ResourceContents[] | undefined => (uri === eventsUri ? [{ uri, mimeType, text: lines() }] : undefined),
  };
}

export { eventsUri };
