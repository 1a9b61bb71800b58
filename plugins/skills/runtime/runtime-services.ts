/** What skill code reaches through `ctx`: other tools, and the event bus short of the server's own names. */
import type { Bus, Logger } from '../../../kernel/index.ts';
import { isReservedEvent } from '../../../schemas/reserved-events.ts';
import { traceContextOf } from '../../../schemas/traceparent.ts';
import type { ToolsService } from '../../tools/api.ts';
import type { RuntimeServices } from './runtime-api.ts';

export interface RuntimeServicesDeps {
  tools: Pick<ToolsService, 'call'>;
  bus: Pick<Bus, 'emit'>;
  log: Pick<Logger, 'warn'>;
}

export function createRuntimeServices({ tools, bus, log }: RuntimeServicesDeps): RuntimeServices {
  return {
    callTool(_skill, name, args, signal, caller) {
      const meta = (caller && traceContextOf(caller.meta)) ?? {};
      return tools.call({ name, args, meta, signal, internal: true, job: caller?.job, ask: caller?.ask });
    },
    emitEvent(skill, name, attributes) {
      if (name === '' || name.length > 128 || isReservedEvent(name)) {
        log.warn({ skill, event: name.slice(0, 128) }, 'a skill may not emit an event of this name');
        return;
      }
      bus.emit(name, { source: { skill_name: skill }, attributes });
    },
  };
}
