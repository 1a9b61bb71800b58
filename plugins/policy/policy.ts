/** The policy that holds: the file as it was last read whole, read again when it changes. */
import { stat } from 'node:fs/promises';
import { type Bus, type EventEnvelope, type Logger, messageOf, type Schemas, type Veto } from '../../kernel/index.ts';
import { textOf } from '../../schemas/file-text.ts';
import { text } from '../../schemas/loose.ts';
import { onRewritten } from '../../schemas/rewritten.ts';
import { type Policy, readPolicy } from './rules.ts';

export interface PolicyDeps {
  file: string;
  schemas: Pick<Schemas, 'compileWithDefaults'>;
  bus: Pick<Bus, 'emit'>;
  log: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;
}

const largestFile = 1_048_576;

/** Rejects with what is wrong in the file, before anything of it holds. */
export async function openPolicy({ file, schemas, bus, log }: PolicyDeps) {
  const read = async (): Promise<Policy> => {
    const { size } = await stat(file);
    if (size > largestFile) throw new Error(`it has ${size} bytes: at most ${largestFile} are read`);
    return readPolicy(await textOf(file), schemas);
  };
  let policy = await read();

  const again = async (): Promise<void> => {
    try {
      policy = await read();
      log.info({ file }, 'the policy was read again: what it says now holds');
    } catch (error) {
      log.error({ file }, `the policy cannot be read, the one before still holds: ${messageOf(error)}`);
    }
  };
  return {
    /** For each event that may be vetoed. */
    hook(event: EventEnvelope): Veto | undefined {
      const { veto, line } = policy(event);
      const { attributes, correlation } = event;
      const { tool_slug, skill_name } = attributes;
      const { client, agent_id, request_id } = correlation;
      const about = { event: event.name, tool_slug, skill_name, client, agent_id, request_id, line };
      if (!veto) {
        log.debug(about, 'allowed by the policy');
        return undefined;
      }
      log.warn({ ...about, reason: veto.reason }, 'denied by the policy');
      // The audit knows calls; of the load of a skill it hears here.
      if (event.name === 'skill.loading') bus.emit('audit.recorded', { ...event, attributes: denial(event, veto) });
      return veto;
    },
    close: onRewritten(file, again),
  };
}

function denial({ timestamp_ns, attributes: { skill_name }, correlation }: EventEnvelope, { reason }: Veto) {
  const actor = text(correlation.agent_id) ?? text(correlation.session_id);
  return {
    timestamp_ms: Math.floor(timestamp_ns / 1e6),
    ...(actor !== undefined && { actor }),
    action: 'skill.loading',
    params_json: JSON.stringify({ skill_name }),
    duration_ms: 0,
    outcome: { denied: { reason } },
  };
}
