/**
 * What happens at the gateway, gathered for the pages that are open: one frame for all of them every so often, with what
 * changed since the last. Nobody listens while no page is open.
 */
import type { Bus, Disposer } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import { redacted } from '../../schemas/redaction.ts';
import type { AuditRow, CallRecordsService, FollowedCall } from '../audit/records/api.ts';
import type { BackendsService } from '../gateway/backends/api.ts';
import type { InstancesService } from '../instances/api.ts';
import type { KeptFrame, TrafficService } from '../traffic/api.ts';
import type { CallRow, Frame, Hello } from './frames.ts';
import { jobUpdate } from './jobs.ts';
import type { LogTail } from './log-tail.ts';
import { createMeter } from './meter.ts';
import { createReader, type Reader } from './reader.ts';

const frameMs = 250;
/** Rows of one kind in a frame; of more, the newest are shown and all are counted. */
const mostRows = 25;

export interface FeedDeps {
  bus: Pick<Bus, 'on'>;
  now(): number;
  start: string;
  version: string;
  callRecords: Pick<CallRecordsService, 'follow'>;
  instances: Pick<InstancesService, 'list' | 'get' | 'toRow'>;
  backends: Pick<BackendsService, 'list'>;
  traffic: Pick<TrafficService, 'follow'> | undefined;
  logs: LogTail;
}

export type Feed = ReturnType<typeof createFeed>;

interface Pending {
  count: number;
  failed: number;
  calls: FollowedCall[];
  /** Instances that changed or went. */
  touched: Set<string>;
  events: Json[];
  jobs: Map<string, Json>;
  frames: number;
  traffic: KeptFrame[];
  /** Whether other tools are found than before. */
  tools: boolean;
}

const nothing = (): Pending => ({
  ...{ count: 0, failed: 0, calls: [], touched: new Set<string>(), events: [], jobs: new Map<string, Json>() },
  ...{ frames: 0, traffic: [], tools: false },
});

const everyView = { include_stale: true, include_dead: true };

export function createFeed(deps: FeedDeps) {
  const { bus, now, start, version, callRecords, instances, backends, traffic, logs } = deps;
  const readers = new Set<Reader>();
  let pending = nothing();
  let undos: Disposer[] = [];
  let timer: NodeJS.Timeout | undefined;
  const meter = createMeter({
    now,
    inFlight: () => backends.list().reduce((sum, each) => sum + each.in_flight, 0),
    rssBytes: () => process.memoryUsage.rss(),
  });

  const rowOf = (instance: Parameters<InstancesService['toRow']>[0]): Json =>
    redacted({ ...instances.toRow(instance), last_heartbeat: instance.last_heartbeat }) as Json;

  const hello = (): string => {
    const state: Hello = {
      ...{ at: now(), start, version, points: meter.points() },
      instances: instances.list(everyView).map(rowOf),
    };
    return JSON.stringify(state);
  };

  const changedInstances = (touched: ReadonlySet<string>): Frame['instances'] => {
    if (touched.size === 0) return undefined;
    const known = instances.list(everyView).filter(each => touched.has(each.instance_id));
    const found = new Set(known.map(each => each.instance_id));
    return { rows: known.map(rowOf), gone: [...touched].filter(each => !found.has(each)) };
  };

  const frame = (): Frame | undefined => {
    const { count, failed, calls, touched, events, jobs, frames, traffic: kept, tools } = pending;
    pending = nothing();
    const points = meter.take();
    const changed = changedInstances(touched);
    const lines = logs.fresh(mostRows);
    const parts: Omit<Frame, 'at'> = {
      ...(points.length > 0 && { points }),
      ...(count > 0 && { calls: { count, failed, rows: calls.map(each => callRow(each.row())) } }),
      ...(changed && { instances: changed }),
      ...(events.length > 0 && { events }),
      ...(jobs.size > 0 && { jobs: [...jobs.values()] }),
      ...(lines.length > 0 && { logs: lines }),
      ...(tools && { tools }),
      ...(frames > 0 && { traffic: { count: frames, rows: kept.map(withoutBody) } }),
    };
    return Object.keys(parts).length === 0 ? undefined : { at: now(), ...parts };
  };

  const tick = (): void => {
    const next = frame();
    if (!next) return;
    const message = { event: 'frame', data: JSON.stringify(next) } as const;
    for (const reader of readers) reader.push(message);
  };

  const listen = (): void => {
    const touch = ({ attributes }: { attributes: { instance_id: string } }): void =>
      void pending.touched.add(attributes.instance_id);
    logs.skip();
    meter.begin();
    undos = [
      callRecords.follow(call => {
        meter.count(call);
        pending.count += 1;
        if (!call.ok) pending.failed += 1;
        keepNewest(pending.calls, call);
      }),
      bus.on('instance.appeared', touch),
      bus.on('instance.changed', touch),
      bus.on('instance.left', touch),
      bus.on('instance.unreachable', touch),
      bus.on('capabilities.changed', () => {
        pending.tools = true;
      }),
      bus.on('internal.gateway.recorded', ({ attributes }) => keepNewest(pending.events, { ...attributes })),
      bus.on('internal.backend.notified', ({ attributes }) => {
        const job = jobUpdate(attributes);
        if (job) pending.jobs.set(String(job.job_id), job);
      }),
      traffic?.follow(kept => {
        pending.frames += 1;
        keepNewest(pending.traffic, kept);
      }) ?? (() => undefined),
    ];
    timer = setInterval(tick, frameMs);
  };

  const rest = (): void => {
    clearInterval(timer);
    for (const undo of undos) void undo();
    undos = [];
    pending = nothing();
  };

  return {
    /** What a page reads until `signal`. */
    async *read(signal: AbortSignal) {
      if (readers.size === 0) listen();
      const reader = createReader(hello);
      readers.add(reader);
      try {
        yield* reader.messages(signal);
      } finally {
        readers.delete(reader);
        if (readers.size === 0) rest();
      }
    },
    readers: (): number => readers.size,
    dispose: rest,
  };
}

function keepNewest<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > mostRows) list.shift();
}

export const callRow = (row: AuditRow): CallRow => {
  const { request_id, trace_id, timestamp, action, success, duration_ms, dcc_type, instance_id, session_id } = row;
  const { agent_id, agent_name, transport, error, error_kind } = row;
  const known = { duration_ms, dcc_type, instance_id, session_id, agent_id, agent_name, transport, error, error_kind };
  return { request_id, trace_id, timestamp, tool: action, success, ...given(known) };
};

/** Members that have a value. */
const given = <T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

function withoutBody({ number, event }: KeptFrame): Json {
  const { timestamp_ns, correlation, attributes } = event;
  const { body, ...rest } = attributes;
  const { size_bytes, redacted_paths } = body;
  return { number, timestamp_ns, ...correlation, ...rest, body: { size_bytes, redacted_paths } };
}
