/** Whether spans are exported, and where to: settings, then the standard variables. Pure. */
import type { Environment } from '../../../kernel/index.ts';
import type { Settings } from './config.ts';

export interface Target {
  /** Where the spans are sent. */
  readonly url: URL;
  readonly protocol: 'http/protobuf' | 'http/json';
}

/** Samplers of the standard. */
const samplers =
  'always_on always_off traceidratio parentbased_always_on parentbased_always_off parentbased_traceidratio'.split(' ');

/** Undefined where nothing is exported; `warn` is told of what is there and cannot be used. */
export function targetOf(settings: Settings, env: Environment, warn: (problem: string) => void): Target | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = env;
  const { otel_enabled, otel_endpoint } = settings;
  if (env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true') return undefined;
  if (!otel_enabled && otel_endpoint === null && !whole && !base) return undefined;
  const exporters = (env.OTEL_TRACES_EXPORTER || 'otlp').split(',').map(each => each.trim());
  if (!exporters.includes('otlp')) {
    if (!exporters.includes('none')) warn('OTEL_TRACES_EXPORTER names no exporter that is here: otlp is, and none');
    return undefined;
  }
  const url = otel_endpoint === null && whole ? read(whole) : read(otel_endpoint ?? (base || 'http://localhost:4318'));
  if (!url) {
    warn(`${whole ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'} is no http or https address`);
    return undefined;
  }
  if (otel_endpoint !== null || !whole) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  const sampler = env.OTEL_TRACES_SAMPLER;
  if (sampler && !samplers.includes(sampler)) {
    warn(`OTEL_TRACES_SAMPLER must be one of ${samplers.join(', ')}: parentbased_always_on counts`);
  }
  const asked = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (asked !== 'http/protobuf' && asked !== 'http/json') {
    warn('OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json: http/protobuf is spoken');
  }
  return { url, protocol: asked === 'http/json' ? asked : 'http/protobuf' };
}

function read(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}
