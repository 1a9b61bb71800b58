import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../helper.ts';
import { modes, testServer } from '../../../server.ts';

describe.each(modes)('runWorkflow, spawn_mode %s', mode => {
  test('starts the steps as one job, which the bus follows to its end', async () => {
    const server = testServer(mode);
    const seen: unknown[] = [];
    await server.registerTool({ name: 'double' }, ({ n }) => ({ n: Number(n) * 2 }));
    await server.registerTool({ name: 'keep' }, ({ n }) => void seen.push(n));
    const updates: Record<string, unknown>[] = [];
    await server.bus.subscribe('job.updated', event => void updates.push(event.attributes as Record<string, unknown>));
    const { workflow_id, job_id } = await server.runWorkflow({
      workflow_id: 'nightly',
      steps: [
        { id: 'a', tool: 'double', arguments: { n: 21 } },
        { id: 'b', tool: 'keep', arguments: { n: '{{steps.a.n}}' } },
      ],
    });
    expect(workflow_id).toBe('nightly');
    await waitFor(() => updates.some(each => each.status === 'completed'), 'the end');
    expect(updates.map(each => [each.job_id, each.status])).toEqual([
      [job_id, 'pending'],
      [job_id, 'running'],
      [job_id, 'completed'],
    ]);
    expect(seen).toEqual([42]);
  });

  test('what is no workflow is refused with a sentence; without the plugin the operation says so', async () => {
    await expect(testServer(mode).runWorkflow({ steps: [] })).rejects.toMatchObject({ code: 'SVC_WORKFLOWS_INVALID' });
    await expect(testServer(mode).runWorkflow(undefined as never)).rejects.toThrow(/not valid/);
    const off = testServer(mode, {}, { plugins: { workflows: false } });
    await expect(off.runWorkflow({ steps: [{ id: 'a', tool: 'b' }] })).rejects.toMatchObject({
      code: 'SVC_SERVER_FEATURE_OFF',
    });
  });
});
