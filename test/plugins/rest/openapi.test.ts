/** The description of `/v1` that an instance and a gateway give of themselves. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { verifies } from '../../spec/verifies.ts';
import { gatewayOver } from '../gateway/support.ts';
import { type Json, raw, restApp } from './support.ts';

type Paths = Record<string, Record<string, Json>>;

/** The document, known to be valid. */
async function described(url: string): Promise<{ paths: Paths; info: Json }> {
  const { json, headers } = await raw(url, '/v1/openapi.json');
  expect(headers['content-type']).toMatch(/^application\/json/);
  const { valid, errors } = await new Validator().validate(structuredClone(json));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  return json as { paths: Paths; info: Json };
}

const routesOf = (paths: Paths): string[] =>
  Object.entries(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`))
    .sort();

/** What an instance and the gateway have both. */
const shared = [
  'DELETE /v1/jobs/{id}',
  'GET /v1/jobs',
  'GET /v1/jobs/{id}/events',
  'GET /v1/openapi.json',
  'GET /v1/prompts',
  'GET /v1/prompts/{name}',
  'GET /v1/readyz',
  'GET /v1/resources',
  'GET /v1/resources/{uri}',
  'GET /v1/resources/{uri}/events',
  'GET /v1/skills',
  'GET /v1/tools/{slug}',
  ...['call', 'call_batch', 'describe', 'load_skill', 'search', 'unload_skill'].map(name => `POST /v1/${name}`),
];

test('an instance describes its routes, with bodies and answers of their own [spec:shape:openapi]', async () => {
  const { url, app } = await restApp();
  const { paths, info } = await described(url);
  // This server has no jobs.
  expect(routesOf(paths)).toEqual(
    [...shared.filter(each => !each.includes('/jobs')), 'GET /health', 'GET /v1/health', 'GET /v1/healthz'].sort(),
  );
  expect(info.version).toMatch(/^\d/);
  const called = paths['/v1/call']?.post;
  expect(called?.requestBody).toMatchObject({
    content: { 'application/json': { schema: { properties: { tool_slug: {} } } } },
  });
  const output = { 'application/json': { schema: { properties: { slug: {}, output: {} } } }, 'application/toon': {} };
  expect(called?.responses).toMatchObject({ 200: { content: output } });
  for (const each of routesOf(paths)) {
    const [method, path = ''] = each.split(' ');
    const route = { method: method as 'GET', url: path.replaceAll(/\{(\w+)\}/g, ':$1') };
    expect(app.hasRoute(route), each).toBe(true);
  }
});

verifies(
  ['gateway-rest:openapi'],
  'a gateway describes the same routes and those that only it has [spec:shape:family]',
  async () => {
    const { url } = await gatewayOver([]);
    const { paths } = await described(url);
    expect(routesOf(paths)).toEqual(
      [
        ...shared,
        ...['GET /instances', 'GET /v1/instances', 'GET /v1/instances/{id}/context', 'POST /v1/lease'],
      ].sort(),
    );
    expect(paths['/v1/search']?.post).toMatchObject({
      responses: {
        200: { content: { 'application/json': { schema: { properties: { search_id: {} } } } } },
        default: {},
      },
    });
  },
);
