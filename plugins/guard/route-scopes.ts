/**
 * What each route of this package takes: the one table. `public` takes nothing. A route that is not in it takes `admin`,
 * unless it is of another package and says otherwise (`config: { scope }`). In braces stands a path that is a setting.
 */
import type { Scope } from '../../schemas/tokens.ts';

export type RouteScope = Scope | 'public';

const debugReads = [
  ...['activity', 'calls', 'events', 'feedback', 'health', 'instances', 'logs', 'sessions', 'stats', 'tools'],
  ...['traces', 'traces/:id', 'workers'],
];

const panelReads = [
  'traffic',
  'traffic/export',
  'traffic/events',
  'tasks',
  'tasks/:id',
  'skills',
  'skill-detail',
  'integrations',
];

const rows: Readonly<Record<RouteScope, readonly string[]>> = {
  // Who looks whether anybody is there.
  // Tunnels are let in by tokens of their own.
  public: [
    ...['GET /health', 'GET /v1/health', 'GET /v1/healthz', 'GET /connect'],
    // The page itself has nothing in it: what it shows it asks for, with the token of who has signed in.
    ...['GET {admin_path}', 'GET {admin_path}/', 'GET {admin_path}/assets/:name'],
  ],
  read: [
    // Messages that do more than look take `call` (messages.ts).
    ...['POST', 'GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'HEAD'].map(method => `${method} {endpoint_path}`),
    ...[
      'GET /v1/readyz',
      'GET /v1/openapi.json',
      'GET /instances',
      'GET /v1/instances',
      'GET /v1/instances/:id/context',
    ],
    ...['POST /v1/search', 'POST /v1/describe', 'GET /v1/tools/:slug', 'GET /v1/skills', 'GET /v1/prompts'],
    ...['GET /v1/prompts/:name', 'GET /v1/resources', 'GET /v1/resources/:uri', 'GET /v1/resources/:uri/events'],
    ...['GET /v1/jobs', 'GET /v1/jobs/:id/events', 'GET {metrics_path}', 'GET /tunnels'],
    'GET {admin_path}/api/whoami',
  ],
  call: [
    ...['POST /v1/call', 'POST /v1/call_batch', 'POST /v1/load_skill', 'POST /v1/unload_skill', 'POST /v1/lease'],
    ...['POST /v1/feedback', 'DELETE /v1/jobs/:id'],
    // What passes there is not read on its way.
    ...['POST', 'GET', 'DELETE'].flatMap(method => [`${method} /mcp/:to`, `${method} /mcp/dcc/:to`]),
    ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map(method => `${method} /tunnel/:id/*`),
  ],
  register: ['register', 'heartbeat', 'deregister'].map(each => `POST /v1/instances/${each}`),
  // What others called, with what, and what became of it.
  admin: [
    ...debugReads.flatMap(each => [`GET {admin_path}/api/${each}`, `GET /v1/debug/${each}`]),
    ...['GET {admin_path}/api/issue-report/:id', 'GET /v1/debug/issue-reports/:id', 'POST /gateway/yield'],
    'GET {admin_path}/api/analytics/export',
    'GET {admin_path}/api/analytics/heatmap',
    'GET {admin_path}/api/analytics/overview',
    'GET {admin_path}/api/debug-bundle/:id',
    'GET {admin_path}/api/governance',
    'GET {admin_path}/api/reliability',
    'GET /v1/debug/analytics/export',
    'GET /v1/debug/analytics/heatmap',
    'GET /v1/debug/analytics/overview',
    'GET /v1/debug/analytics/timeseries',
    'GET /v1/debug/debug-bundle/:id',
    'GET /v1/debug/governance',
    'GET /v1/debug/reliability',
    'GET {admin_path}/api/stream',
    ...panelReads.flatMap(each => [`GET {admin_path}/api/${each}`, `GET /v1/debug/${each}`]),
    ...['POST', 'PUT'].map(method => `${method} {admin_path}/api/integrations`),
    'DELETE {admin_path}/api/integrations/:name',
    'POST {admin_path}/api/integrations/test',
    ...['GET {admin_path}/api/analytics/timeseries', 'GET /v1/approvals', 'POST /v1/approvals/accept'],
  ],
};

export const routeScopes: ReadonlyMap<string, RouteScope> = new Map(
  Object.entries(rows).flatMap(([scope, routes]) => routes.map(each => [each, scope as RouteScope] as const)),
);

/** Paths that are for everybody. */
export const publicPaths: readonly string[] = rows.public.map(route => route.slice(route.indexOf(' ') + 1));

/** Paths that are settings. */
export interface RoutePaths {
  endpoint_path: string;
  metrics_path: string;
  /** Without a slash at its end. */
  admin_path: string;
}

/** Undefined for a route that is not in the table. */
export function scopeOfRoute(method: string, url: string, paths: RoutePaths): RouteScope | undefined {
  const { endpoint_path, metrics_path, admin_path } = paths;
  const asked = method === 'HEAD' && url !== endpoint_path ? 'GET' : method;
  if (url === endpoint_path) return routeScopes.get(`${asked} {endpoint_path}`);
  if (url === metrics_path) return routeScopes.get(`${asked} {metrics_path}`);
  const known = routeScopes.get(`${asked} ${url}`);
  if (known !== undefined || !(url === admin_path || url.startsWith(`${admin_path}/`))) return known;
  return routeScopes.get(`${asked} {admin_path}${url.slice(admin_path.length)}`);
}
