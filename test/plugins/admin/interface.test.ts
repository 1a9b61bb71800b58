/** `/admin/api/*` of its own over a real gateway with a real instance: series, tasks, skills; and what bad questions get. */
import { expect, test } from 'vitest';
import { adminPlugin } from '../../../plugins/admin/index.ts';
import { debugPlugin } from '../../../plugins/debug/index.ts';
import { gatewayRestPlugin } from '../../../plugins/gateway/rest/index.ts';
import { webhooksPlugin } from '../../../plugins/webhooks/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { startGateway } from '../gateway/rig.ts';
import { type Json, raw, startHost, toolsOfHost } from '../gateway/support.ts';

const skill = '---\nname: paint\ndescription: Paints.\nmetadata:\n  svc:\n    tools: tools.yaml\n---\nUse it.\n';
const packages = {
  paint: {
    'SKILL.md': skill,
    'tools.yaml': 'tools:\n  - name: fill\n    description: Fills.\n    source_file: fill.ts\n',
    'fill.ts': 'export default () => 1;\n',
  },
  broken: { 'SKILL.md': '---\nname: broken\ndescription: No.\ncolour: red\n---\n' },
};

test('calls over time, jobs and skills of every instance', async () => {
  const { app, url, registry_dir, backend } = await startGateway(
    [...[gatewayRestPlugin, debugPlugin, webhooksPlugin, adminPlugin]],
    { etc_dir: await tempDir() },
  );
  const host = await startHost(registry_dir, {
    packages,
    setup(server) {
      toolsOfHost(server);
      server.registerTool({ name: 'leaks_late', description: 'Leaks.', execution: 'async' }, async () => ({
        ...{ password: 'hunter2', note: 'password=hunter3' },
        frames: Array.from({ length: 40_000 }, (_, index) => index),
      }));
    },
  });
  await backend(host.id);
  await app.capabilities.refresh();
  const get = (path: string) => raw(url, `/admin/api/${path}`);
  const call = (name: string) =>
    raw(url, '/v1/call', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tool_slug: `maya.${host.short}.${name}`, arguments: { text: 'x' } }),
    });
  for (const name of ['echo', 'echo', 'throws', 'render']) await call(name);

  const series = await get('analytics/timeseries?range=1m&step=1s');
  const points = series.json.points as Json[];
  const sum = (member: string): number => points.reduce((all, each) => all + Number(each[member]), 0);
  expect([series.json.step_ms, sum('calls'), sum('failed')]).toEqual([1000, 4, 1]);
  const busy = points.find(each => Number(each.calls) > 0);
  expect(busy).toMatchObject({ p50_ms: expect.any(Number), p95_ms: expect.any(Number) });
  // Both doors show the same, however it is asked for; the last second may have passed between them.
  for (const query of ['', '?range=30d', '?range=5m&step=1m']) {
    const read = async (door: string): Promise<Json> => (await raw(url, `${door}/analytics/timeseries${query}`)).json;
    const [here, there] = [await read('/admin/api'), await read('/v1/debug')];
    expect(Object.keys(here)).toEqual(['range', 'bucket', 'step_ms', 'points']);
    expect((here.points as Json[]).at(-1)).toEqual((there.points as Json[]).at(-1));
  }

  const tasks = await waitFor(async () => {
    const { json } = await get('tasks');
    return (json.tasks as Json[]).some(each => each.status === 'completed') && json;
  }, 'the job that has ended');
  expect(tasks).toMatchObject({ total: 1, tasks: [{ tool: 'render', instance_id: host.id, dcc_type: 'maya' }] });

  const { job_id } = ((tasks as Json).tasks as Json[])[0] as Json;
  const job = await get(`tasks/${job_id}`);
  expect(job.json).toMatchObject({
    ...{ job_id, status: 'completed', error: null, instance_id: host.id, dcc_type: 'maya' },
    result: { mime_type: 'application/json', truncated: false },
  });
  expect(JSON.parse(String((job.json.result as Json).content))).toMatchObject({ frames: 3 });
  // What a job ended with may be long, and may hold what nobody is to see.
  await call('leaks_late');
  const leaked = await waitFor(async () => {
    const found = ((await get('tasks')).json.tasks as Json[]).find(each => each.tool === 'leaks_late');
    return found?.completed_at ? (await get(`tasks/${found.job_id}`)).json : undefined;
  }, 'the second job');
  const { content, truncated, original_size } = leaked.result as Json;
  expect([String(content).length, truncated, Number(original_size) > 200_000]).toEqual([4096, true, true]);
  expect(JSON.stringify(leaked)).not.toContain('hunter');
  expect(String(content)).toContain('[redacted]');

  const skills = await get('skills');
  expect(skills.json).toMatchObject({
    ...{ total: 1, loaded: 0, unread: [] },
    skills: [{ name: 'paint', loaded: false, instance_id: host.id, dcc_type: 'maya' }],
    skipped: [{ directory_name: 'broken', suggested_fix: expect.stringContaining('metadata.svc') }],
  });
  const detail = await get(`skill-detail?name=paint&instance_id=${host.id}`);
  expect(detail.json).toMatchObject({ name: 'paint', tools: [{ name: 'fill' }] });

  // The debug reads mirror them, for the same people.
  const mirrored = [
    'skills',
    `skill-detail?name=paint&instance_id=${host.id}`,
    'tasks',
    `tasks/${job_id}`,
    'integrations',
  ];
  for (const path of mirrored) {
    const [here, there] = [await get(path), await raw(url, `/v1/debug/${path}`)];
    expect([path, there.status, Object.keys(there.json)]).toEqual([path, 200, Object.keys(here.json)]);
    for (const door of ['/admin/api', '/v1/debug']) {
      const far = await raw(url, `${door}/${path}`, { headers: { 'x-real-ip': '203.0.113.9' } });
      expect([path, far.status, (far.json.error as Json).kind]).toEqual([path, 403, 'policy-denied']);
    }
    const toon = await raw(url, `/v1/debug/${path}${path.includes('?') ? '&' : '?'}compact=true`);
    expect(toon.headers['content-type']).toBe('application/toon');
  }

  for (const [path, status, told] of [
    ['skills?name=paint', 400, '"name" is no parameter of this read'],
    ['analytics/timeseries?range=soon', 400, '"range" must be a span'],
    ['analytics/timeseries?range=7d&step=1s', 400, '"step" must be longer'],
    ['tasks/nobody', 404, 'nobody'],
    ['skill-detail?name=paint', 400, '"instance_id"'],
    [`skill-detail?name=nobody&instance_id=${host.id}`, 400, 'nobody'],
    ['skill-detail?name=paint&instance_id=ffffffff-0000-4000-8000-000000000000', 404, 'ffffffff'],
  ] as const) {
    const answer = await get(path);
    expect([path, answer.status, (answer.json.error as Json).message]).toEqual([
      path,
      status,
      expect.stringContaining(told),
    ]);
  }
});

test('without the page, the reads stay', async () => {
  const { url } = await startGateway([gatewayRestPlugin, debugPlugin, adminPlugin], { admin_enabled: false });
  for (const path of ['skills', 'tasks', 'health']) {
    expect([path, (await raw(url, `/v1/debug/${path}`)).status]).toEqual([path, 200]);
    expect([path, (await raw(url, `/admin/api/${path}`)).status]).toEqual([path, 404]);
  }
});
