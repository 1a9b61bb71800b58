/**
 * Who is told what: the progress, log and job notifications of instances reach the client whose call they are about.
 * An instance knows the gateway as one client, so a job's session is remembered from its receipt.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Awaitable, after, codecOf, createTurns, isPromise, type Logger } from '../../../kernel/index.ts';
import { objectOf } from '../../../schemas/loose.ts';
import { letGo, withoutKey } from '../../../schemas/on-behalf.ts';
import type { McpService } from '../../mcp/api.ts';
import type { CallDelivery, CallOrigin } from './api.ts';
import { deliveryErrors } from './errors.ts';
import { createProgressTokens, type ProgressTokens } from './progress-tokens.ts';
import { createRunningJobs } from './running-jobs.ts';
import type { CallOwner, CallOwners, Outbox } from './store.ts';

/** Requests of clients that became jobs, the newest: a client may cancel one after its receipt. */
const mostRequests = 10_000;

/** Notifications of a job that nobody claims wait this long for the receipt that names it. */
const unclaimedMs = 5000;
const mostUnclaimed = 1000;
const receiptLooks = 20;
const receiptLookMs = 50;
/** The instance says how long; it takes a question back when it waits no longer. */
const longestQuestionMs = 3_600_000;

type Params = Record<string, unknown>;

export interface DeliveryDeps {
  mcp: Pick<McpService, 'notify' | 'broadcast' | 'sessions'>;
  tokenPrefix: string;
  owners: CallOwners;
  outbox: Outbox;
  /** Whether callers authenticate. */
  guarded(): boolean;
  log: Pick<Logger, 'error'>;
}

export type Delivery = ReturnType<typeof createDelivery>;

const jobUpdated = 'notifications/$/dcc.jobUpdated';
const aboutJobs = new Set([jobUpdated, 'notifications/$/dcc.workflowUpdated']);

export function createDelivery({ mcp, tokenPrefix, owners, outbox, guarded, log }: DeliveryDeps) {
  const tokens = createProgressTokens(tokenPrefix);
  /** Jobs whose notices wait in the outbox. */
  const unclaimed = new Map<string, NodeJS.Timeout>();
  /** Calls in flight by instance: one of them may be about to name a job that is not known yet. */
  const open = new Map<string, number>();
  /** Jobs by session and request. */
  const requests = new LRUCache<string, string>({ max: mostRequests });
  const running = createRunningJobs();
  /** What is told of the jobs of one instance keeps its order. */
  const turns = createTurns();

  /** Runs state's work in its turn. When the state fails, what it was about is told as if nothing were known. */
  const inTurn = (instance_id: string, work: () => Awaitable<void>, otherwise: () => void): Awaitable<void> => {
    const failed = (err: unknown): void => {
      log.error({ err, instance_id }, 'what is known of a call was not read or kept');
      otherwise();
    };
    try {
      const done = turns.take(instance_id, work);
      return isPromise(done) ? done.catch(failed) : done;
    } catch (error) {
      failed(error);
    }
  };

  const tell = (owner: CallOwner | undefined, method: string, params: Params): void => {
    if (owner?.sessionId !== undefined) mcp.notify(owner.sessionId, method, params);
    // A job without a session is told to all where nobody has to say who he is, as an instance does; what it says to its
    // caller is not.
    else if (aboutJobs.has(method) && !guarded()) mcp.broadcast(method, params);
  };

  const release = (jobId: string): Awaitable<void> => {
    if (!unclaimed.has(jobId)) return;
    clearTimeout(unclaimed.get(jobId));
    unclaimed.delete(jobId);
    return after(outbox.take(jobId), notices =>
      after(owners.get(jobId), owner => {
        for (const { method, params } of notices) tell(owner, method, params);
      }),
    );
  };

  const hold = (instance_id: string, jobId: string, method: string, params: Params): Awaitable<void> => {
    if (!unclaimed.has(jobId)) {
      const giveUp = (): void =>
        void inTurn(
          instance_id,
          () => release(jobId),
          () => undefined,
        );
      unclaimed.set(jobId, setTimeout(giveUp, unclaimedMs).unref());
    }
    const [oldest] = unclaimed.keys();
    return after(outbox.put(jobId, { method, params }), () =>
      unclaimed.size > mostUnclaimed && oldest !== undefined ? release(oldest) : undefined,
    );
  };

  const ownerOf = (id: string, parent: unknown): Awaitable<CallOwner | undefined> =>
    after(owners.get(id), known => known ?? (parent ? owners.get(String(parent)) : undefined));

  const takeJob = (
    instance_id: string,
    method: string,
    params: Params,
    id = String(params.job_id ?? params.workflow_id ?? ''),
  ): void => {
    if (method === jobUpdated) running.note(instance_id, params);
    const work = () =>
      after(ownerOf(id, params.parent_job_id), known => {
        if (known) tell(known, method, params);
        else if ((open.get(instance_id) ?? 0) > 0) return hold(instance_id, id, method, params);
        else tell(undefined, method, params);
      });
    void inTurn(instance_id, work, () => tell(undefined, method, params));
  };

  const leave = (instance_id: string): void => {
    const left = (open.get(instance_id) ?? 1) - 1;
    if (left > 0) open.set(instance_id, left);
    else open.delete(instance_id);
  };

  return {
    begin(instance_id: string, { meta, caller }: CallOrigin): CallDelivery {
      open.set(instance_id, (open.get(instance_id) ?? 0) + 1);
      const sessionId = caller?.session?.id;
      const { meta: own, token } = withToken(meta, caller, tokens);
      let done = false;
      return {
        meta: own,
        onNotification(method, params) {
          if (method === 'notifications/progress') {
            const target = tokens.get(params.progressToken);
            if (target) caller?.notify?.(method, { ...params, progressToken: target.token });
          } else if (method === 'notifications/message') {
            caller?.notify?.(method, params);
          } else if (method === letGo) {
            caller?.closeStream?.(Number(params.retry_ms));
          } else if (aboutJobs.has(method)) {
            takeJob(instance_id, method, params);
          }
        },
        settled(jobId, receipt = jobId !== undefined) {
          if (done) return;
          done = true;
          if (!receipt && token !== undefined) tokens.release(token);
          if (jobId === undefined) {
            leave(instance_id);
            return;
          }
          const { rpcId } = caller ?? {};
          if (receipt && sessionId !== undefined && rpcId !== undefined) requests.set(keyOf(sessionId, rpcId), jobId);
          const kept = () =>
            after(owners.set(jobId, { instance_id, sessionId }), () => after(release(jobId), () => leave(instance_id)));
          return inTurn(instance_id, kept, () => leave(instance_id));
        },
      };
    },

    /** Takes a notification of an instance's standing stream; false when it is not the delivery's affair. */
    take(instance_id: string, method: string, params: Params): boolean {
      if (aboutJobs.has(method)) {
        takeJob(instance_id, method, params);
        return true;
      }
      if (method === 'notifications/message') {
        const { jobId } = objectOf(objectOf(params._meta).dcc);
        if (typeof jobId !== 'string') return false;
        takeJob(instance_id, method, params, jobId);
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

    /** The process of an instance has ended: its jobs have, too. */
    lost(instance_id: string, reason: string, now: number): void {
      const ended = running.lost(instance_id, `its instance has gone: ${reason}`, new Date(now).toISOString());
      for (const params of ended) takeJob(instance_id, jobUpdated, params);
    },

    /** Asks the client of a job whose receipt it was given. */
    async ask(method: string, asked: Params, signal: AbortSignal): Promise<unknown> {
      const { params } = withoutKey(asked);
      const jobId = objectOf(objectOf(params._meta).dcc).jobId;
      let owner: CallOwner | undefined;
      // Its first question may overtake its receipt.
      for (let look = 0; typeof jobId === 'string' && !owner && look < receiptLooks && !signal.aborted; look += 1) {
        if (look > 0) await sleep(receiptLookMs);
        owner = await owners.get(jobId);
      }
      const session = owner?.sessionId === undefined ? undefined : mcp.sessions.get(owner.sessionId);
      if (!session) throw deliveryErrors.NOBODY_TO_ASK({ method });
      return session.request(method, params, longestQuestionMs, undefined, signal);
    },

    /** The job that a request of a session became, as far as its client had a receipt. */
    jobOf: (sessionId: string, rpcId: string | number): string | undefined => requests.get(keyOf(sessionId, rpcId)),

    /** The instance that gave the receipt of a job. */
    ownerOf: (jobId: string): Awaitable<string | undefined> => after(owners.get(jobId), owner => owner?.instance_id),

    learn: (jobId: string, instance_id: string): Awaitable<void> =>
      after(owners.get(jobId), known => (known ? undefined : owners.set(jobId, { instance_id, sessionId: undefined }))),

    dispose(): void {
      for (const timer of unclaimed.values()) clearTimeout(timer);
      unclaimed.clear();
    },
  };
}

const isWhole = ({ progress, total }: Params): boolean => typeof total === 'number' && Number(progress) >= total;

/** 1 is not "1". */
const keyOf = (sessionId: string, rpcId: string | number): string => `${sessionId} ${JSON.stringify(rpcId)}`;

/** Whether a token means a receipt at once: over REST and in 2025-03-26, and for who waits for the end through us. */
function wantsReceipt({ dcc }: Params, caller: CallOrigin['caller']): boolean {
  if (objectOf(dcc).wait_for_terminal === true || !caller?.notify) return true;
  return caller.session !== undefined && codecOf(caller.session.protocolVersion) === 'specification';
}

/** The client's `_meta` with a token of ours in place of its own; the alias counts where the standard name is absent. */
function withToken(meta: CallOrigin['meta'], caller: CallOrigin['caller'], tokens: ProgressTokens) {
  if (meta === undefined) return { meta: undefined, token: undefined };
  const { progress_token, ...own } = meta;
  const given = 'progressToken' in own ? own.progressToken : progress_token;
  const valid = typeof given === 'string' || (typeof given === 'number' && Number.isFinite(given));
  if (!valid) return { meta: 'progressToken' in own || progress_token === undefined ? own : meta, token: undefined };
  const token = tokens.issue({ token: given, sessionId: caller?.session?.id });
  const dcc = wantsReceipt(own, caller) && { dcc: { ...objectOf(own.dcc), async: true } };
  return { meta: { ...own, ...dcc, progressToken: token }, token };
}
