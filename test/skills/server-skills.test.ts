/** The skills that shape what the server answers: diagnostics and skill-author-kit. */
import { describe, expect, test } from 'vitest';
import explainSlowCalls from '../../skills/diagnostics/tools/explain-slow-calls.ts';
import hostLogTail from '../../skills/diagnostics/tools/host-log-tail.ts';
import processStatus from '../../skills/diagnostics/tools/process-status.ts';
import recentCalls from '../../skills/diagnostics/tools/recent-calls.ts';
import explainRejection from '../../skills/skill-author-kit/tools/explain-rejection.ts';
import scaffoldSkill from '../../skills/skill-author-kit/tools/scaffold-skill.ts';
import validateSkill from '../../skills/skill-author-kit/tools/validate-skill.ts';
import { envelopeOf, skillContext, structured } from './skill-context.ts';

const answering = (value: Record<string, unknown>) => skillContext({ answer: () => structured(value) });
const refusing = (text: string) =>
  skillContext({ answer: () => ({ content: [{ type: 'text', text }], isError: true }) });

const call = (action: string, duration_ms: number, outcome: unknown = 'success', timestamp_ms = 1_700_000_000_000) => ({
  timestamp_ms,
  action,
  params_json: '{}',
  duration_ms,
  outcome,
});

describe('diagnostics', () => {
  const status = {
    uptime_secs: 300,
    memory_mb: { rss: 96.5 },
    event_loop: { delay_p99_ms: 21, utilization: 0.1 },
    tools: 31,
    sessions: 2,
    skills_loaded: 1,
  };

  test('process_status says that all is well, or what is not', async () => {
    const fine = envelopeOf(await processStatus({}, answering(status)));
    expect(fine.context).toMatchObject({ healthy: true, concerns: [], status });
    expect(fine.message).toMatch(/^Healthy\. Server up 5 min, 96.5 MB resident/);
    const late = { ...status, event_loop: { delay_p99_ms: 900, utilization: 0.99 } };
    const bad = envelopeOf(await processStatus({}, answering(late)));
    expect(bad.context.healthy).toBe(false);
    expect(bad.context.concerns).toHaveLength(2);
  });

  test('recent_calls turns audit rows round and gives the reason of a failure', async () => {
    const ctx = answering({
      calls: [
        call('a', 1),
        call('b', 2, { error: { message: 'no such file' } }),
        call('c', 3, { denied: { reason: 'quota' } }),
      ],
    });
    const { message, context } = envelopeOf(await recentCalls({ limit: 3 }, ctx));
    expect(ctx.calls).toEqual([{ tool: 'svc.recent_calls', args: { limit: 3, failed_only: false } }]);
    expect(context.calls.map((row: { tool: string; reason: string }) => [row.tool, row.reason])).toEqual([
      ['c', 'quota'],
      ['b', 'no such file'],
      ['a', null],
    ]);
    expect(context.calls[0].at).toBe('2023-11-14T22:13:20.000Z');
    expect(message).toBe('3 calls, 2 failed; the newest failure is c: quota.');
  });

  test('explain_slow_calls computes percentiles by nearest rank and names the slow tool', async () => {
    const calls = [
      ...Array.from({ length: 100 }, (_, i) => call('slow', (i + 1) * 20)),
      call('quick', 3),
      call('quick', 5),
    ];
    const { message, context } = envelopeOf(await explainSlowCalls({}, answering({ calls })));
    expect(context.tools[0]).toMatchObject({
      tool: 'slow',
      calls: 100,
      failures: 0,
      p50_ms: 1000,
      p95_ms: 1900,
      max_ms: 2000,
    });
    expect(context.tools[1]).toMatchObject({ tool: 'quick', p50_ms: 3, p95_ms: 5 });
    expect(context.slow_tools.map((row: { tool: string }) => row.tool)).toEqual(['slow']);
    expect(message).toContain('slow took most: p95 1900 ms over 100 calls');
    const none = envelopeOf(await explainSlowCalls({}, answering({ calls: [] })));
    expect(none).toMatchObject({ success: true, context: { sampled: 0, tools: [] } });
  });

  test('host_log_tail counts levels, folds repeats and filters by text', async () => {
    const lines = [
      { level: 'info', msg: 'started' },
      { level: 'warn', msg: 'slow host' },
      { level: 'warn', msg: 'slow host' },
      { level: 'error', msg: 'a tool failed', tool: 'a', time: 1 },
      { level: 'error', msg: 'a tool failed', tool: 'b', time: 2 },
      { level: 'error', msg: 'a tool failed', tool: 'b', time: 3 },
      { level: 'error', msg: 'Skill crashed', skill: 'x' },
    ];
    const all = envelopeOf(await hostLogTail({}, answering({ lines })));
    expect(all.context.levels).toEqual({ info: 1, warn: 2, error: 4 });
    // Two failures that differ in anything but their time are two.
    expect(all.context.lines.slice(2, 4)).toEqual([
      { level: 'error', msg: 'a tool failed', tool: 'a', time: 1 },
      { level: 'error', msg: 'a tool failed', tool: 'b', time: 2, repeated: 2, last_time: 3 },
    ]);
    expect(all.context.lines[1]).toEqual({ level: 'warn', msg: 'slow host', repeated: 2 });
    expect(all.message).toContain('the last error says: Skill crashed');
    const some = envelopeOf(await hostLogTail({ contains: 'CRASHED' }, answering({ lines })));
    expect(some.context.count).toBe(1);
  });

  test('a refusal of the server becomes an error with its words', async () => {
    await expect(processStatus({}, refusing('Tool not found: svc.server_status'))).rejects.toThrow('Tool not found');
    await expect(recentCalls({}, refusing('nope'))).rejects.toThrow('svc.recent_calls failed: nope');
  });
});

describe('skill-author-kit', () => {
  const skipped = [
    {
      skill_name: 'exporter',
      directory_name: 'exporter-v2',
      reason_code: 'non_spec_top_level_keys',
      message: 'SKILL.md has top-level keys of its own: version',
      suggested_fix: 'Move other keys under metadata.svc.',
    },
  ];

  test('scaffold_skill passes on only what was given and tells the next steps', async () => {
    const ctx = answering({ directory: '/skills/x', files: ['SKILL.md'] });
    const { success, context } = envelopeOf(await scaffoldSkill({ name: 'x', directory: '/skills' }, ctx));
    expect(success).toBe(true);
    expect(ctx.calls).toEqual([{ tool: 'svc.scaffold_skill', args: { name: 'x', directory: '/skills' } }]);
    expect(context.files).toEqual(['SKILL.md']);
    expect(context.next_steps.length).toBeGreaterThan(2);
    const failed = envelopeOf(await scaffoldSkill({ name: 'x', directory: '/skills' }, refusing('/skills/x exists')));
    expect(failed).toMatchObject({ success: false, error: 'scaffold_failed', message: '/skills/x exists' });
  });

  test('validate_skill explains every problem', async () => {
    const problems = [
      { reason_code: 'missing_source_file', message: 'tool "a": no file', suggested_fix: 'Create it.' },
    ];
    const { message, context } = envelopeOf(
      await validateSkill({ path: '/p' }, answering({ valid: false, errors: problems, warnings: [] })),
    );
    expect(context).toMatchObject({ valid: false });
    expect(context.errors[0]).toMatchObject({ ...problems[0], meaning: expect.stringContaining('source_file') });
    expect(context.errors[0].steps.length).toBeGreaterThan(0);
    expect(message).toContain('tool "a": no file');
    const good = envelopeOf(await validateSkill({ path: '/p' }, answering({ valid: true, errors: [], warnings: [] })));
    expect(good.message).toContain('load_skill');
  });

  test('explain_rejection finds a package by either name, lists all, and says when there is none', async () => {
    const ctx = answering({ skipped });
    const one = envelopeOf(await explainRejection({ name: 'Exporter-v2' }, ctx));
    expect(ctx.calls[0]).toEqual({ tool: 'list_skills', args: { status: 'skipped', include_skipped: true } });
    expect(one.context.rejections[0].steps[1]).toContain('metadata.svc');
    expect(one.message).toContain('non_spec_top_level_keys');
    const all = envelopeOf(await explainRejection({}, answering({ skipped })));
    expect(all.context.rejected).toHaveLength(1);
    const none = envelopeOf(await explainRejection({ name: 'other' }, answering({ skipped })));
    expect(none).toMatchObject({ success: false, error: 'not_rejected' });
    expect(none.message).toContain('exporter');
  });

  test('an unknown reason code still gets steps, inherited names are not codes', async () => {
    for (const reason_code of ['brand_new', 'constructor']) {
      const answer = envelopeOf(
        await explainRejection({ name: 'exporter' }, answering({ skipped: [{ ...skipped[0], reason_code }] })),
      );
      expect(answer.context.rejections[0].steps[0]).toContain('validate_skill');
    }
  });
});
