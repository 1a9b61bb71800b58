/** The gateway as its users meet it: servers started by hand, one address, the official client and plain HTTP. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { tempDir, waitFor } from '../helper.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { createWorld, kill } from './gateway-program.ts';
import { listening } from './program.ts';

interface Hit {
  tool_slug: string;
  instance_id: string;
  dcc_type: string;
  loaded: boolean;
  next_step: { rest: { method: string; path: string; body: unknown }; mcp: { tool: string; arguments: unknown } };
}

const slow = 120_000;

/** A skill with one tool that tells which host it runs in. */
const shotSkill = (host: string) => ({
  description: 'Publishes shots.',
  dcc: host,
  tools: [
    {
      name: 'publish_shot',
      description: 'Publishes a shot to the review server.',
      body: `return { host: '${host}', shot: args.shot, pid: process.pid };`,
      input_schema: { type: 'object', properties: { shot: { type: 'string' } }, required: ['shot'] },
    },
  ],
});

test(
  'three servers of two host types behind the daemon that the first launched: search, describe, load, call; a killed server is no longer offered, a killed daemon is back',
  async () => {
    const world = await createWorld();
    const [mayaSkills, blenderSkills] = [await tempDir(), await tempDir()];
    await writeSkill(mayaSkills, 'shots', shotSkill('maya'));
    await writeSkill(blenderSkills, 'shots', shotSkill('blender'));
    const serve = (host: string, skills: string) => world.serve('--dcc-type', host, '--skill-paths', skills);
    const runs = [serve('maya', mayaSkills), serve('maya', mayaSkills), serve('blender', blenderSkills)];
    const servers = await Promise.all(runs.map(listening));
    const daemon = await world.daemon();
    const origin = `http://127.0.0.1:${world.port}`;

    const rest = async (path: string, body: unknown, method = 'POST') => {
      const response = await fetch(`${origin}${path}`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(method === 'POST' && { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: (await response.json()) as Record<string, unknown> };
    };
    const search = async (query: string): Promise<Hit[]> =>
      (await rest('/v1/search', { query })).json.hits as unknown as Hit[];

    // Nobody names a port but the gateway's.
    await waitFor(async () => (await search('publish shot')).length === 3, 'the tool of all three', 20_000);
    const hits = await search('publish shot');
    expect(hits.map(each => each.dcc_type).sort()).toEqual(['blender', 'maya', 'maya']);
    expect(hits.every(each => !each.loaded)).toBe(true);

    // Each next step is sent as it stands: load, then describe, then the call.
    const blender = hits.find(each => each.dcc_type === 'blender') as Hit;
    const { method, path, body } = blender.next_step.rest;
    const loaded = await rest(path, body, method);
    expect(loaded).toMatchObject({ status: 200, json: { loaded: true } });
    const described = await rest('/v1/describe', { tool_slug: blender.tool_slug });
    expect(JSON.stringify(described.json)).toContain('"shot"');
    const called = await rest('/v1/call', { tool_slug: blender.tool_slug, arguments: { shot: '010' } });
    expect(called.json).toMatchObject({ structuredContent: { host: 'blender', shot: '010' } });

    // The same through the official client.
    const client = new Client({ name: 'story', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)) as never);
    const { tools } = await client.listTools();
    expect(tools.map(each => each.name).sort()).toEqual(['call', 'describe', 'load_skill', 'search']);
    const maya = hits.find(each => each.instance_id === servers[0]?.instance_id) as Hit;
    await client.callTool({
      name: maya.next_step.mcp.tool,
      arguments: maya.next_step.mcp.arguments as Record<string, unknown>,
    });
    const answer = await client.callTool({
      name: 'call',
      arguments: { tool_slug: maya.tool_slug, arguments: { shot: '020' } },
    });
    expect(answer.structuredContent).toMatchObject({ host: 'maya', shot: '020' });

    // One server dies; calls to the others go on without a single failure.
    let failures = 0;
    let calls = 0;
    let calling = true;
    const others = (async () => {
      while (calling) {
        const { status } = await rest('/v1/call', { tool_slug: blender.tool_slug, arguments: { shot: '030' } });
        calls += 1;
        if (status !== 200) failures += 1;
      }
    })();
    const gone = servers[1] as { pid: number; instance_id: string };
    kill(gone.pid);
    await waitFor(
      async () => (await search('publish shot')).every(each => each.instance_id !== gone.instance_id),
      'the search without the killed server',
      10_000,
    );
    calling = false;
    await others;
    expect(calls).toBeGreaterThan(0);
    expect(failures).toBe(0);
    const listed = await rest('/v1/instances', undefined, 'GET');
    expect((listed.json.instances as { instance_id: string }[]).map(each => each.instance_id).sort()).toEqual(
      [servers[0]?.instance_id, servers[2]?.instance_id].sort(),
    );

    // The daemon dies; a server that watches it brings another, which knows them all.
    kill(daemon);
    await world.daemon(daemon);
    await waitFor(async () => (await search('publish shot').catch(() => [])).length === 2, 'the search again', 20_000);
    const again = await rest('/v1/call', { tool_slug: blender.tool_slug, arguments: { shot: '040' } });
    expect(again.json).toMatchObject({ structuredContent: { host: 'blender', shot: '040' } });
    await client.close().catch(() => undefined);
  },
  slow,
);
