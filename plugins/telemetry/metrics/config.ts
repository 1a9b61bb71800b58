/** Settings of the metrics. */
import { type Static, Type } from 'typebox';
import { flag, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  metrics_enabled: flag(false, 'serve metrics for Prometheus at metrics_path'),
  metrics_path: shared.metrics_path,
});

export type Settings = Static<typeof settings>;
