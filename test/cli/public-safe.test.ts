/** Everything that is made for the public, with every planted secret in every place that a user, a host or a file can write to. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeBundle } from '../../cli/svc-cli/bundle/bundle.ts';
import { readInstallReport } from '../../cli/svc-cli/bundle/install-report.ts';
import { issueText } from '../../cli/svc-cli/filing/issue-text.ts';
import { issueReport } from '../../plugins/debug/issue-report.ts';
import type { Finding } from '../../plugins/feedback/api.ts';
import { answering } from '../answering-gateway.ts';
import { tempDir } from '../helper.ts';
import { published } from '../kernel/published-secrets.ts';
import { corpus } from '../kernel/redaction-corpus.ts';
import { reviewed } from '../plugins/feedback/support.ts';

const planted = [...published, ...corpus];

/** What of the planted is left, and where. */
function survivors(outputs: readonly string[]): string[] {
  const all = outputs.join('\n').toLowerCase();
  const gone = new Set(planted.flatMap(each => each.gone.map(one => one.toLowerCase())));
  return [...gone].flatMap(each => {
    const at = all.indexOf(each);
    return at < 0 ? [] : [`${each}: ${all.slice(Math.max(0, at - 60), at + 60)}`];
  });
}

test('none of the corpus survives an issue, a bundle or a report of a call', async () => {
  const directory = await tempDir();
  const outputs: string[] = [];
  // Some at a time, as many as the texts of one finding hold.
  for (let at = 0; at < planted.length; at += 25) {
    const texts = planted.slice(Math.min(at, planted.length - 25), at + 25).map(each => each.text);
    const all = texts.join('\n');
    const finding = {
      ...reviewed,
      ...{ dcc_type: `maya ${texts[0]}`, host_version: texts[1], os: texts[2], tool_slug: texts[3], adapter: texts[4] },
      ...{
        intent: all,
        observed: `saw ${texts.join(' and ')}`,
        expected: JSON.stringify(texts),
        repro: { argv: texts },
      },
      evidence: {
        ...{ request_id: texts[5], job_id: texts[6], error_kind: texts[7], dcc_pid: 48213, [String(texts[8])]: texts },
        deep: [{ token: texts[9], value: JSON.stringify({ texts }) }],
        routing: { source: 'skill_metadata', skill_name: texts[10], repo: texts[11], issues_url: texts[12] },
      },
    } as unknown as Finding;
    const { title, body } = issueText(finding, []);
    outputs.push(title, body);

    const report = join(directory, 'report.json');
    const installed = {
      ...{ schema_version: 1, status: 'failed', dcc_type: 'maya', adapter_version: '1.2.3', core_version: '0.1.0' },
      ...{ error: { message: all, [String(texts[0])]: texts }, rollback: texts, stage: texts[1], unknown: all },
      steps: [{ id: 'x', status: 'ok', message: all, description: texts[2], more: texts }],
      next_steps: [
        { id: 'x', description: all, why: all, command: texts },
        { id: 'y', description: '', why: '', file_edit: { path: texts[0] || 'x', action: 'create', content: all } },
      ],
      receipt_path: texts[0],
      verify: { directly_usable: false, failure_stage: texts[3], failure_reason: all },
    };
    await writeFile(report, JSON.stringify(installed));
    const plain = { ...finding, dcc_type: 'maya', adapter: 'dcc-mcp-maya' };
    const line = {
      event: 'dcc_host_error',
      dcc_type: 'maya',
      dcc_pid: 48213,
      message: all,
      traceback: all,
      source: texts[0],
    };
    await writeFile(
      join(directory, 'svc-maya.48213.host-errors.log'),
      texts
        .map(
          each =>
            `dcc_mcp_core.host_errors: ${JSON.stringify({ ...line, source: each, exception_type: each, python_version: each })}`,
        )
        .join('\n'),
    );
    const rows = {
      request_id: texts[5] ?? '',
      trace_id: 'a',
      tool_slug: `maya.x.${texts[0]}`,
      total_ms: 1,
      ok: false,
      spans: [],
    };
    const reported = issueReport({
      trace: { ...rows, started_at: '', error: { kind: 'tool-error', message: all } } as never,
      ...{
        call: undefined,
        previous: [],
        events: [],
        raw: false,
        now: 0,
        names: [],
        linksOf: id => ({ issue_report: `/v1/debug/issue-reports/${encodeURIComponent(id)}` }),
        adminBase: '/admin/api',
      },
    });
    // An address tells as much escaped.
    outputs.push(decodeURIComponent(JSON.stringify(reported).replaceAll(/%(?![\da-f]{2})/gi, '%25')));
    const bundle = await makeBundle({
      ...{ finding, installReport: await readInstallReport(report, plain as unknown as Finding), names: [] },
      hostErrors: { pid: 48213, directory, maxLines: 200, names: [] },
      gateway: answering({ ...reported, request_id: texts[5], summary: { message: all } }),
      doctor: async () => ({
        checks: texts.map(message => ({ message, next: `run ${message}` })),
        [String(texts[0])]: texts,
        api_key: texts,
      }),
    });
    outputs.push(JSON.stringify(bundle));
    const alone = await makeBundle({
      ...{ finding: plain as unknown as Finding, installReport: undefined, names: [], doctor: async () => ({}) },
      hostErrors: { pid: 48213, directory, maxLines: 200, names: [] },
      gateway: async () => Promise.reject(new Error('none')),
    });
    expect(alone.components.host_errors.status).toBe('included');
    outputs.push(JSON.stringify(alone));
  }
  expect(survivors(outputs)).toEqual([]);
});
