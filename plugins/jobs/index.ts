/** Background jobs: calls that answer with a receipt and go on, polled to their end. */

import { Type } from 'typebox';
import { definePlugin } from '../../kernel/index.ts';
import { inputOf, oneOf, optional, text } from '../../schemas/operation.ts';
import type { ServerConfig } from '../../schemas/server-config.ts';
import type {} from '../guard/api.ts';
import type {} from '../health/api.ts';
import type {} from '../mcp/api.ts';
import type {} from '../rest/api.ts';
import type {} from '../storage/api.ts';
import type {} from '../tools/api.ts';
import { jobErrors } from './errors.ts';
import './api.ts';
import { createAskers } from './askers.ts';
import { type Settings, settings } from './config.ts';
import { jobsEvents } from './events.ts';
import { createRestJobs } from './job-stream.ts';
import { createJobs, restartText } from './jobs.ts';
import { type OpenDriver, openDriver, openLedger } from './persistence.ts';
import { receiptForm } from './receipt.ts';
import { slugOf } from './slug.ts';
import { taskErrors } from './tasks/errors.ts';
import { extension } from './tasks/task.ts';
import { createTasks } from './tasks/tasks.ts';
import { jobTools } from './tools.ts';

const meta = {
  name: 'jobs',
  errors: { ...jobErrors, ...taskErrors },
  config: settings,
  dependencies: ['mcp', 'tools'],
  optional: ['storage', 'health', 'rest', 'guard'],
  events: jobsEvents,
} as const;

/** The plugin over the driver that `open` chooses. */
export const jobsOver = (open: OpenDriver) =>
  definePlugin(meta, async (app, { kernel, config, scope, log, optional: { storage, health, rest, guard } }) => {
    const { ids, bus } = kernel;
    // Without storage jobs live in memory, and a path that asks for more is refused.
    const driver = await open({ config, storage });
    const { ledger, recovered } = await openLedger({ config, driver, now: ids.now(), restartText, log });
    if (health) scope.add('health', health.add('job_persistence', ledger.health));
    const askers = createAskers(guard);
    const jobs = createJobs({
      config,
      ids,
      bus,
      ledger,
      askers,
      receiptAfterMs: receiptAfterMs(config, kernel.config),
    });
    app.decorate('jobs', jobs);
    scope.add('jobs', () => jobs.close());
    scope.add('last words', app.mcp.lastWords(jobs.interrupt));
    scope.add('tools', app.tools.publish('builtin:jobs', jobTools(jobs, ids.now, askers), { source: 'builtin' }));
    rest?.jobs(createRestJobs({ jobs, bus, askers, slugOf: slugOf(app.tools, config.dcc_type) }));
    const tasks = createTasks({ jobs, askers, admission: jobs.admission });
    scope.add('admission', app.tools.setAdmission(tasks.admission, receiptForm));
    scope.add('tasks', app.mcp.extension(extension, {}));
    for (const [name, handler] of Object.entries(tasks.methods)) scope.add(name, kernel.rpc.method(name, handler));
    scope.add('task streams', app.mcp.listen('taskIds', tasks.listen));
    scope.add(
      'task changes',
      bus.on('job.updated', ({ attributes: { job_id } }) => tasks.changed(job_id)),
    );
    scope.add('poll contracts', app.tools.setResultObserver(jobs.polls.learn));
    const register = app.host.operation('registerJobType', jobTypeInput, ({ job_type, contract }) =>
      jobs.registerPoll(job_type, contract),
    );
    scope.add('operation', register);
    const cancelLate = bus.on('internal.request.cancelled_late', ({ attributes: { session_id, request_id } }) =>
      jobs.cancelRequest(session_id, request_id),
    );
    scope.add('late cancellation', cancelLate);
    // When every plugin that wants to know listens.
    app.addHook('onReady', async () => {
      for (const row of recovered) jobs.announce(row);
    });
  });

/** Two seconds before the client is likely to give up, and in any case before it does. */
const receiptAfterMs = ({ job_receipt_after_ms: given }: Settings, { request_timeout_ms }: ServerConfig): number =>
  given ?? Math.max(request_timeout_ms - 2000, request_timeout_ms / 2);

const contract = inputOf({
  owner: oneOf('core', 'adapter'),
  tool: Type.String(),
  argument_field: optional(Type.String()),
  output: optional(inputOf({ dir: text, extensions: Type.Array(Type.String()) })),
});
const jobTypeInput = inputOf({ job_type: Type.String(), contract });

export const jobsPlugin = jobsOver(openDriver);
