/**
 * Who is told what: the progress, log and job notifications of instances reach the client whose call they are about.
 * An instance knows the gateway as one client, so a job's session is remembered from its receipt.
 */
import { LRUCache } from 'lru-cache';
import type { McpService } from '../../mcp/api.ts';
import type { CallDelivery, CallOrigin } from './api.ts';
import { createProgressTokens, type ProgressTokens } from './progress-tokens.ts';

const mostJobs = 10_000;
/** Notifications of a job that nobody claims wait this long for the receipt that names it. */
const unclaimedMs = 5000;
const mostUnclaimed = 1000;

interface KnownJob {
  instance_id: string;
  sessionId: string | undefined;
}

type Params = Record<string, unknown>;

interface Unclaimed {
  told: { method: string; params: Params }[];
  timer: NodeJS.Timeout;
}

export interface Delivery {
  begin(instance_id: string, origin: CallOrigin): CallDelivery;
  /** Takes a notification of an instance's standing stream; false when it is not the delivery's affair. */
  take(instance_id: string, method: string, params: Params): boolean;
  /** The instance that gave the receipt of a job. */
  ownerOf(jobId: string): string | undefined;
  learn(jobId: string, instance_id: string): void;
  dispose(): void;
}

const aboutJobs = new Set(['notifications/$/dcc.jobUpdated', 'notifications/$/dcc.workflowUpdated']);
export function createDelivery(mcp: Pick<McpService, 'notify' | 'broadcast'>, tokenPrefix: string): Delivery {
  const tokens = createProgressTokens(tokenPrefix);
  const jobs = new LRUCache<string, KnownJob>({ max: mostJobs });
  const unclaimed = new Map<string, Unclaimed>();
  /** Calls in flight by instance: one of them may be about to name a job that is not known yet. */
  const open = new Map<string, number>();

  const tell = (job: KnownJob | undefined, method: string, params: Params): void => {
    // A job without a session is told to all, as an instance does.
    if (job?.sessionId === undefined) mcp.broadcast(method, params);
    else mcp.notify(job.sessionId, method, params);
  };

  const release = (jobId: string): void => {
    const waiting = unclaimed.get(jobId);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    unclaimed.delete(jobId);
    for (const { method, params } of waiting.told) tell(jobs.get(jobId), method, params);
  };

  const hold = (jobId: string, method: string, params: Params): void => {
    const known = unclaimed.get(jobId);
    if (known) {
      known.told.push({ method, params });
      return;
    }
    const timer = setTimeout(() => release(jobId), unclaimedMs).unref();
    unclaimed.set(jobId, { told: [{ method, params }], timer });
    const [oldest] = unclaimed.keys();
    if (unclaimed.size > mostUnclaimed && oldest !== undefined) release(oldest);
  };

  const takeJob = (instance_id: string, method: string, params: Params): void => {
    const id = String(params.job_id ?? params.workflow_id ?? '');
    const known = jobs.get(id) ?? jobs.get(String(params.parent_job_id ?? ''));
    if (known) tell(known, method, params);
    else if ((open.get(instance_id) ?? 0) > 0) hold(id, method, params);
    else tell(undefined, method, params);
  };

  const leave = (instance_id: string): void => {
    const left = (open.get(instance_id) ?? 1) - 1;
    if (left > 0) open.set(instance_id, left);
    else open.delete(instance_id);
  };

  return {
    begin(instance_id, { meta, rpc }) {
      open.set(instance_id, (open.get(instance_id) ?? 0) + 1);
      const sessionId = rpc?.session?.id;
      const { meta: own, token } = withToken(meta, sessionId, tokens);
      let done = false;
      return {
        meta: own,
        onNotification(method, params) {
          if (method === 'notifications/progress') {
            const target = tokens.get(params.progressToken);
            if (target) rpc?.notify(method, { ...params, progressToken: target.token });
          } else if (method === 'notifications/message') {
            rpc?.notify(method, params);
          } else if (aboutJobs.has(method)) {
            takeJob(instance_id, method, params);
          }
        },
        settled(jobId) {
          if (done) return;
          done = true;
          leave(instance_id);
          if (jobId === undefined) {
            if (token !== undefined) tokens.release(token);
            return;
          }
          jobs.set(jobId, { instance_id, sessionId });
          release(jobId);
        },
      };
    },

    take(instance_id, method, params) {
      if (aboutJobs.has(method)) {
        takeJob(instance_id, method, params);
        return true;
      }
      if (method !== 'notifications/progress') return false;
      const target = tokens.get(params.progressToken);
      if (target?.sessionId !== undefined) {
        mcp.notify(target.sessionId, method, { ...params, progressToken: target.token });
      }
      // The last progress of a job comes after the notification of its end: with it, not before, the token is done.
      if (isWhole(params)) tokens.release(String(params.progressToken));
      return true;
    },

    ownerOf: jobId => jobs.get(jobId)?.instance_id,

    learn(jobId, instance_id) {
      if (!jobs.has(jobId)) jobs.set(jobId, { instance_id, sessionId: undefined });
    },

    dispose() {
      for (const { timer } of unclaimed.values()) clearTimeout(timer);
      unclaimed.clear();
    },
  };
}

const isWhole = ({ progress, total }: Params): boolean => typeof total === 'number' && Number(progress) >= total;

/** The client's `_meta` with a token of ours in place of its own; the alias counts where the standard name is absent. */
function withToken(meta: CallOrigin['meta'], sessionId: string | undefined, tokens: ProgressTokens) {
  if (meta === undefined) return { meta: undefined, token: undefined };
  const { progress_token, ...own } = meta as Params;
  const given = 'progressToken' in own ? own.progressToken : progress_token;
  const valid = typeof given === 'string' || (typeof given === 'number' && Number.isFinite(given));
  if (!valid) return { meta: 'progressToken' in own || progress_token === undefined ? own : meta, token: undefined };
  const token = tokens.issue({ token: given, sessionId });
  return { meta: { ...own, progressToken: token }, token };
}
