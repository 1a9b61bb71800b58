/** What other plugins may use of the traffic capture: whether it runs, and what its live sink keeps. */
import type { Disposer, EventEnvelope } from '../../kernel/index.ts';
import type { TrafficFrame } from './events.ts';

/** How the capture fares. */
export interface CaptureStatus {
  state: 'off' | 'capturing' | 'dropping';
  message: string;
  capture_enabled: boolean;
  live_sink_enabled: boolean;
  sink_count: number;
  sinks: { kind: string; waiting: number; written: number; lost: number; last_error: string | null }[];
  subscriber_enabled: boolean;
  retained_frames: number;
  recent_decision_count: number;
  captured_decision_count: number;
  skipped_decision_count: number;
  skip_reasons: Record<string, number>;
  redacted_path_count: number;
  redacted_paths: string[];
  safe_to_share: boolean;
  payload_policy: string;
  retention: { admin_live_configured: boolean; ring_buffer_capacity: number };
}

export interface KeptFrame {
  readonly number: number;
  readonly event: EventEnvelope<TrafficFrame>;
}

export interface TrafficService {
  status(): CaptureStatus;
  /** Oldest first; undefined without a live sink. */
  kept(): readonly KeptFrame[] | undefined;
  /** Hears of frames as they are kept; undefined without a live sink. */
  follow(hear: (frame: KeptFrame) => void): Disposer | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    traffic: TrafficService;
  }
}
