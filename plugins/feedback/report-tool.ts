/** The tool by which an agent reports what went wrong. It succeeds when the gateway has accepted the report, and only then. */
import { isSvcError, messageOf } from '../../kernel/index.ts';
import { builtin } from '../../schemas/builtin-tool.ts';
import {
  type AgentFinding,
  AgentFindingSchema,
  type Finding,
  type FindingContext,
  LegacyReportSchema,
} from '../../schemas/finding.ts';
import { completeFinding } from '../../schemas/finding-rules.ts';
import type { Json } from '../../schemas/loose.ts';
import type { ToolEntry } from '../tools/api.ts';
import type { FeedbackEntry } from './api.ts';
import { deliver } from './delivery.ts';
import type { Gateway } from './gateway.ts';
import type { FindingReader } from './reading.ts';
import { entryOf } from './records.ts';

export const reportToolName = 'dcc_feedback__report';

/** As a part of another schema, in which it has no id. */
const formOf = (schema: object): object => ({ ...schema, $id: undefined });

const definition = builtin(
  reportToolName,
  'Report feedback',
  [
    'Reports what stood in your way, or what would be better, to those who look after the tools.',
    'When to use: a tool failed, misled you or is missing, and you have seen enough to say what happened.',
    'How to use: say phase, severity, intent, observed, expected, how to see it again (repro.steps or repro.argv) and',
    'the tool_slug, or evidence.error_kind where it is about no tool. Who you are is filled in. No secrets, please.',
  ],
  { type: 'object', oneOf: [formOf(AgentFindingSchema), formOf(LegacyReportSchema)] },
  { read_only_hint: false, destructive_hint: false, idempotent_hint: false, open_world_hint: false },
);

/** Who reports, or why that is not known. */
export type Identity =
  | { context: FindingContext; instance_id: string }
  | { error: 'feedback_context_unavailable' | 'feedback_instance_unavailable'; message: string };

export interface ReportToolDeps {
  reader: FindingReader;
  identity(): Promise<Identity>;
  /** Nothing where it is switched off. */
  gateway: Gateway | undefined;
  /** Keeps what was accepted. */
  keep(entry: FeedbackEntry): Promise<void>;
}

const failed = (error: string, message: string, context: Json = {}) => ({ success: false, message, error, context });

export function reportTool({ reader, identity, gateway, keep }: ReportToolDeps): ToolEntry {
  const complete = async (args: Json): Promise<Finding | ReturnType<typeof failed>> => {
    const who = await identity();
    if ('error' in who) return failed(who.error, who.message);
    const { context, instance_id } = who;
    try {
      const authored: AgentFinding = reader.ofAgent(args);
      const { instance_id: claimed = instance_id } = authored.evidence;
      if (claimed !== instance_id)
        return failed('invalid_input', '"evidence.instance_id" is not this instance: leave it out');
      return reader.finding(completeFinding(authored, context, instance_id));
    } catch (error) {
      if (!isSvcError(error)) throw error;
      return failed('invalid_input', error.message);
    }
  };

  return {
    definition,
    async handler(args, { signal }) {
      const finding = await complete(args);
      if ('success' in finding) return finding;
      const delivery = await deliver(gateway, finding, signal);
      if ('error' in delivery) {
        const { error, message, status_code } = delivery;
        return failed(error, message, status_code === undefined ? {} : { status_code });
      }
      const { feedback_id, recorded_at, event_resource_uri, schema_version, fingerprint } = delivery.receipt;
      const context = { feedback_id, recorded_at, event_resource_uri, schema_version, fingerprint };
      try {
        await keep(entryOf(finding, feedback_id, Date.parse(recorded_at)));
      } catch (error) {
        const message = `the gateway has accepted the report, but it could not be kept here: ${messageOf(error)}`;
        return failed('feedback_persistence_failed', message, context);
      }
      return { success: true, message: 'The report was accepted.', context };
    },
  };
}
