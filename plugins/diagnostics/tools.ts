/** Internal tools: how the server fares, what was called, what was logged. Skills reach them through `ctx.call`. */
import { parameters } from '../../schemas/builtin-tool.ts';
import type { AuditEntry, AuditService } from '../audit/api.ts';
import type { FailoverReport } from '../daemon/guardian/api.ts';
import type { ExposedPlace } from '../skills/api.ts';
import type { ToolEntry } from '../tools/api.ts';
import { type LogLevel, logLevels, readLogTail } from './log-tail.ts';
import type { StatusReporter } from './status.ts';

export interface DiagnosticsParts {
  status: StatusReporter;
  audit: AuditService;
  logTail: (count: number) => string[];
  /** How the server has its gateway; nothing without a guardian. */
  failover: () => FailoverReport | undefined;
  exposed: () => Promise<ExposedPlace[]>;
}

const integer = (description: string, fallback: number, maximum: number) => ({
  type: 'integer',
  description,
  default: fallback,
  minimum: 1,
  maximum,
});

const mostPlaces = 100;

const readOnly = { read_only_hint: true, idempotent_hint: true, open_world_hint: false };

export function diagnosticsTools({ status, audit, logTail, failover, exposed }: DiagnosticsParts): ToolEntry[] {
  return [
    {
      definition: {
        name: 'svc.server_status',
        description: 'Process, versions, memory, event loop and counts of the server.',
        annotations: readOnly,
        input_schema: parameters({}),
      },
      handler: () => status.report(),
    },
    {
      definition: {
        name: 'svc.recent_calls',
        description: 'The newest tool calls, oldest first, without secrets.',
        annotations: readOnly,
        input_schema: parameters({
          limit: integer('most calls to return', 20, 500),
          failed_only: { type: 'boolean', description: 'only calls that failed or were denied', default: false },
        }),
      },
      handler: ({ limit = 20, failed_only = false }) => {
        const wanted = (each: AuditEntry): boolean => failed_only !== true || each.outcome !== 'success';
        const calls = audit.recent(500).filter(wanted).slice(-Number(limit));
        return { count: calls.length, calls };
      },
    },
    {
      definition: {
        name: 'svc.gateway_failover',
        description: 'How this server has its gateway, whether that is watched, and why it is as it is.',
        annotations: readOnly,
        input_schema: parameters({}),
      },
      handler: () =>
        failover() ?? {
          enabled: false,
          running: false,
          consecutive_failures: 0,
          gateway_host: null,
          gateway_port: null,
          is_gateway: false,
          reason: 'failover_resolver_not_registered',
          timestamp_ms: Date.now(),
        },
    },
    {
      definition: {
        name: 'svc.exposed_skills',
        description: 'What of the skill directories others than the user of this server may write.',
        annotations: readOnly,
        input_schema: parameters({}),
      },
      handler: async () => {
        const places = await exposed();
        return { count: places.length, places: places.slice(0, mostPlaces) };
      },
    },
    {
      definition: {
        name: 'svc.log_tail',
        description: 'The newest lines of the server log, oldest first.',
        annotations: readOnly,
        input_schema: parameters({
          lines: integer('most lines to return', 50, 500),
          level: { type: 'string', enum: Object.keys(logLevels), description: 'lowest level', default: 'trace' },
        }),
      },
      handler: ({ lines = 50, level = 'trace' }) => {
        const found = readLogTail(logTail, Number(lines), level as LogLevel);
        return { count: found.length, lines: found };
      },
    },
  ];
}
