/** Who may use the server, and how much of it: one guard in front of every door, of an instance and of the gateway. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { definePlugin, type SvcError } from '../../kernel/index.ts';
import { isLoopback } from '../../schemas/address.ts';
import { createAdmission, pathOf } from './admission.ts';
import type {} from './api.ts';
import { boundRequests } from './bounds.ts';
import { createChallenges } from './challenge.ts';
import { settings } from './config.ts';
import { reflectOrigin } from './cors.ts';
import { openCredentials } from './credentials.ts';
import { guardErrors } from './errors.ts';
import { createLimits } from './limits.ts';
import { createNameCheck, hasOneHost } from './names.ts';
import { answerRefusal } from './refusal.ts';
import { publicPaths, scopeOfRoute } from './route-scopes.ts';
import { createService } from './service.ts';
import { createStanding } from './standing.ts';
import { createVerdicts } from './verdicts.ts';

export const guardPlugin = definePlugin(
  { name: 'guard', config: settings, errors: guardErrors },
  async (app, { kernel, config, scope, log }) => {
    const { front, config: own, schemas } = kernel;
    const { endpoint_path: endpointPath } = own;
    const paths = { endpoint_path: endpointPath, ...config, admin_path: config.admin_path.replace(/\/+$/, '') };
    const pageFiles = `${paths.admin_path}/assets/`;
    const verdicts = createVerdicts();
    const onChange = (): void => {
      verdicts.forget();
      standing.lookAgain();
    };
    const credentials = await openCredentials(config, { schemas, scope, log, onChange });
    const { on, oauth, find } = credentials;
    const standing = createStanding(find);
    scope.add('standing', standing.dispose);
    const challenges = createChallenges({ endpointPath, oauth, trustedDepth: config.xff_trusted_depth });

    const hosts: string[] = [];
    let checkNames = createNameCheck({ ...config, hosts });
    const mayListen = (host: string): void => {
      if (!isLoopback(host) && !on && !config.insecure_bind) throw guardErrors.UNAUTHENTICATED_BIND({ host });
      if (!isLoopback(host) && !on)
        log.warn({ host }, 'whoever reaches this address can call the tools (insecure_bind)');
      hosts.push(host);
      checkNames = createNameCheck({ ...config, hosts });
    };
    mayListen(own.host);

    /** Whose request it was and what it wanted; never what was in it. */
    const about = ({ socket, method, url = '' }: Pick<IncomingMessage, 'socket' | 'method' | 'url'>) => ({
      ...{ peer: socket.remoteAddress, method, path: pathOf(url).slice(0, 200) },
    });
    const refused = (request: IncomingMessage, error: SvcError): void =>
      log.warn({ ...about(request), status: error.row.http, code: error.code }, `refused: ${error.message}`);
    front.refuse = (error, request, response) => {
      refused(request, error);
      answerRefusal(error, request, response, challenges.of(error, request));
    };
    boundRequests(app, config, {
      onCut: (reason, socket: Socket, request) =>
        log.warn(request ? about(request) : { peer: socket.remoteAddress }, `cut off before it was whole: ${reason}`),
    });

    const { max_url_length } = config;
    const checkRequest = ({ url = '', rawHeaders, headers: { host, origin } }: IncomingMessage) => {
      if (url.length > max_url_length) return guardErrors.URL_TOO_LONG({ max_url_length });
      return hasOneHost(rawHeaders) ? checkNames(host, origin) : guardErrors.HOST_UNCLEAR();
    };
    scope.add('names', front.guard(checkRequest));
    if (config.enable_cors) scope.add('cors', front.guard(reflectOrigin));

    const open = new Set([
      ...challenges.paths,
      ...publicPaths.map(each => each.replace('{admin_path}', paths.admin_path)),
    ]);
    const { admit, callerOf, carry } = createAdmission({
      ...{
        find,
        verdicts,
        standing,
        on,
        endpointPath,
        limits: createLimits(config),
        trustedDepth: config.xff_trusted_depth,
      },
      isPublic: path => open.has(path) || path.startsWith(pageFiles),
    });
    // Where there is nothing to ask and nothing to count, nothing stands in the way.
    if (on || config.rate_limit_per_minute > 0) scope.add('admission', front.guard(admit));
    const service = createService({ credentials, challenges, callerOf, carry, mayListen, refused });
    app.decorate('guard', service);
    if (!on) return;

    for (const path of challenges.paths) {
      app.get(path, { config: { scope: 'public' } }, request => challenges.document(request.raw));
    }
    app.addHook('onRequest', (request, reply, done) => {
      const { url, config: route } = request.routeOptions;
      if (url === undefined) return done();
      const taken = scopeOfRoute(request.method, url, paths) ?? route.scope ?? 'admin';
      const caller = callerOf(request.raw);
      if (taken === 'public' || caller?.scopes.has(taken)) return done();
      reply.hijack();
      front.refuse(guardErrors.SCOPE({ label: caller?.label ?? '', scope: taken }), request.raw, reply.raw);
    });
  },
);
