import { expect, test } from 'vitest';
import { conditionOf, remarksOn } from '../../cli/condition.ts';
import type { Running } from '../../cli/running.ts';
import { packageVersion } from '../../kernel/index.ts';

const running = (about: Partial<Running>): Running => ({
  ...{
    kind: 'server',
    name: 'maya',
    pid: 1,
    version: packageVersion,
    url: 'http://127.0.0.1:1/mcp',
    instance_id: null,
  },
  ...{ started_at: '2026-01-01T00:00:00Z', directory: '/', log_file: null, registry_dir: '/r', embedded: false },
  health: { ok: true },
  ...about,
});

test('what is older than the package is to be restarted, what is newer is not: the package is behind then', () => {
  expect(remarksOn(running({}))).toEqual([]);
  expect(remarksOn(running({ version: '' }))).toEqual([]);
  expect(remarksOn(running({ version: '0.0.1' }))).toEqual([
    `maya runs version 0.0.1, and ${packageVersion} is installed: svc-server restart maya`,
  ]);
  expect(remarksOn(running({ version: '0.0.1', embedded: true }))[0]).toContain('restart its application');
  for (const embedded of [false, true]) {
    const [remark, ...others] = remarksOn(running({ version: '99.0.0', embedded }));
    expect([others, remark]).toEqual([[], expect.stringContaining(`newer than this svc-server (${packageVersion})`)]);
    expect(remark).not.toMatch(/restart|is installed:/);
  }
});

test('a condition says what is wrong, and nothing of what is not', () => {
  expect(conditionOf(running({}))).toBe('ok');
  expect(conditionOf(running({ health: null }))).toBe('does not answer');
  expect(conditionOf(running({ health: { ok: true, host: { state: 'silent' } } }))).toBe('host silent');
  expect(conditionOf(running({ health: { ok: true, host: { state: 'busy' } } }))).toBe('ok');
  expect(
    conditionOf(running({ health: { ok: true, job_storage: { state: 'degraded', last_error_kind: 'disk_full' } } })),
  ).toBe('job storage degraded (disk full)');
});

test('a relay says how many tunnels it has, a tunnel why it has none', () => {
  const tunnels = [{ dcc: 'maya' }, { dcc: 'nuke' }, { dcc: 'maya' }];
  expect(conditionOf(running({ kind: 'relay', health: { ok: true, tunnels } }))).toBe('ok, 3 tunnels (2 maya, 1 nuke)');
  expect(conditionOf(running({ kind: 'relay', health: { ok: true, tunnels: [] } }))).toBe('ok, 0 tunnels');
  const relay = { state: 'unavailable', reason: 'The relay cannot be reached.' };
  const tunnel = running({ kind: 'tunnel', name: 'tunnel', health: { ok: true, relay } });
  expect([conditionOf(tunnel), ...remarksOn(tunnel)]).toEqual([
    'relay unavailable',
    'tunnel is not connected, and tries again: The relay cannot be reached.',
  ]);
});

test('a gateway that cannot read a relay is told as such', () => {
  const relay_sources = { state: 'degraded', sources: 2, unread: 1, last_error_kind: 'token_not_taken' };
  const gateway = running({ kind: 'gateway', name: 'gateway', health: { ok: true, relay_sources } });
  expect(conditionOf(gateway)).toBe('relay sources degraded (token not taken)');
  expect(remarksOn(gateway)).toEqual(['gateway cannot read 1 of 2 relays: its log says which, and why']);
});
