/** From an agent's finding to a filed issue, by the built programs, an official client and the stand-in for `gh`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { waitFor } from '../helper.ts';
import { type Json, reviewed } from '../plugins/feedback/support.ts';
import { trackerWith } from '../tracker.ts';
import { createWorld } from './gateway-program.ts';
import { listening, runNode } from './program.ts';

test('an agent reports; the finding is listed, routed, bundled, planned and filed once, when two file it', async () => {
  const world = await createWorld();
  const tracked = await trackerWith();
  world.gateway('--gateway-persist');
  await waitFor(world.health, 'the gateway', 20_000);
  const { mcp_url } = await listening(world.serve('--dcc-type', 'maya', '--dcc-version', '2026.1', '--feedback-tool'));

  const client = new Client({ name: 'agent', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp_url)));
  const told = await client.callTool({
    name: 'dcc_feedback__report',
    arguments: {
      ...{ phase: 'dispatch', severity: 'blocker', tool_slug: 'make_sphere', intent: 'make a sphere' },
      ...{ observed: 'nothing was made', expected: 'a sphere', repro: { steps: ['call make_sphere'] }, evidence: {} },
    },
  });
  const [{ text = '' } = {}] = told.content as { text?: string }[];
  const { success, context: receipt } = JSON.parse(text) as { success: boolean; context: Json };
  expect([success, receipt]).toMatchObject([true, { schema_version: 1 }]);

  const env = { ...tracked.env, SVC_REGISTRY_DIR: world.directory, SVC_GATEWAY_PORT: String(world.port) };
  const cli = async (argv: readonly string[]) => {
    const run = runNode(join(packageRoot, 'dist', 'svc-cli.js'), argv, env, tracked.folder);
    const code = await run.ended;
    return { code, value: JSON.parse(run.stdout() || run.stderr()) as Json };
  };
  const listed = (await cli(['feedback', 'list', '--json'])).value as { entries: Json[] };
  const [{ id, timestamp: _, ...finding } = {}] = listed.entries;
  expect(id).toBe(receipt.feedback_id);
  // What a person does who has read it.
  await writeFile(
    join(tracked.folder, 'finding.json'),
    JSON.stringify({ ...finding, redaction_status: reviewed.redaction_status }),
  );
  const [routed, bundled, planned] = await Promise.all(
    ['route', 'bundle', 'file'].map(each => cli(['feedback', each, 'finding.json', '--json'])),
  );
  expect(routed?.value).toMatchObject({ repo: 'dcc-mcp/dcc-mcp-maya', rationale: 'adapter_phase' });
  expect(bundled?.value).toMatchObject({
    ...{ privacy_mode: 'public-safe', version_matrix: { dcc_type: 'maya', host: '2026.1' } },
    components: { issue_report: { status: 'not_applicable' }, doctor: { status: 'included' } },
  });
  const { fingerprint, next_step } = (planned?.value ?? {}) as { fingerprint: string; next_step: { argv: string[] } };
  expect(fingerprint).toBe(receipt.fingerprint);
  const both = await Promise.all([1, 2].map(() => cli(next_step.argv.slice(1))));
  expect(both.map(each => each.code).sort()).toEqual([0, 7]);
  expect(await tracked.issues()).toMatchObject([{ number: 1, body: expect.stringContaining(fingerprint) }]);
  expect((await cli(['feedback', 'file', 'finding.json'])).value).toMatchObject({
    recommendation: { action: 'comment_existing', issue_number: 1 },
  });
});
