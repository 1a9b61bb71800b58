/** update(), registerPrompt() and registerJobType(), seen by real clients, in both spawn modes. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { InstanceUpdate } from '../../../plugins/index.ts';
import { tempDir, waitFor } from '../../helper.ts';
import { modes, testServer } from '../../server.ts';
import { connect } from '../../spec/wire.ts';
import { sdkClient } from '../prompts/support.ts';

describe.each(modes)('features of the host, spawn_mode %s', mode => {
  test('update: scene, documents, status and display name stand in the row; the same again writes nothing', async () => {
    const registry_dir = await tempDir();
    const server = testServer(mode, { registry_dir, heartbeat_secs: 0, scene: '/a.ma' });
    await server.update({ display_name: 'Shot A' });
    const { instance_id } = await server.start();
    const rowFile = await waitFor(async () => {
      const files = await readdir(registry_dir, { recursive: true });
      return files.find(each => each.includes(String(instance_id)) && each.endsWith('.json'));
    }, 'the row');
    const row = async () => JSON.parse(await readFile(join(registry_dir, rowFile), 'utf8'));
    expect(await row()).toMatchObject({ display_name: 'Shot A', scene: '/a.ma', documents: ['/a.ma'] });
    const changes: InstanceUpdate = { scene: '/b.ma', documents: ['/b.ma', '/c.ma'], status: 'busy' };
    await server.update(changes);
    expect(await row()).toMatchObject({ ...changes, display_name: 'Shot A' });
    const written = async () => {
      const { mtimeNs, ino } = await stat(join(registry_dir, rowFile), { bigint: true });
      return `${ino} ${mtimeNs}`;
    };
    const before = await written();
    await server.update(changes);
    await server.update({});
    expect(await written()).toBe(before);
    await expect(server.update({ status: 'asleep' } as never)).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
      details: { field: 'status' },
    });
    await expect(server.update({ sceen: '/b.ma' } as never)).rejects.toThrow(/"sceen" is not a known field/);
  });

  test('update: an instance that is not ready says so at /v1/readyz and in its row, until it is', async () => {
    const registry_dir = await tempDir();
    const server = testServer(mode, { registry_dir, heartbeat_secs: 0 });
    await server.update({ ready: false });
    const service = await server.start();
    const readyz = async () => (await fetch(new URL('/v1/readyz', service.mcpUrl()))).status;
    const status = async () => {
      const files = await readdir(registry_dir, { recursive: true });
      const file = files.find(each => each.includes(String(service.instance_id)) && each.endsWith('.json'));
      return file && JSON.parse(await readFile(join(registry_dir, file), 'utf8')).status;
    };
    expect(await readyz()).toBe(503);
    expect(await status()).toBe('booting');
    await server.update({ ready: true });
    await waitFor(async () => (await status()) === 'available', 'the row of a ready instance');
    expect(await readyz()).toBe(200);
    await server.update({ ready: false });
    expect([await readyz(), await status()]).toEqual([503, 'booting']);
    await server.update({ ready: true });
    expect([await readyz(), await status()]).toEqual([200, 'available']);
  });

  test('registerPrompt: a template or a handler of the host; clients are told, render and complete it', async () => {
    const server = testServer(mode);
    const fixed = await server.registerPrompt({
      name: 'greet',
      description: 'Greets',
      arguments: [{ name: 'who', required: true, values: ['Ada', 'Alan'] }],
      template: 'Hello {{who}}',
    });
    const service = await server.start();
    const { client, told } = await sdkClient(new URL('/', service.mcpUrl()).href);
    const text = async (name: string, args: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name, arguments: args });
      return messages.map(each => (each.content as { text: string }).text);
    };
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'greet', arguments: [{ required: true }] }]);
    expect(await text('greet', { who: 'Ada' })).toEqual(['Hello Ada']);
    const ref = { type: 'ref/prompt', name: 'greet' } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'who', value: 'al' } });
    expect(completion.values).toEqual(['Alan']);

    const seen: unknown[] = [];
    const live = await server.registerPrompt(
      { name: 'scene_review', arguments: [{ name: 'focus', default: 'lights' }] },
      args => {
        seen.push(args);
        if (args.focus === 'none') throw new Error('no scene is open');
        if (args.focus === 'two') {
          return { messages: ['a', 'b'].map(each => ({ role: 'user', content: { type: 'text', text: each } })) };
        }
        return `Review the ${args.focus}`;
      },
    );
    await waitFor(() => told.count > 0, 'list_changed');
    expect(await text('scene_review', {})).toEqual(['Review the lights']);
    expect(await text('scene_review', { focus: 'two' })).toEqual(['a', 'b']);
    expect(seen[0]).toEqual({ focus: 'lights' });
    await expect(text('scene_review', { focus: 'none' })).rejects.toThrow(/no scene is open/);

    await expect(server.registerPrompt({ name: 'greet', template: 'x' })).rejects.toMatchObject({
      code: 'SVC_KERNEL_DUPLICATE',
    });
    await expect(server.registerPrompt({ name: 'empty' })).rejects.toThrow(/template must be given/);
    await expect(server.registerPrompt({ name: 'no good', template: 'x' })).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
      details: { field: 'definition.name' },
    });
    const before = told.count;
    await live();
    await fixed();
    await waitFor(() => told.count > before, 'list_changed');
    expect((await client.listPrompts()).prompts).toEqual([]);
  });

  test('registerJobType: jobs_poll_contract answers how its jobs are polled, until it is taken back', async () => {
    const server = testServer(mode);
    const contract = {
      owner: 'adapter',
      tool: 'farm_status',
      argument_field: 'ticket',
      output: { dir: '/renders', extensions: ['EXR'] },
    } as const;
    const undo = await server.registerJobType('submit_to_farm', contract);
    const wire = await connect((await server.start()).mcpUrl());
    const told = async () => {
      const params = { name: 'jobs_poll_contract', arguments: { job_type: 'submit_to_farm' } };
      const { content } = await wire.result('tools/call', params);
      return JSON.parse((content as { text: string }[])[0]?.text ?? 'null');
    };
    expect(await told()).toEqual({
      registered: true,
      job_type: 'submit_to_farm',
      poll: { owner: 'adapter', tool: 'farm_status', argument_field: 'ticket' },
      output: { dir: '/renders', extensions: ['.exr'] },
    });
    await expect(server.registerJobType(' ', contract)).rejects.toMatchObject({ code: 'SVC_JOBS_POLL_INVALID' });
    await expect(server.registerJobType('x', { owner: 'me', tool: 't' } as never)).rejects.toMatchObject({
      code: 'SVC_SERVER_INVALID_ARGUMENT',
      details: { field: 'contract.owner' },
    });
    await undo();
    expect(await told()).toMatchObject({ registered: false, reason: 'job_type_not_registered' });
  });
});
