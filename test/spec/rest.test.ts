/** Prompts over MCP, and what the specification says of the REST twin. */
import { describe, expect } from 'vitest';
import { skillFolder, startConnected, startServer } from './fixture.ts';
import { verifies } from './verifies.ts';
import type { Json } from './wire.ts';

/** POSTs JSON to a REST route. */
async function send(base: string, path: string, body: Json) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const answer = await fetch(new URL(path, base), { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
}

describe('prompts', () => {
  verifies(['mcp:prompts-list'], 'prompts/list lists the prompts of loaded skills', async () => {
    const prompts = {
      'prompts.yaml':
        'prompts:\n  - name: review\n    description: Reviews a shot.\n    arguments:\n      - { name: shot, required: true }\n    template: "Look at {{shot}}."\n',
    };
    const { client, server } = await startConnected({ skill_paths: [await skillFolder({ rig: { files: prompts } })] });
    expect(await client.result('prompts/list')).toEqual({ prompts: [] });
    await server.loadSkill('rig');
    expect(await client.result('prompts/list')).toEqual({
      prompts: [
        {
          name: 'review',
          description: 'Reviews a shot.',
          arguments: [expect.objectContaining({ name: 'shot', required: true })],
        },
      ],
    });
    expect(await client.result('prompts/get', { name: 'review', arguments: { shot: '010' } })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Look at 010.' } }],
    });
    expect((await client.request('prompts/get', { name: 'review' })).error?.code).toBe(-32602);
    expect((await client.request('prompts/list', { cursor: 'zz' })).error?.code).toBe(-32602);
    await server.unloadSkill('rig');
    expect(await client.result('prompts/list')).toEqual({ prompts: [] });
  });
});

describe('the REST twin', () => {
  verifies(
    ['tool:instance-slug'],
    'the slug of a tool is <dcc>.<skill>.<action>, from the first request on',
    async () => {
      const skill_paths = [await skillFolder({ rig: { dcc: 'maya', tools: [{ name: 'bind' }] } })];
      const { service } = await startServer({ skill_paths });
      const url = service.mcpUrl();
      expect((await send(url, '/v1/load_skill', { skill_name: 'rig' })).body.new_tool_slugs).toEqual(['maya.rig.bind']);
      const called = await send(url, '/v1/call', { tool_slug: 'maya.rig.bind', arguments: { n: 1 } });
      expect(called).toMatchObject({ status: 200, body: { slug: 'maya.rig.bind', output: { n: 1 } } });
    },
  );

  verifies(['error:rest-envelope'], 'an error has kind, message and request_id', async () => {
    const { service } = await startConnected({}, server => {
      server.registerTool(
        { name: 'typed', input_schema: { type: 'object', properties: { n: { type: 'number' } } } },
        () => ({}),
      );
    });
    const url = service.mcpUrl();
    const cases: [string, Json, number, string][] = [
      ['/v1/call', { tool_slug: 'nobody.at.home' }, 404, 'unknown-slug'],
      ['/v1/call', {}, 400, 'bad-request'],
      ['/v1/load_skill', { skill_name: 'nobody' }, 404, 'skill-not-found'],
      ['/v1/no_such_route', {}, 404, 'not-found'],
    ];
    for (const [path, body, status, kind] of cases) {
      const answer = await send(url, path, body);
      expect(answer, path).toMatchObject({ status, body: { kind, message: expect.stringMatching(/\S/) } });
      expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
    }
  });
});
