/** The page at `admin_path`, its files, and `/admin/api/*` as far as no other plugin serves it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSvcError, toHttpError } from '../../kernel/index.ts';
import type { Access } from './access.ts';
import type { Feed } from './feed.ts';
import { type Page, policy } from './page.ts';

export interface RoutesDeps {
  prefix: string;
  access: Access;
  feed: Feed;
  heartbeatSecs: number;
  /** Read at the first look at the page. */
  page(): Promise<Page>;
  /** Adds what the interface has beside the stream. */
  add(api: FastifyInstance): void;
}

interface AssetRoute {
  Params: { name: string };
}

const hidden = { hide: true };

export function addAdminRoutes(app: FastifyInstance, deps: RoutesDeps): void {
  const { prefix, access, page } = deps;
  app.register(async routes => {
    routes.setErrorHandler(fail);
    routes.addHook('onRequest', async (request, reply) => {
      access.admit(request.raw);
      reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer');
    });
    const show = async (_request: FastifyRequest, reply: FastifyReply) => {
      const { html } = await page();
      reply.header('content-security-policy', policy).header('cache-control', 'no-store');
      reply.header('cross-origin-opener-policy', 'same-origin').header('cross-origin-resource-policy', 'same-origin');
      return reply.type('text/html; charset=utf-8').send(html);
    };
    for (const path of prefix === '' ? ['/'] : [prefix, `${prefix}/`]) routes.get(path, { schema: hidden }, show);
    routes.get<AssetRoute>(`${prefix}/assets/:name`, { schema: hidden }, async (request, reply) => {
      const asset = (await page()).assets.get(request.params.name);
      if (!asset) return reply.callNotFound();
      // Its name says what is in it.
      reply.header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding');
      reply.header('etag', asset.etag).type(asset.type);
      if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
      const packed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
      return packed ? reply.header('content-encoding', 'gzip').send(asset.gzipped) : reply.send(asset.body);
    });
    await addApi(routes, deps);
  });
}

async function addApi(routes: FastifyInstance, { prefix, access, feed, heartbeatSecs, add }: RoutesDeps) {
  const open = new Set<AbortController>();
  // They would last as long as their pages.
  routes.addHook('preClose', async () => {
    for (const each of open) each.abort();
  });
  await routes.register(
    async api => {
      api.addHook('onRequest', async (request, reply) => {
        if (request.method !== 'GET' && request.method !== 'HEAD') access.admitChange(request.raw);
        reply.header('cache-control', 'no-store');
      });
      api.get('/whoami', { schema: hidden }, ({ raw }) => access.whoami(raw));
      const sse = (await import('@fastify/sse')).default.default;
      // What is sent is text already, the same for every page.
      await api.register(sse, { heartbeatInterval: heartbeatSecs * 1000, serializer: (data: unknown) => String(data) });
      api.get('/stream', { sse: 'only', exposeHeadRoute: false, schema: hidden }, async (_request, reply) => {
        const controller = new AbortController();
        open.add(controller);
        const gone = new Promise<void>(resolve => {
          reply.sse.onClose(() => {
            controller.abort();
            resolve();
          });
        });
        reply.sse.sendHeaders();
        try {
          for await (const message of feed.read(controller.signal)) {
            await Promise.race([reply.sse.send(message), gone]);
            if (controller.signal.aborted) break;
          }
        } catch {
          // The page has gone.
        } finally {
          open.delete(controller);
        }
      });
      add(api);
    },
    { prefix: `${prefix}/api` },
  );
}

function fail(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode = 500 } = error;
  // Of the framework: a body that cannot be read, or is none.
  if (!isSvcError(error) && statusCode >= 400 && statusCode < 500) {
    return reply.code(statusCode).send({ error: { kind: 'bad-request', message: error.message } });
  }
  const { status, body } = toHttpError(error);
  if (status >= 500) request.log.error({ err: error, url: request.url }, 'the admin page failed');
  return reply.code(status).send({ error: body });
}
