/** Findings and gateways for the tests of feedback. */
import { createHash } from 'node:crypto';
import { gatewayFeedbackPlugin } from '../../../plugins/feedback/index.ts';
import { gatewayEventsPlugin } from '../../../plugins/gateway/events/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { registryPlugin } from '../../../plugins/instances/registry/index.ts';
import { listeningApp, tempDir } from '../../helper.ts';
import { type Json, raw } from '../rest/support.ts';

export { type Json, raw };

export const authored = {
  phase: 'dispatch',
  severity: 'blocker',
  tool_slug: 'maya.ab12cd34.make_sphere',
  intent: 'make a sphere',
  observed: 'nothing was made',
  expected: 'a sphere',
  repro: { steps: ['call make_sphere'] },
  evidence: { request_id: 'r-1' },
};

export const sha256 = (...lines: string[]): string =>
  `sha256:${createHash('sha256').update(lines.join('\n')).digest('hex')}`;

export const finding = {
  schema_version: 1,
  fingerprint: sha256('finding-v1', 'dcc-mcp/dcc-mcp-maya', 'dispatch', authored.tool_slug, '2026'),
  dcc_type: 'maya',
  adapter: 'dcc-mcp-maya',
  adapter_version: '1.2.3',
  core_version: '0.1.0',
  host_version: '2026.1',
  os: 'linux',
  ...authored,
  redaction_status: { mode: 'needs-review', redaction_markers_detected: false },
};

/** The same, as a reviewer lets the public read it. */
export const reviewed = {
  ...finding,
  redaction_status: {
    ...{ mode: 'public-safe', redaction_markers_detected: false },
    ...{ raw_payloads_excluded: true, prompts_excluded: true, scripts_excluded: true, auth_material_excluded: true },
    ...{ local_urls_excluded: true, absolute_paths_excluded: true, private_identifiers_excluded: true },
  },
};

/** A report of the installation of that adapter, with what the public need not read. */
export const step = { id: 's1', description: 'run it', why: 'it is needed' };
export const installed = {
  ...{ schema_version: 1, status: 'failed', dcc_type: 'maya', adapter_version: '1.2.3', core_version: '0.1.0' },
  ...{
    stage: 'verify',
    exit_code: 3,
    error: { code: 'E1', message: 'no /home/ada/x' },
    more: 'is allowed',
    rollback: [],
  },
  steps: [{ id: 'copy', status: 'ok', message: 'to C:\\Users\\ada\\x', extra: 1 }],
  next_steps: [
    {
      ...step,
      command: [
        'mayapy',
        '-m',
        'pip',
        'install',
        '--token',
        'hunter2',
        '--prefix=/opt/x',
        'src/a.py',
        'dcc-mcp-maya==1.2',
      ],
    },
    { ...step, id: 's2', file_edit: { path: '/etc/x', action: 'update', content: 'raw content' } },
  ],
  receipt_path: '/home/ada/receipt.json',
  verify: { directly_usable: false, failure_stage: 'import', failure_reason: 'ModuleNotFoundError in ~/maya/x.py' },
};

export const legacy = {
  ...{ tool_name: 'make_sphere', intent: 'make a sphere', blocker: 'it fails', severity: 'blocked' },
};

/** A gateway without instances. */
export async function feedbackGateway(options: ServerOptions = {}) {
  const registry_dir = options.registry_dir ?? (await tempDir());
  const plugins = [registryPlugin, gatewayEventsPlugin, gatewayFeedbackPlugin];
  const { app, url } = await listeningApp(plugins, { ...options, registry_dir });
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    raw(url, '/v1/feedback', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const list = (query = '') => raw(url, `/admin/api/feedback${query}`);
  return { app, url, registry_dir, post, list };
}
