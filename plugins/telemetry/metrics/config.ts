/** Settings of the metrics. */
import { type Static, Type } from 'typebox';
import { flag } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  metrics_enabled: flag(false, 'serve metrics for Prometheus at metrics_path'),
  metrics_path: Type.String({ default: '/metrics', pattern: '^/[A-Za-z0-9._~/-]+$', description: 'where they are' }),
});

export type Settings = Static<typeof settings>;
