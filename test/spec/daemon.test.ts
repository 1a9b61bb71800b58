/** Environment variables of the gateway daemon. */
import { describe, expect } from 'vitest';
import { resolveConfig as resolve } from '../../kernel/index.ts';
import { type ServerOptions, serverSettings } from '../../plugins/index.ts';
import { verifies } from './verifies.ts';

const settings = await serverSettings();
const resolveConfig = (options: object = {}, env: Record<string, string> = {}) => resolve(options, env, {}, settings);

describe('daemon environment variables', () => {
  const table: [string, keyof ServerOptions, unknown, string, unknown][] = [
    ['SVC_GATEWAY_GUARDIAN_INTERVAL', 'gateway_guardian_interval', 5, '1.5', 1.5],
    ['SVC_GATEWAY_GUARDIAN_TIMEOUT', 'gateway_guardian_timeout', 0.5, '0.25', 0.25],
    ['SVC_GATEWAY_GUARDIAN_FAILURES', 'gateway_guardian_failures', 2, '3', 3],
    ['SVC_GATEWAY_LAUNCH_LOCK_STALE_SECS', 'gateway_launch_lock_stale_secs', 30, '60', 60],
    ['SVC_GATEWAY_PERSIST', 'gateway_persist', false, 'true', true],
    ['SVC_GATEWAY_IDLE_TIMEOUT_SECS', 'gateway_idle_timeout_secs', 30, '0', 0],
  ];

  verifies(
    [
      'daemon-env:SVC_GATEWAY_GUARDIAN_INTERVAL',
      'daemon-env:SVC_GATEWAY_GUARDIAN_TIMEOUT',
      'daemon-env:SVC_GATEWAY_GUARDIAN_FAILURES',
      'daemon-env:SVC_GATEWAY_LAUNCH_LOCK_STALE_SECS',
      'daemon-env:SVC_GATEWAY_PERSIST',
      'daemon-env:SVC_GATEWAY_IDLE_TIMEOUT_SECS',
    ],
    'each has its default, is read, and is refused by name when it is no such value',
    () => {
      for (const [name, option, fallback, text, value] of table) {
        expect(resolveConfig()[option]).toBe(fallback);
        expect(resolveConfig({}, { [name]: text })[option]).toBe(value);
        expect(() => resolveConfig({}, { [name]: 'soon' })).toThrow(name);
        expect(() => resolveConfig({}, { [name]: '-1' })).toThrow(name);
      }
    },
  );
});
