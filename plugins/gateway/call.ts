/** One call through the gateway: slug, policy, lease, instance, answer. The gateway runs no tool itself. */
import { isPromise, type Kernel, type SvcError } from '../../kernel/index.ts';
import type { Instance, InstancesService } from '../instances/api.ts';
import type { CallAnswer, Caller, Json } from './api.ts';
import { backendFailure, saysUnknownTool } from './backend-failure.ts';
import { createCallEvents, type PassingCall } from './call-events.ts';
import { failedText, hostDied, mergedMeta, originOf, receiptOf, withOrigin } from './call-result.ts';
import type { DeliveryService } from './delivery/api.ts';
import { gatewayErrors } from './errors.ts';
import { checkLease } from './leases.ts';
import { activation, rankerVersion, step } from './next-step.ts';
import type { Policy } from './policy.ts';
import { callArguments, callMeta, dccOf, requiredText } from './requests.ts';
import type { Target, Targets } from './target.ts';
import { terminalResult } from './terminal.ts';

export interface CallsDeps {
  kernel: Pick<Kernel, 'bus' | 'ids' | 'config'>;
  longestWaitMs: number;
  targets: Targets;
  policy: Policy;
  instances: Pick<InstancesService, 'report'>;
  refresh(instanceId: string): Promise<void>;
  indexGeneration(): string;
  delivery: Pick<DeliveryService, 'begin'>;
}

/** The answer of an instance, and the receipt in it when the call became a job. */
interface Sent {
  json: string;
  found: ReturnType<typeof receiptOf>;
}

/** How much longer the gateway waits than an instance does, so that the instance's own word comes first. */
const graceMs = 2000;

/** Members of a meta that are the gateway's affair. */
const ownKeys = new Set(
  'lease_owner response_format responseFormat format output_format compact search_id ranker_version index_generation progress_token'.split(
    ' ',
  ),
);

export function createCalls(deps: CallsDeps) {
  const { kernel, targets, policy, instances } = deps;
  const { ids, config } = kernel;
  const events = createCallEvents(kernel);
  const origins = new WeakMap<Instance, string>();

  const originJson = (instance: Instance): string => {
    let known = origins.get(instance);
    if (known === undefined) {
      known = JSON.stringify(originOf(instance));
      origins.set(instance, known);
    }
    return known;
  };

  /** What goes to the instance as `_meta`. */
  const forwardedMeta = (meta: Json | undefined): Json | undefined => {
    let found: Json | undefined;
    for (const key in meta) {
      if (ownKeys.has(key)) continue;
      found ??= {};
      found[key] = meta[key];
    }
    return found;
  };

  const admit = ({ record, instance }: Target, meta: Json): void => {
    policy.checkCall(record);
    checkLease(instance, meta, ids.now());
  };

  const loadedAgain = async (slug: string, found: Target): Promise<Target> => {
    // The instance may have loaded it for somebody else a moment ago.
    await deps.refresh(found.record.instance_id);
    const target = targets.peek(slug);
    const { record } = target;
    const stepMeta = { ranker_version: rankerVersion, index_generation: deps.indexGeneration() };
    const next_step = activation(record, stepMeta);
    if (!record.loaded) {
      throw gatewayErrors.SKILL_NOT_LOADED({ slug: record.tool_slug, skill: record.skill_name, next_step });
    }
    if (!record.group_active) {
      throw gatewayErrors.GROUP_INACTIVE({ slug: record.tool_slug, group: record.tool_group, next_step });
    }
    return target;
  };

  const send = async ({ args, meta, caller }: PassingCall, { record, instance, backend }: Target): Promise<Sent> => {
    const { notify, session, signal } = caller;
    const relayed = deps.delivery.begin(instance.instance_id, { meta, ...(notify && { rpc: { session, notify } }) });
    let found: Sent['found'];
    try {
      const { resultJson: json } = await backend.callRaw(
        record.backend_tool,
        JSON.stringify(args),
        forwardedMeta(relayed.meta),
        {
          timeoutMs: config.request_timeout_ms + graceMs,
          ...(signal && { signal }),
          ...(notify && { onNotification: relayed.onNotification }),
        },
      );
      found = receiptOf(json);
      return { json, found };
    } finally {
      const kept = relayed.settled(found?.job_id);
      if (isPromise(kept)) await kept;
    }
  };

  /** Sends; when the instance has no such tool any more, its tools are read again and the call is sent once more. */
  const deliver = async (call: PassingCall, target: Target): Promise<Sent & { target: Target }> => {
    try {
      const { json, found } = await send(call, target);
      return { json, found, target };
    } catch (error) {
      if (!saysUnknownTool(error)) throw backendFailure(error, target.instance);
    }
    await deps.refresh(target.record.instance_id);
    const again = targets.peek(call.slug);
    try {
      const { json, found } = await send(call, again);
      return { json, found, target: again };
    } catch (error) {
      throw backendFailure(error, again.instance);
    }
  };

  /** A receipt: waited for if asked to, else with the step that polls it. */
  const job = async (call: PassingCall, target: Target, found: NonNullable<Sent['found']>) => {
    const { meta, caller } = call;
    const { instance, backend } = target;
    const { job_id, result, receipt } = found;
    const origin = originOf(instance);
    const { wait_for_terminal, wait_timeout_ms } = dccOf(meta);
    if (wait_for_terminal === true) {
      const asked =
        typeof wait_timeout_ms === 'number' && wait_timeout_ms >= 0 ? wait_timeout_ms : Number.POSITIVE_INFINITY;
      const timeoutMs = Math.min(asked, deps.longestWaitMs);
      const waiting = { backend, jobId: job_id, result, receipt, timeoutMs, signal: caller.signal };
      return mergedMeta(await terminalResult(waiting), origin);
    }
    const poll = {
      tool_slug: `${instance.dcc_type}.${instance.instance_short}.jobs_get_status`,
      arguments: { job_id, include_result: true },
    };
    const stepMeta = { ranker_version: rankerVersion, index_generation: deps.indexGeneration() };
    return mergedMeta(result, { ...origin, next_step: step('call', poll, stepMeta) });
  };

  const answer = async (
    call: PassingCall,
    { json, found, target }: Awaited<ReturnType<typeof deliver>>,
  ): Promise<CallAnswer> => {
    const death = hostDied(json);
    if (death !== undefined) {
      throw gatewayErrors.HOST_DIED({ instance: target.instance.instance_short, reason: death });
    }
    if (found) {
      const answered = JSON.stringify(await job(call, target, found));
      return { text: answered, failed: failedText(answered) };
    }
    const answered = withOrigin(json, originJson(target.instance));
    if (answered === undefined) {
      throw gatewayErrors.BACKEND({ instance: target.instance.instance_short, reason: 'its answer is no object' });
    }
    return { text: answered, failed: failedText(answered) };
  };

  const run = async (call: PassingCall): Promise<CallAnswer> => {
    let target: Target;
    try {
      target = targets.peek(call.slug);
    } catch (error) {
      target = await targets.findAgain(call.slug, error);
    }
    call.record = target.record;
    admit(target, call.meta);
    if (!target.record.loaded || !target.record.group_active) target = await loadedAgain(call.slug, target);
    return answer(call, await deliver(call, target));
  };

  return async (body: Json, caller: Caller): Promise<CallAnswer> => {
    const call: PassingCall = {
      slug: requiredText(body, 'tool_slug'),
      args: callArguments(body),
      meta: attributed(body),
      caller,
      began: performance.now(),
    };
    try {
      const answered = await run(call);
      events.ended(call, !answered.failed);
      return answered;
    } catch (error) {
      // Nobody else is to be sent there.
      if (hasDied(error) && call.record) {
        instances.report(call.record.instance_id, { kind: 'host-died', message: error.message });
      }
      events.failed(call, error);
      throw error;
    }
  };
}

/** The meta of a call; who asks may also stand beside it. */
function attributed(body: Json): Json {
  const meta = callMeta(body);
  const agent = body.agent_context ?? body.caller_context;
  return agent === undefined || meta.agent_context !== undefined ? meta : { agent_context: agent, ...meta };
}

const hasDied = (error: unknown): error is SvcError =>
  (error as SvcError | undefined)?.code === 'SVC_GATEWAY_HOST_DIED';
