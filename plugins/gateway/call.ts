/** One call through the gateway: slug, policy, lease, instance, answer. The gateway runs no tool itself. */

import { isPromise, type SvcError } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import { onBehalf } from '../../schemas/on-behalf.ts';
import { withoutDuration } from '../../schemas/tool-duration.ts';
import { traceContextOf } from '../../schemas/traceparent.ts';
import type { Instance } from '../instances/api.ts';
import type { CallAnswer } from '../rest/api.ts';
import type { Caller } from './api.ts';
import { ownerIn } from './asked-for.ts';
import { callFailure, jobIdOfFailure, saysUnknownTool, toolMsOfFailure } from './backend-failure.ts';
import { ignoresLease, skillsOf } from './builtins.ts';
import type { CallEvents, PassingCall } from './call-events.ts';
import {
  failedText,
  hostDied,
  jobIdOf,
  mergedMeta,
  originOf,
  receiptOf,
  structuredOf,
  withOrigin,
  withPoll,
} from './call-result.ts';
import { gatewayErrors } from './errors.ts';
import { createHopEvents } from './hop-events.ts';
import { checkLease } from './leases.ts';
import { activation, rankerVersion, step } from './next-step.ts';
import type { Parts } from './parts.ts';
import { callArguments, callMeta, dccOf, requiredText } from './requests.ts';
import type { Target, Targets } from './target.ts';
import { terminalResult } from './terminal.ts';

/** The answer of an instance, and the receipt in it when the call became a job. */
interface Sent {
  target: Target;
  json: string;
  found: ReturnType<typeof receiptOf>;
}

/** How much longer the gateway waits than an instance does, so that the instance's own word comes first. */
const graceMs = 2000;

const nothing: Json = Object.freeze({});

/** Members of a meta that are the gateway's affair. */
const ownKeys = new Set(
  'lease_owner response_format responseFormat format output_format compact search_id ranker_version index_generation progress_token svc/client'.split(
    ' ',
  ),
);

export function createCalls(parts: Parts, targets: Targets, events: CallEvents) {
  const { kernel, policy, instances, capabilities, delivery, settings, guard } = parts;
  const { ids, config } = kernel;
  const hops = createHopEvents(kernel.bus);
  const origins = new WeakMap<Instance, string>();
  const stepMeta = () => ({ ranker_version: rankerVersion, index_generation: capabilities.generation });

  const originJson = (instance: Instance): string => {
    let known = origins.get(instance);
    if (known === undefined) {
      known = JSON.stringify(originOf(instance));
      origins.set(instance, known);
    }
    return known;
  };

  /** What goes to the instance as `_meta`. */
  const forwardedMeta = (
    meta: Json | undefined,
    { traceparent, client, http, capabilities: declared }: Caller,
  ): Json | undefined => {
    let found: Json | undefined;
    for (const key in meta) {
      // What the client speaks and which capabilities it has is between it and the gateway.
      if (ownKeys.has(key) || key.startsWith('io.modelcontextprotocol/')) continue;
      found ??= {};
      found[key] = meta[key];
    }
    if (traceparent !== undefined) {
      found ??= {};
      // One that the client gave goes on as it came, unless spans are taken.
      found.traceparent ??= traceparent;
    }
    const said = { capabilities: declared, name: client, timed: events.kept() || undefined };
    return onBehalf(found, guard && http ? { ...said, ...ownerIn(guard.callerOf(http)) } : said);
  };

  const admit = ({ record, instance, builtin }: Target, { args, meta }: PassingCall): void => {
    if (builtin) policy.checkBuiltin(record, builtin, skillsOf(args));
    else policy.checkCall(record);
    if (!builtin || !ignoresLease(builtin)) checkLease(instance, meta, ids.now());
  };

  const loadedAgain = async (slug: string, found: Target): Promise<Target> => {
    // The instance may have loaded it for somebody else a moment ago.
    await capabilities.refresh(found.record.instance_id);
    const target = targets.peek(slug);
    const { record } = target;
    const next_step = activation(record, stepMeta());
    if (!record.loaded) {
      throw gatewayErrors.SKILL_NOT_LOADED({ slug: record.tool_slug, skill: record.skill_name, next_step });
    }
    if (!record.group_active) {
      throw gatewayErrors.GROUP_INACTIVE({ slug: record.tool_slug, group: record.tool_group, next_step });
    }
    return target;
  };

  const send = async (call: PassingCall, target: Target): Promise<Sent> => {
    const { record, instance, backend } = target;
    const { notify, signal, ask } = call.caller;
    const passing = delivery.begin(instance.instance_id, call);
    let found: Sent['found'];
    let jobId: string | undefined;
    let hop = hops.of(call, target);
    try {
      const args = JSON.stringify(call.args);
      const meta = forwardedMeta(passing.meta, call.caller);
      call.sent = performance.now();
      const told = hop;
      const answered = await backend.callRaw(record.backend_tool, args, meta, {
        timeoutMs: config.request_timeout_ms + graceMs,
        signal,
        onNotification: notify && passing.onNotification,
        onQuestion: ask,
        onSending: told && (members => hops.sent(told, members)),
      });
      if (hop) hops.answered(hop, answered);
      hop = undefined;
      const { json, toolMs } = withoutDuration(answered);
      call.toolMs = toolMs;
      found = receiptOf(json);
      jobId = found?.job_id ?? jobIdOf(json);
      return { target, json, found };
    } catch (error) {
      if (hop) hops.failed(hop, error);
      jobId = jobIdOfFailure(error);
      call.toolMs = toolMsOfFailure(error);
      throw error;
    } finally {
      call.answered = performance.now();
      const kept = passing.settled(jobId, found !== undefined);
      if (isPromise(kept)) await kept;
    }
  };

  /** When the instance has no such tool any more, its tools are read again and the call is sent once more. */
  const sendAgain = async (call: PassingCall, target: Target, error: unknown): Promise<Sent> => {
    if (target.builtin || !saysUnknownTool(error)) throw callFailure(error, target.instance);
    await capabilities.refresh(target.record.instance_id);
    const found = targets.peek(call.slug);
    try {
      return await send(call, found);
    } catch (failure) {
      throw callFailure(failure, found.instance);
    }
  };

  /** A receipt: waited for if asked to, else with the step that polls it. */
  const job = async (call: PassingCall, target: Target, found: NonNullable<Sent['found']>) => {
    const { meta, caller } = call;
    const { instance, backend, record } = target;
    const { job_id, result, receipt } = found;
    const origin = originOf(instance);
    const { wait_for_terminal, wait_timeout_ms } = dccOf(meta);
    if (wait_for_terminal === true) {
      const asked =
        typeof wait_timeout_ms === 'number' && wait_timeout_ms >= 0 ? wait_timeout_ms : Number.POSITIVE_INFINITY;
      const timeoutMs = Math.min(asked, settings.gateway_wait_timeout_ms);
      const waiting = { backend, jobId: job_id, result, receipt, timeoutMs, signal: caller.signal };
      return mergedMeta(await terminalResult(waiting), origin);
    }
    const tool_slug = `${record.tool_slug.slice(0, -record.backend_tool.length)}jobs_get_status`;
    const poll = { tool_slug, arguments: { job_id, include_result: true } };
    return mergedMeta(withPoll(found, tool_slug), { ...origin, next_step: step('call', poll, stepMeta()) });
  };

  const checkAlive = ({ json, target }: Sent): void => {
    const reason = hostDied(json);
    if (reason !== undefined) throw gatewayErrors.HOST_DIED({ instance: target.instance.instance_short, reason });
  };

  const answer = (text: string | undefined, { instance }: Target): CallAnswer => {
    if (text !== undefined) return { text, failed: failedText(text) };
    throw gatewayErrors.BACKEND({ instance: instance.instance_short, reason: 'its answer is no object' });
  };

  /** As after load_skill: who has loaded a skill finds its tools. */
  const toolsChanged = async (instance_id: string): Promise<void> => {
    await capabilities.refresh(instance_id);
    kernel.bus.emit('tools.list_changed');
  };

  const run = async (call: PassingCall): Promise<CallAnswer> => {
    let target: Target;
    try {
      target = targets.peek(call.slug);
    } catch (error) {
      target = await targets.findAgain(call.slug, error, call.args);
    }
    call.record = target.record;
    admit(target, call);
    if (!target.record.loaded || !target.record.group_active) target = await loadedAgain(call.slug, target);
    const loading = { load_skill: events.loading, unload_skill: events.unloading }[target.builtin?.name ?? ''];
    if (loading) await loading(call, skillsOf(call.args), capabilities.ofInstance(target.record.instance_id));
    const asked = events.dispatch(call);
    if (asked) await asked;
    let sent: Sent;
    try {
      sent = await send(call, target);
    } catch (error) {
      sent = await sendAgain(call, target, error);
    }
    checkAlive(sent);
    const { found, json, target: reached } = sent;
    const text = found
      ? JSON.stringify(await job(call, reached, found))
      : withOrigin(json, originJson(reached.instance));
    const answered = answer(text, reached);
    const { builtin, record } = target;
    if (builtin?.about === 'skills' && !builtin.reads) {
      await toolsChanged(record.instance_id);
      const known = capabilities.ofInstance(record.instance_id);
      const told = { ...structuredOf(JSON.parse(answered.text) as Json), failed: answered.failed };
      await events.skillsChanged(call, builtin.name, skillsOf(call.args), known, told);
    }
    return answered;
  };

  return async (body: Json, caller: Caller): Promise<CallAnswer> => {
    const slug = requiredText(body, 'tool_slug');
    const call: PassingCall = { slug, args: nothing, meta: nothing, caller, began: performance.now() };
    try {
      call.args = callArguments(body);
      call.meta = attributed(body, caller);
      const { text, failed } = await run(call);
      return { text, failed, told: events.ended(call, !failed, text) };
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

/** The meta of a call; who asks may also stand beside it, and the trace around it is that of a request over REST. */
function attributed(body: Json, { trace, http }: Caller): Json {
  const given = callMeta(body);
  // What an MCP request has in its headers stands in its `_meta` by now.
  const headers = given.traceparent === undefined ? http?.headers : undefined;
  const around = trace ?? (headers?.traceparent === undefined ? undefined : traceContextOf(headers));
  const meta = around ? { ...given, ...around } : given;
  const agent = body.agent_context ?? body.caller_context;
  return agent === undefined || meta.agent_context !== undefined ? meta : { agent_context: agent, ...meta };
}

const hasDied = (error: unknown): error is SvcError =>
  (error as SvcError | undefined)?.code === 'SVC_GATEWAY_HOST_DIED';
