/** Background jobs: calls that answer with a receipt and go on, polled to their end. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../health/api.ts';
import type {} from '../mcp/api.ts';
import type {} from '../storage/api.ts';
import type {} from '../tools/api.ts';
import './api.ts';
import { settings } from './config.ts';
import { createJobs, restartText } from './jobs.ts';
import { openJobStore } from './persistence.ts';
import { receiptForm } from './receipt.ts';
import { addJobRoutes } from './routes.ts';
import { slugOf } from './slug.ts';
import { jobTools } from './tools.ts';

export const jobsPlugin = definePlugin(
  { name: 'jobs', config: settings, dependencies: ['mcp', 'tools'], optional: ['storage', 'health'] },
  // Without storage jobs live in memory, and a path that asks for more is refused.
  async (app, { kernel, config, scope, log, optional: { storage, health } }) => {
    const { ids, bus } = kernel;
    const {
      store,
      recovered,
      health: state,
    } = await openJobStore({ config, storage, now: ids.now(), restartText, log });
    if (health) scope.add('health', health.add('job_persistence', state));
    const jobs = createJobs({ config, ids, bus, log, store });
    app.decorate('jobs', jobs);
    scope.add('jobs', jobs.close);
    scope.add('tools', app.tools.publish('builtin:jobs', jobTools(jobs, ids.now), { source: 'builtin' }));
    scope.add(
      'job routes',
      addJobRoutes(app, jobs, bus, app.mcp.streams.heartbeatSecs, slugOf(app.tools, config.dcc_type)),
    );
    scope.add('admission', app.tools.setAdmission(jobs.admission, receiptForm));
    scope.add('poll contracts', app.tools.setResultObserver(jobs.polls.learn));
    scope.add('late cancellation', app.mcp.onLateCancel(jobs.cancelRequest));
    // When every plugin that wants to know listens.
    app.addHook('onReady', async () => {
      for (const row of recovered) jobs.announce(row);
    });
  },
);
