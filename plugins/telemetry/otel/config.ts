/** Settings of the export of spans. What they leave open the standard variables (`OTEL_*`) say. */
import { type Static, Type } from 'typebox';
import { count, flag, optionalText, shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  otel_enabled: flag(
    false,
    'export spans over OTLP; so does an endpoint, here or in OTEL_EXPORTER_OTLP_ENDPOINT. OTEL_SDK_DISABLED switches it off',
  ),
  otel_endpoint: Type.Union([Type.String({ pattern: '^https?://' }), Type.Null()], {
    default: null,
    description: 'address of the OpenTelemetry collector, without /v1/traces (default: http://localhost:4318)',
  }),
  otel_service_name: optionalText('service.name of the spans (default: svc-server or svc-gateway)'),
  otel_flush_ms: count(2000, 'how long a shutdown waits for spans that are not exported yet'),
  dcc_type: shared.dcc_type,
});

export type Settings = Static<typeof settings>;
