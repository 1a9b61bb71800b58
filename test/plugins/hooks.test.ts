/** Policy hooks of plugins of other packages, at an instance and at a gateway, through what the package exports alone. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { openGateway, type WorkflowReceipt } from '../../plugins/index.ts';
import { testEnv } from '../environment.ts';
import { tempDir, testConfig, waitFor } from '../helper.ts';
import { callTool, testServer } from '../server.ts';
import { connect } from '../spec/wire.ts';
import { startInstance } from './gateway/rig.ts';

/** A plugin whose hook answers as the rationale of the call says. */
async function hooked(): Promise<string> {
  const file = join(await tempDir(), 'hooked.mjs');
  const door = pathToFileURL(join(packageRoot, 'kernel', 'light.ts')).href;
  await writeFile(
    file,
    `import { definePlugin } from '${door}';
const answers = {
  reason: () => 'because',
  object: () => ({ reason: 'frozen scene', code: 'frozen' }),
  later: async () => ({ reason: 'late but sure', code: 'slow' }),
  throws: () => { throw new Error('policy server down'); },
  odd: () => 42,
  never: () => new Promise(() => undefined),
  no: () => false,
};
export default definePlugin({ name: 'hooked' }, (app, { kernel, scope }) => {
  scope.add('hook', kernel.hooks.before('tool.dispatched', event => answers[event.attributes.rationale]?.()));
  let refused;
  try { kernel.hooks.before('tool.completed', () => true); } catch (error) { refused = error.message; }
  app.get('/refused', () => ({ refused }));
});
`,
  );
  return file;
}

/** What a call is refused with, by what the hook answers; null: it is not. */
const verdicts: Readonly<Record<string, { veto_code: string; veto_reason: unknown } | null>> = {
  allowed: null,
  no: null,
  reason: { veto_code: 'vetoed', veto_reason: 'because' },
  object: { veto_code: 'frozen', veto_reason: 'frozen scene' },
  later: { veto_code: 'slow', veto_reason: 'late but sure' },
  throws: { veto_code: 'vetoed', veto_reason: 'hook failed: policy server down' },
  odd: { veto_code: 'vetoed', veto_reason: 'hook returned an unsupported number' },
  never: { veto_code: 'vetoed', veto_reason: expect.stringContaining('did not answer within 500 ms') },
};
const notVetoable = '"tool.completed" cannot be vetoed: use one of skill.loading, tool.dispatched';

test('at an instance: each answer of a hook, in the shapes of REST and of both kinds of revision', async () => {
  const server = testServer(
    'ambient',
    { request_timeout_ms: 500, dcc_type: 'maya' },
    { plugins: { [await hooked()]: true } },
  );
  await server.registerTool({ name: 'work', description: 'Works.' }, () => 'done');
  const service = await server.start();
  const origin = new URL(service.mcpUrl()).origin;
  expect(await (await fetch(`${origin}/refused`)).json()).toEqual({ refused: expect.stringContaining(notVetoable) });
  const [older, newer] = [
    await connect(service.mcpUrl()),
    await connect(service.mcpUrl(), { protocolVersion: '2025-11-25' }),
  ];
  for (const [rationale, verdict] of Object.entries(verdicts)) {
    const meta = { dcc: { rationale } };
    const body = JSON.stringify({ tool_slug: 'maya.host.work', arguments: {}, meta });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const rest = await fetch(`${origin}/v1/call`, { method: 'POST', headers, body });
    const { error } = await older.request('tools/call', { name: 'work', arguments: {}, _meta: meta });
    const result = await newer.call('work', {}, meta);
    expect([rest.status, rationale]).toEqual([verdict ? 403 : 200, rationale]);
    if (!verdict) {
      expect([error, result.isError], rationale).toEqual([undefined, undefined]);
      continue;
    }
    const told = { code: 'EVENT_VETOED', ...verdict };
    expect(await rest.json(), rationale).toMatchObject({ kind: 'policy-denied', code: told.code, context: verdict });
    expect(error, rationale).toMatchObject({ code: -32002, data: told });
    expect(result, rationale).toMatchObject({ isError: true, _meta: { dcc: { error: told } } });
  }
  expect((await callTool(service, 'work')).status).toBe(200);
});

test('at a gateway: the same answers, in its envelope', async () => {
  const [registry_dir, plugin] = [await tempDir(), await hooked()];
  const definition = { name: 'work', description: 'Works.' };
  const { id8 } = await startInstance(registry_dir, {
    dcc_type: 'maya',
    tools: [{ definition, handler: () => 'done' }],
  });
  const options = { registry_dir, gateway_port: 0, request_timeout_ms: 500, gateway_plugins: { [plugin]: true } };
  const gateway = await openGateway({ config: testConfig(options as never), env: testEnv, standalone: false });
  onTestFinished(() => gateway.close());
  const tool_slug = `maya.${id8}.work`;
  const call = async (rationale: string) => {
    const answer = await fetch(`${gateway.origin}/v1/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ tool_slug, arguments: {}, meta: { dcc: { rationale } } }),
    });
    return { status: answer.status, body: (await answer.json()) as object };
  };
  await waitFor(async () => (await call('allowed')).status === 200, 'the tool at the gateway');
  for (const [rationale, verdict] of Object.entries(verdicts)) {
    const { status, body } = await call(rationale);
    expect([status, rationale]).toEqual([verdict ? 403 : 200, rationale]);
    const error = { kind: 'policy-denied', code: 'EVENT_VETOED', retryable: false, ...verdict };
    if (verdict) expect(body, rationale).toMatchObject({ error });
  }
  const { refused } = (await (await fetch(`${gateway.origin}/refused`)).json()) as { refused: string };
  expect(refused).toContain(notVetoable);
});

test('a step of a workflow, which has no deadline of its own, waits for its hook as any call does', async () => {
  const server = testServer('dedicated');
  await server.registerTool({ name: 'work', description: 'Works.' }, () => ({ worked: true }));
  await server.bus.before('tool.dispatched', async () => {
    await new Promise(resolve => setTimeout(resolve, 20));
  });
  const ended: unknown[] = [];
  await server.bus.on('workflow.updated', ({ attributes }) => ended.push(attributes));
  await server.start();
  const receipt: WorkflowReceipt = await server.runWorkflow({ steps: [{ id: 'one', tool: 'work' }] } as never);
  expect(receipt).toBeDefined();
  await waitFor(() => /completed|failed/.test(JSON.stringify(ended.at(-1) ?? '')), 'the end of the workflow');
  expect(JSON.stringify(ended.at(-1))).not.toMatch(/failed|vetoed/);
});

test.each(['ambient', 'dedicated'] as const)('%s: a hook of the host vetoes in the same words', async mode => {
  const server = testServer(mode, { dcc_type: 'maya' });
  const answers: readonly [() => unknown, string][] = [
    [() => server.bus.veto('frozen', 'locked'), 'frozen'],
    [() => () => true, 'hook returned an unsupported function'],
    [async () => Promise.reject(new Error('no licence')), 'hook failed: no licence'],
  ];
  let answer: () => unknown = () => undefined;
  await server.bus.before('tool.dispatched', () => answer());
  await server.registerTool({ name: 'work', description: 'Works.' }, () => 'done');
  const service = await server.start();
  for (const [given, reason] of answers) {
    answer = given;
    expect(JSON.stringify((await callTool(service, 'work')).body)).toContain(JSON.stringify(reason));
  }
  answer = () => undefined;
  expect((await callTool(service, 'work')).status).toBe(200);
});
