/**
 * The skills plugin: finds skill packages, loads and reloads them, and publishes their tools.
 * Inner rooms, each knows only those before it: packages, processes, catalog, python, runtime, reload, author.
 */

import envPaths from 'env-paths';
import { definePlugin, type Plugin } from '../../kernel/index.ts';
import type {} from '../policy/approvals/api.ts';
import type { SkillsService } from './api.ts';
import { authorTools } from './author/author-tools.ts';
import { type SkillCheck, validateSkillDirectory } from './author/validation.ts';
import { withAliases } from './catalog/environment.ts';
import { configuredRoots } from './catalog/package-listing.ts';
import { createRuntimeChecks } from './catalog/runtime-checks.ts';
import { settings } from './config.ts';
import { skillErrors } from './errors.ts';
import { skillsEvents } from './events.ts';
import { addSkillOperations } from './operations.ts';
import { warnOfExposed } from './reload/exposure-warnings.ts';
import { createScriptHost } from './runtime/host-script.ts';
import { runtimeErrors } from './runtime/runtime-errors.ts';
import { createRuntimeServices } from './runtime/runtime-services.ts';
import { createSkillRuntimes } from './runtime/runtimes.ts';
import { createSkills } from './service.ts';
import { skillTools } from './tools.ts';

const meta = {
  name: 'skills',
  errors: { ...runtimeErrors, ...skillErrors },
  config: settings,
  dependencies: ['tools', 'search'],
  optional: ['health', 'approvals'],
  events: skillsEvents,
} as const;

/** Routes of the REST twin; health and readiness are told at once. */
const restRoute = /^\/v1\/(?!health|readyz)/;

/**
 * With `behindRequests` the server listens while skills are still being looked for, and the first requests to the
 * endpoint wait for that instead.
 */
export const createSkillsPlugin = (behindRequests: boolean): Plugin =>
  definePlugin(meta, (app, { kernel, config, scope, log, optional: { health, approvals } }) => {
    const { tools } = app;
    const env = withAliases(kernel.env);
    const runtimes = createSkillRuntimes({
      cacheDir: config.cache_dir ?? envPaths('svc', { suffix: '' }).cache,
      cacheMayMove: config.cache_dir === null,
      isolation: config.skill_isolation,
      heapMb: config.skill_heap_mb,
      bufferMb: config.skill_buffer_mb,
      maxResultBytes: config.max_result_bytes,
      setupTimeoutMs: config.skill_setup_timeout_secs * 1000,
      log,
      services: createRuntimeServices({ tools, bus: kernel.bus, log }),
      env,
      scope,
    });
    const rootsOf = (paths: readonly string[], dccs: readonly string[]) => configuredRoots(config, env, paths, dccs);
    const scriptHost = createScriptHost();
    const skills = createSkills({
      kernel,
      settings: config,
      scope,
      log,
      tools,
      runtimes,
      rootsOf,
      engine: app.searchEngine,
      scriptHost: scriptHost.run,
      approvals,
    });
    scope.add('exposed skills', warnOfExposed({ bus: kernel.bus, log }));
    const checks = new Set<SkillCheck>();
    const validate = (path: string) => validateSkillDirectory(path, { checks, env });
    scope.add(
      'skill tools',
      tools.publish('builtin:skills', skillTools(skills, tools, createRuntimeChecks(env, runtimes.pythons)), {
        source: 'builtin',
      }),
    );
    scope.add('author tools', tools.publish('internal:skills', authorTools(validate), { source: 'internal' }));

    // Begun now, so that it runs while the other plugins start; awaited before a client can ask for the list.
    let discovered = false;
    const discovery = skills.service.discover().then(
      () => {
        discovered = true;
      },
      (err: unknown) => log.error({ err }, 'looking for skills failed'),
    );
    const service: SkillsService = {
      ...skills.service,
      discovered: discovery,
      validate,
      setScriptHost: scriptHost.set,
      addCheck(check) {
        checks.add(check);
        return () => void checks.delete(check);
      },
      // Nothing is unknown before the first look is over.
      load: (name, options) => discovery.then(() => skills.service.load(name, options)),
    };
    app.decorate('skills', service);
    addSkillOperations(app.host, service, scope);
    if (behindRequests) {
      kernel.front.holdUntil(discovery);
      app.addHook('onRequest', (request, _reply, done) => {
        const needsSkills = request.url.startsWith(kernel.config.endpoint_path) || restRoute.test(request.url);
        if (discovered || !needsSkills) done();
        else discovery.then(() => done());
      });
    }
    if (health) {
      scope.add(
        'skill catalogue readiness',
        health.ready('skill_catalog', () => discovered),
      );
      // How many, and no names: who may ask here may not be who may see them.
      const told = () => ({ loaded: skills.service.loadedCount(), refused: skills.service.skipped().length });
      scope.add('skill health', health.add('skills', told));
    }
    app.addHook('onReady', async () => {
      if (!behindRequests) await discovery;
      // Watching begins without keeping anyone waiting.
      const watch = (): Promise<void> => (config.watch_skills && !scope.disposed ? skills.watch() : Promise.resolve());
      discovery.then(watch).catch((err: unknown) => log.error({ err }, 'skills are not watched'));
    });
  });

/** Of a server that is to listen soon. */
export const skillsPlugin = createSkillsPlugin(true);
