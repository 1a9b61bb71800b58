/** Background jobs: calls that answer with a receipt and go on, polled to their end. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../tools/api.ts';
import './api.ts';
import { createJobs } from './jobs.ts';
import { createMemoryStore } from './memory-store.ts';
import { addJobRoutes } from './routes.ts';
import { slugOf } from './slug.ts';
import { jobTools } from './tools.ts';

export const jobsPlugin = definePlugin(
  { name: 'jobs', dependencies: ['tools'] },
  (app, { kernel, config, scope, log }) => {
    const { ids, bus } = kernel;
    const store = createMemoryStore(config.max_kept_jobs);
    const jobs = createJobs({ config, ids, bus, log, store });
    app.decorate('jobs', jobs);
    scope.add('jobs', jobs.close);
    scope.add('tools', app.tools.publish('builtin:jobs', jobTools(jobs, ids.now), { source: 'builtin' }));
    scope.add('job routes', addJobRoutes(app, jobs, config.sse_heartbeat_secs, slugOf(app.tools, config.dcc_type)));
    scope.add('admission', app.tools.setAdmission(jobs.admission));
  },
);
