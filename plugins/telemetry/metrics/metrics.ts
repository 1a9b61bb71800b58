/** What a process counts for Prometheus. Calls are counted as they end; everything else is read when somebody asks. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Bus, EventEnvelope } from '../../../kernel/index.ts';

/** A number that is read when it is asked for, one for each value of its label if it has one. */
export interface Reading {
  readonly name: string;
  readonly help: string;
  readonly label?: string;
  read(): number | Readonly<Record<string, number>>;
}

const nsPerSecond = 1e9;
/** Tools that are counted by name. They come and go with skills and instances, but what was counted once stays. */
const mostTools = 1000;
const others = '_other';
/** Seconds: from a tool that only looks to one that renders. */
const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** `names` says whether an event is of a tool that is there: other names come from callers, and as labels would never end. */
export function createMetrics(
  bus: Pick<Bus, 'on'>,
  readings: readonly Reading[],
  names: (event: EventEnvelope) => boolean,
) {
  const registry = new Registry();
  const registers = [registry];
  const calls = new Counter({
    ...{ name: 'svc_tool_calls_total', help: 'Tool calls that ended, by tool and outcome', registers },
    labelNames: ['tool', 'dcc_type', 'outcome'] as const,
  });
  const errors = new Counter({
    ...{ name: 'svc_tool_errors_total', help: 'Tool calls that failed, by kind of error', registers },
    labelNames: ['dcc_type', 'error_kind'] as const,
  });
  const durations = new Histogram({
    ...{ name: 'svc_tool_call_duration_seconds', help: 'How long tool calls took', registers, buckets },
    labelNames: ['dcc_type', 'outcome'] as const,
  });

  const toolOf = bounded(mostTools);
  const typeOf = bounded(mostTools);
  const kindOf = bounded(mostTools);
  const count = (event: EventEnvelope): void => {
    const { name, attributes, source } = event;
    const dcc_type = typeOf(attributes.dcc_type ?? source.dcc_type ?? '');
    const outcome = name === 'tool.completed' && attributes.result_success !== false ? 'success' : 'failure';
    const kind = attributes.error_kind;
    // By its own name: that of the slug has the instance in it, and every start of a host is another instance.
    calls.inc({ tool: names(event) ? toolOf(attributes.tool_name) : '', dcc_type, outcome });
    if (outcome === 'failure') errors.inc({ dcc_type, error_kind: kindOf(kind ?? 'tool-error') });
    if (typeof attributes.duration_ms === 'number') {
      durations.observe({ dcc_type, outcome }, attributes.duration_ms / 1000);
    }
  };

  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  for (const reading of [...readings, ...ofTheProcess, ...ofTheLoop(delay)]) gauge(reading, registers);
  const undos = [bus.on('tool.completed', count), bus.on('tool.failed', count)];

  return {
    contentType: registry.contentType,
    async text(): Promise<string> {
      const text = await registry.metrics();
      delay.reset();
      return text;
    },
    dispose(): void {
      for (const undo of undos) void undo();
      delay.disable();
      registry.clear();
    },
  };
}

/** The first `most` values; those that come later are one. */
function bounded(most: number): (value: unknown) => string {
  const known = new Set<string>();
  return value => {
    const text = String(value);
    if (known.has(text)) return text;
    if (known.size >= most) return others;
    known.add(text);
    return text;
  };
}

function gauge({ name, help, label, read }: Reading, registers: Registry[]): void {
  new Gauge({
    ...{ name, help, registers, labelNames: label === undefined ? [] : [label] },
    collect() {
      const value = read();
      if (typeof value === 'number') return this.set(value);
      this.reset();
      for (const [each, number] of Object.entries(value)) this.set({ [label ?? '']: each }, number);
    },
  });
}

const ofTheProcess: readonly Reading[] = [
  {
    ...{ name: 'process_resident_memory_bytes', help: 'Resident memory of the process' },
    read: () => process.memoryUsage.rss(),
  },
  {
    ...{ name: 'nodejs_heap_size_used_bytes', help: 'Heap in use of the thread that serves' },
    read: () => process.memoryUsage().heapUsed,
  },
  {
    ...{ name: 'process_cpu_seconds_total', help: 'Processor time of the process' },
    read: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  },
];

const ofTheLoop = (delay: ReturnType<typeof monitorEventLoopDelay>): readonly Reading[] => [
  {
    ...{ name: 'nodejs_eventloop_lag_p99_seconds', help: 'Delay of the event loop since the last look, 99 of 100' },
    read: () => delay.percentile(99) / nsPerSecond,
  },
  {
    ...{ name: 'nodejs_eventloop_lag_max_seconds', help: 'Longest delay of the event loop since the last look' },
    read: () => delay.max / nsPerSecond,
  },
];
