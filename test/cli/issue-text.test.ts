/** What of a finding the public gets to read, and in which form. */
import { expect, test } from 'vitest';
import { issueText, keywordsOf } from '../../cli/svc-cli/filing/issue-text.ts';
import { textOf } from '../../cli/svc-cli/filing/plan.ts';
import type { Snapshot } from '../../cli/svc-cli/filing/snapshot.ts';
import type { Finding } from '../../plugins/feedback/api.ts';
import { reviewed } from '../plugins/feedback/support.ts';

const of = (changes: object): Finding => ({ ...reviewed, ...changes }) as Finding;

test('a body holds the reviewed fields and nothing of the evidence', () => {
  const evidence = {
    request_id: 'r-77',
    job_id: 'j-77',
    instance_id: 'i-77',
    run_id: 'u-77',
    dcc_pid: 48213,
    extra: 'xyzzy',
  };
  const { title, body } = issueText(of({ evidence }), []);
  expect(title).toBe('agent report: maya dispatch maya.ab12cd34.make_sphere');
  expect(body).not.toMatch(/-77|48213|xyzzy/);
  expect(body.split('\n')).toEqual([
    `<!-- finding ${reviewed.fingerprint} -->`,
    ...['', '| field | value |', '| --- | --- |', `| fingerprint | \`${reviewed.fingerprint}\` |`],
    ...['| dcc_type | `maya` |', '| adapter | `dcc-mcp-maya` |', '| adapter_version | `1.2.3` |'],
    ...['| core_version | `0.1.0` |', '| host_version | `2026.1` |', '| os | `linux` |', '| phase | `dispatch` |'],
    ...['| severity | `blocker` |', '| subject | `maya.ab12cd34.make_sphere` |'],
    ...[
      '',
      '## Intent',
      '',
      '```text',
      'make a sphere',
      '```',
      '',
      '## Observed',
      '',
      '```text',
      'nothing was made',
      '```',
    ],
    ...['', '## Expected', '', '```text', 'a sphere', '```'],
    ...['', '## Reproduction', '', '```text', '1. call make_sphere', '```', ''],
  ]);
  const argv = issueText(of({ repro: { argv: ['render', '--frames', '3'] } }), []).body;
  expect(argv).toContain('```text\nrender\n--frames\n3\n```');
});

test('nothing in it is markup, a mention or a secret', () => {
  const observed = 'a ```js\n@ada --> # x\n```` \u0007 /home/ada/x.ma with ghp_aB3dE6gH9jK2mN5aB3dE6gH9jK2mN5aB3dE6';
  const { body, title } = issueText(of({ observed, os: 'li|n`ux\nx', tool_slug: 'a"b:c/d\ne' }), ['lovelace']);
  expect(body).toContain('`````text\na ```js\n@ada --> # x\n````');
  expect(body).not.toMatch(/home|ghp_|\p{Cc}(?<!\n)/u);
  expect(body).toContain("| os | `li\\|n'ux x` |");
  expect(title).not.toContain('\n');
  expect(keywordsOf(of({ tool_slug: 'a"b:c/d' }))).toEqual(['"maya"', '"dispatch"', '"a_b_c_d"']);
  expect(keywordsOf(of({ tool_slug: undefined, evidence: { error_kind: 'Lost' } }))[2]).toBe('"Lost"');
  expect(issueText(of({ intent: 'for lovelace' }), ['lovelace']).body).not.toContain('lovelace');
});

test('a body has at most 65,536 characters, not bytes', () => {
  const steps = (characters: number) =>
    of({ repro: { steps: Array.from({ length: 64 }, () => '🦊'.repeat(characters)) } });
  const snapshot = (finding: Finding) => ({ finding }) as Snapshot;
  expect([...textOf(snapshot(steps(1000)), []).body].length).toBeGreaterThan(64_000);
  expect(() => textOf(snapshot(steps(1024)), [])).toThrow(/a tracker takes 65536/);
});
