/** A line of the log as a row that people and pages read. Pure. */
import { type Json, parsed } from './loose.ts';

const levels: Readonly<Record<number, string>> = {
  ...{ 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' },
};

export function logRow(line: string) {
  const { level, time, msg, ...detail } = (parsed(line) ?? { msg: line }) as Json;
  const { plugin, dcc_type = null, instance_id = null, request_id = null, tool = null } = detail;
  return {
    timestamp: new Date(Number(time) || 0).toISOString(),
    level: levels[Number(level)] ?? 'info',
    ...{ message: msg, source: plugin ?? 'gateway', dcc_type, instance_id, request_id, tool },
    success: Number(level) < 40,
    detail,
  };
}
