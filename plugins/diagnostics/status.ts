/** What the server process is and how it fares. */
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { packageVersion } from '../../kernel/index.ts';

/** Counts that other features contribute; null when the feature is off. */
export interface StatusCounts {
  tools: number;
  sessions: number | null;
  skills_loaded: number | null;
}

const milli = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? Math.round(nanoseconds / 1e4) / 100 : 0);
const mebi = (bytes: number): number => Math.round(bytes / 104857.6) / 10;

/** Node samples a timer of this period and reports the whole time between two samples. */
const resolutionMs = 20;

/** How late a sample came, in ms. */
const late = (sampleNs: number): number => Math.max(0, milli(sampleNs - resolutionMs * 1e6));

export type StatusReporter = ReturnType<typeof createStatus>;

/** Watches the event loop of this thread; delay and utilisation are those since the report before. */
export function createStatus(counts: () => StatusCounts) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const started = Date.now();
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  return {
    report(): Record<string, unknown> {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, before);
      before = now;
      const memory = process.memoryUsage();
      const loop = {
        delay_p50_ms: late(delay.percentile(50)),
        delay_p99_ms: late(delay.percentile(99)),
        delay_max_ms: late(delay.max),
        utilization: Math.round(utilization * 1000) / 1000,
      };
      delay.reset();
      return {
        pid: process.pid,
        uptime_secs: Math.round((Date.now() - started) / 1000),
        versions: { svc: packageVersion, node: process.versions.node, v8: process.versions.v8 },
        platform: `${process.platform}-${process.arch}`,
        memory_mb: {
          rss: mebi(memory.rss),
          heap_used: mebi(memory.heapUsed),
          heap_total: mebi(memory.heapTotal),
          external: mebi(memory.external),
        },
        event_loop: loop,
        ...counts(),
      };
    },
    dispose: () => void delay.disable(),
  };
}
