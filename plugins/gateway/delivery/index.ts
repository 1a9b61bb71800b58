/** The delivery: what instances tell of a client's calls and jobs reaches that client, through one shared connection. */
import { definePlugin } from '../../../kernel/index.ts';
import type {} from '../../guard/api.ts';
import type {} from './api.ts';
import { createDelivery } from './delivery.ts';
import { deliveryErrors } from './errors.ts';
import { createJobCallers } from './job-callers.ts';
import { createJobEvents } from './job-events.ts';
import { createJobList } from './job-list.ts';
import { createJobOwners } from './job-owners.ts';
import { createMemoryOutbox, createMemoryOwners } from './memory-store.ts';
import type { CallOwners, Outbox } from './store.ts';

/** The plugin over the stores that `open` makes. */
export const deliveryOver = (open: () => { owners: CallOwners; outbox: Outbox }) =>
  definePlugin(
    {
      name: 'delivery',
      errors: deliveryErrors,
      dependencies: ['rest', 'mcp', 'instances', 'backends'],
      optional: ['guard'],
    },
    (app, { kernel, scope, log, optional }) => {
      const { mcp, instances, backends } = app;
      const tokenPrefix = `gw-${kernel.ids.uuid().slice(0, 8)}`;
      const guarded = () => optional.guard?.on === true;
      const delivery = createDelivery({ mcp, tokenPrefix, guarded, log, ...open() });
      scope.add('unclaimed notifications', delivery.dispose);
      scope.add(
        'job notifications',
        kernel.bus.on('internal.backend.notified', ({ attributes: { instance_id, method, params } }) => {
          delivery.take(instance_id, method, params);
        }),
      );
      const questions = backends.onQuestion((_instance, ...question) => delivery.ask(...question));
      scope.add('questions of jobs', questions);
      const ownerOf = createJobOwners({ delivery, instances, backends });
      const list = createJobList(backends);
      app.decorate('delivery', { begin: delivery.begin, ownerOf, jobs: list });
      const backendOf = async (jobId: string) => backends.get((await ownerOf(jobId)).instance_id);
      const cancelled = kernel.bus.on('internal.request.cancelled_late', ({ attributes }) => {
        const jobId = delivery.jobOf(attributes.session_id, attributes.request_id);
        if (jobId === undefined) return;
        const done = backendOf(jobId).then(backend => backend.cancelJob(jobId));
        done.catch(err => log.warn({ err, job_id: jobId }, 'a job was not cancelled'));
      });
      scope.add('late cancellation', cancelled);
      const left = kernel.bus.on('instance.left', ({ attributes: { instance_id, reason, source, message } }) => {
        // What is not heard of any more may work on.
        if (reason !== 'exited' && (reason !== 'deregistered' || source !== 'file')) return;
        delivery.lost(instance_id, message, kernel.ids.now());
      });
      scope.add('interrupted jobs', left);
      let closing = false;
      const ending = kernel.bus.on('internal.closing', () => {
        closing = true;
      });
      scope.add('closing', ending);
      const callers = createJobCallers(optional.guard, backendOf);
      const follow = createJobEvents({ backendOf, closing: () => closing });
      app.rest.jobs({
        list: async (limit, http) => callers.ownIn(await list(limit), http),
        async events(id, signal, http) {
          await callers.assertOwn(id, http);
          return follow(id, signal);
        },
        async cancel(id, http) {
          await callers.assertOwn(id, http);
          const known = await (await backendOf(id)).cancelJob(id);
          if (!known) throw deliveryErrors.JOB_UNKNOWN({ job_id: id.slice(0, 256) });
        },
      });
    },
  );

export const deliveryPlugin = deliveryOver(() => ({ owners: createMemoryOwners(), outbox: createMemoryOutbox() }));
