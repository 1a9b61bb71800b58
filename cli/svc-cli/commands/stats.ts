/** `svc-cli stats`: what the calls through the gateway amount to. */
import * as Flags from '@oclif/core/flags';
import { columns, terminalLooks } from '../../columns.ts';
import { GatewayCommand } from '../base.ts';

interface Tally {
  name: string;
  calls: number;
  failed: number;
  saved_tokens: number;
}

interface Stats {
  range: string;
  total_calls: number;
  failed_calls: number;
  success_rate: number | null;
  returned_tokens: number;
  saved_tokens: number;
  latency_ms: { p50_ms: number; p95_ms: number; max_ms: number };
  top_tools: Tally[];
  errors_by_kind: Record<string, number>;
}

export class StatsCommand extends GatewayCommand {
  static override summary = 'Show what the calls through the gateway amount to';
  static override description =
    'Counts, times, tokens and kinds of errors of the recorded calls; with --json everything that the gateway counts.';
  static override examples = [
    '<%= config.bin %> stats',
    '<%= config.bin %> stats --range 1h --status failed',
    '<%= config.bin %> stats --range all --dcc-type maya --json',
    '<%= config.bin %> stats --skill render-kit',
  ];
  static override flags = {
    range: Flags.string({ description: 'how far back', options: ['1h', '24h', '7d', 'all'], default: '24h' }),
    status: Flags.string({ description: 'only calls that ended so', options: ['ok', 'success', 'failed', 'error'] }),
    'dcc-type': Flags.string({ description: 'only calls to this host type', aliases: ['dcc'], helpValue: '<name>' }),
    skill: Flags.string({ description: 'only calls of tools of this skill', helpValue: '<name>' }),
    tool: Flags.string({ description: 'only calls of this tool', helpValue: '<name>' }),
    'instance-id': Flags.string({ description: 'only calls to this instance', helpValue: '<id>' }),
    'session-id': Flags.string({ description: 'only calls of this session', helpValue: '<id>' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(StatsCommand);
    const gateway = await this.gateway(flags.gateway);
    const asked = {
      range: flags.range,
      success: flags.status && String(['ok', 'success'].includes(flags.status)),
      dcc_type: flags['dcc-type'],
      skill: flags.skill,
      tool: flags.tool,
      instance_id: flags['instance-id'],
      session_id: flags['session-id'],
    };
    const given = Object.entries(asked).filter((each): each is [string, string] => each[1] !== undefined);
    const stats = await gateway.ask<Stats>('GET', `/v1/debug/stats?${new URLSearchParams(given)}`);
    this.show({ value: stats, text: () => statsText(stats) });
  }
}

function statsText({ range, total_calls, failed_calls, success_rate, latency_ms, ...more }: Stats): string {
  if (total_calls === 0) return `No calls were recorded (range ${range}).`;
  const share = success_rate === null ? '' : `, ${(success_rate * 100).toFixed(1)}% succeeded`;
  const errors = Object.entries(more.errors_by_kind).map(([kind, count]) => `  ${count} ${kind}`);
  const rows = more.top_tools.map(each => [each.name, String(each.calls), String(each.failed)]);
  return [
    `${total_calls} calls (range ${range}), ${failed_calls} failed${share}`,
    `time    p50 ${latency_ms.p50_ms} ms, p95 ${latency_ms.p95_ms} ms, longest ${latency_ms.max_ms} ms`,
    `tokens  ${more.returned_tokens} returned, ${more.saved_tokens} saved`,
    ...(errors.length > 0 ? ['errors', ...errors] : []),
    '',
    columns([['TOOL', 'CALLS', 'FAILED'], ...rows], terminalLooks()),
  ].join('\n');
}
