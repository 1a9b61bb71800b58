/** What the capture tells of itself. */
import type { CaptureStatus, TrafficService } from './api.ts';
import type { OpenCapture } from './open.ts';

const policy = 'lists and streams show no bodies unless asked; bodies are redacted before any sink';

const offBecause = 'no traffic is captured: set SVC_TRAFFIC_CAPTURE=jsonl:<path> or SVC_TRAFFIC_CONFIG=<file>';

/** What is captured, or why nothing is. */
export function createTrafficService(given: OpenCapture | string = offBecause): TrafficService {
  const opened = typeof given === 'string' ? undefined : given;
  const reason = typeof given === 'string' ? given : '';
  const status = (): CaptureStatus => {
    const { reader, outlets = [], live, capture } = opened ?? {};
    const { captured = 0, refused, redactedPaths: paths = [], sinks: files = [] } = reader?.state() ?? {};
    const dropped = capture?.dropped() ?? 0;
    const reasons = Object.entries({ ...refused, dropped }).filter(([, count]) => count > 0);
    const skipped = reasons.reduce((sum, [, count]) => sum + count, 0);
    const sinks = [...files, ...outlets.map(each => each.state())];
    const failing = sinks.find(each => each.last_error !== null);
    return {
      state: opened ? (failing ? 'dropping' : 'capturing') : 'off',
      message: opened ? (failing?.last_error ?? 'tool calls are captured') : reason,
      capture_enabled: opened !== undefined,
      live_sink_enabled: live !== undefined,
      sink_count: sinks.length,
      sinks,
      subscriber_enabled: opened !== undefined,
      retained_frames: live?.kept().length ?? 0,
      recent_decision_count: captured + skipped,
      captured_decision_count: captured,
      skipped_decision_count: skipped,
      skip_reasons: Object.fromEntries(reasons),
      redacted_path_count: paths.length,
      redacted_paths: paths,
      safe_to_share: true,
      payload_policy: policy,
      retention: { admin_live_configured: live !== undefined, ring_buffer_capacity: live?.capacity ?? 0 },
    };
  };
  return {
    status,
    kept: () => opened?.live?.kept(),
    follow: hear => opened?.live?.follow(hear),
  };
}
