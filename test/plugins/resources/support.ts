/** A real endpoint with the resources plugins and the producers that a test needs. */
import type { FastifyInstance } from 'fastify';
import { definePlugin, type Environment, type Plugin } from '../../../kernel/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import type { ResourceProducer } from '../../../plugins/resources/api.ts';
import { mcpPlugin, resourcesPlugin } from '../../contracts/rooms.ts';
import { listeningApp } from '../../helper.ts';
import { type ConnectOptions, connect, type Json, type Wire } from '../../spec/wire.ts';

export interface Endpoint {
  app: FastifyInstance;
  connect(options?: ConnectOptions): Promise<Wire>;
}

/** The endpoint with `producers` and further plugins. */
export async function resourceServer(
  producers: readonly ResourceProducer[] = [],
  options: ServerOptions = {},
  further: readonly Plugin[] = [],
  env: Environment = {},
): Promise<Endpoint> {
  const own = definePlugin({ name: 'own', dependencies: ['resources'] }, (app, { scope }) => {
    for (const producer of producers) scope.add(producer.scheme, app.resources.addProducer(producer));
  });
  const { app, url } = await listeningApp([mcpPlugin, resourcesPlugin, own, ...further], options, env);
  return { app, connect: given => connect(`${url}/mcp`, given) };
}

/** A producer of `count` texts: `<scheme>://item/<n>`. */
export function texts(scheme: string, count = 1): ResourceProducer {
  const uris = Array.from({ length: count }, (_, index) => `${scheme}://item/${index}`);
  return {
    scheme,
    list: () => uris.map(uri => ({ uri, name: uri, mimeType: 'text/plain' })),
    // As with most, a query is no other resource.
    read: uri =>
      uris.includes(uri.split('?')[0] ?? '') ? [{ uri, mimeType: 'text/plain', text: `text of ${uri}` }] : undefined,
    templates: () => [{ uriTemplate: `${scheme}://item/{n}`, name: 'item' }],
    complete: (_template, _variable, value) =>
      uris.map(uri => uri.slice(uri.lastIndexOf('/') + 1)).filter(n => n.startsWith(value)),
  };
}

/** The error number, code and message of a request that fails. */
export async function errorOf(wire: Wire, method: string, params: Json = {}) {
  const { error } = await wire.request(method, params);
  return { number: error?.code, code: error?.data?.code, message: error?.message };
}

/** Reads a URI; the JSON of its first text. */
export async function readJson(wire: Wire, uri: string): Promise<Json> {
  const { contents } = await wire.result('resources/read', { uri });
  return JSON.parse((contents as { text: string }[])[0]?.text ?? '') as Json;
}

/** How often `uri` was told updated on a stream. */
export const updatesOf = (messages: readonly { method?: string; params?: Json }[], uri: string): number =>
  messages.filter(each => each.method === 'notifications/resources/updated' && each.params?.uri === uri).length;

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
