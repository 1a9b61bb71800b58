/** An exporter that says once that its collector takes nothing, and once that it does again. */
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { type Logger, messageOf } from '../../../kernel/index.ts';

/** `origin` names the collector: its whole address may hold a credential. */
export function tellingOnce(exporter: SpanExporter, origin: string, log: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let lost = 0;
  const tell = (count: number, failed: boolean, error: unknown): void => {
    if (failed) {
      if (lost === 0) {
        const reason = error === undefined ? 'it gave no reason' : messageOf(error);
        log.warn(
          { collector: origin },
          `spans cannot be exported (${reason}): they are dropped until the collector takes them`,
        );
      }
      lost += count;
    } else if (lost > 0) {
      log.info({ collector: origin, lost }, 'spans are exported again');
      lost = 0;
    }
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        tell(spans.length, result.code !== 0, result.error);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
