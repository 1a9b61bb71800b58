/** A small studio for the page to look at: a gateway, three hosts, skills good and bad, calls, jobs and findings. */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadSkill, type Processes, startGateway } from '../processes.ts';
import { writeSkill } from '../spec/skill-package.ts';

export interface Delivered {
  headers: Record<string, unknown>;
  body: unknown;
}

export interface Studio extends Processes {
  /** Address of the page. */
  readonly admin: string;
  readonly hosts: readonly { id: string; short: string; dcc: string }[];
  readonly webhooksFile: string;
  /** What the receiver of webhooks got. */
  readonly delivered: readonly Delivered[];
  readonly hookUrl: string;
  /** Of a finding that was reported at the start. */
  readonly findingId: string;
  /** Reports what stood in the way of a call of `save_scene`. */
  report(requestId: string, blocker: string): Promise<string>;
  /** One more host. */
  join(dcc: string, skill?: string): Promise<{ id: string; stop(signal?: NodeJS.Signals): void }>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Record<string, unknown>>;
  call(tool: string, args?: object, headers?: Record<string, string>): Promise<Record<string, unknown>>;
}

/** Of the skill `many-tools`: more than one answer of a search has. */
export const manyTools = 150;

/** What no line breaks by itself. */
const unbroken = 'x'.repeat(300);
const longName = (part: string, length: number): string => part.repeat(9).slice(0, length);

const skill = {
  description: 'Tools of a shot: counts, renders, fails.',
  tools: [
    {
      name: 'count_frames',
      description: 'Counts the frames of a range.',
      input_schema: {
        type: 'object',
        properties: {
          first: { type: 'integer', description: 'First frame', default: 1 },
          last: { type: 'integer', description: 'Last frame' },
          step: { type: 'integer', minimum: 1, default: 1 },
          camera: { type: 'string', enum: ['main', 'witness'], description: 'Which camera' },
          notes: { type: 'string', description: 'For people' },
          dry_run: { type: 'boolean', description: 'Changes nothing' },
        },
        required: ['first', 'last'],
      },
      body: 'return { frames: Math.floor((args.last - args.first) / (args.step ?? 1)) + 1 };',
    },
    {
      name: 'place_cameras',
      description: 'Places cameras in a shot.',
      input_schema: {
        type: 'object',
        $defs: {
          Point: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] },
        },
        properties: {
          shot: {
            type: 'object',
            description: 'Where to',
            properties: { name: { type: 'string', pattern: '^sh\\d+$' }, take: { type: 'integer', default: 1 } },
            required: ['name'],
          },
          lens: { enum: ['wide', 'long'] },
          tags: { type: 'array', items: { type: 'string' } },
          points: { type: 'array', minItems: 1, items: { $ref: '#/$defs/Point' } },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
        },
        required: ['shot', 'lens', 'points'],
      },
      body: 'return args;',
    },
    {
      name: longName('set_the_exposure_of_every_camera_', 60),
      description: `Never said in short: ${unbroken}`,
      input_schema: {
        type: 'object',
        properties: { [longName('argument_', 64)]: { type: 'string', description: unbroken } },
      },
      body: `throw new Error('${'x'.repeat(300)}');`,
    },
    {
      name: 'save_scene',
      description: 'Saves the scene.',
      body: "throw new Error('the file is locked by another user');",
    },
    {
      name: 'render_frames',
      description: 'Renders frames in the background.',
      execution: 'async' as const,
      input_schema: { type: 'object', properties: { count: { type: 'integer' } } },
      body: `
        const count = args.count ?? 20;
        for (let frame = 1; frame <= count; frame += 1) {
          ctx.progress(frame, count, 'frame ' + frame);
          await new Promise(resolve => setTimeout(resolve, 250));
        }
        return { rendered: count };`,
    },
  ],
};

export async function startStudio(): Promise<Studio> {
  const delivered: Delivered[] = [];
  const receiver = await receive(delivered);
  const hookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  let webhooksFile = '';
  const processes = await startGateway('svc-browser-', async directory => {
    const traffic = join(directory, 'traffic.yaml');
    await writeFile(traffic, 'enabled: true\nsinks:\n  - kind: admin_live\n    ring_buffer: 500\n');
    webhooksFile = join(directory, 'etc', 'webhooks.yaml');
    await mkdir(join(directory, 'etc'));
    await writeFile(
      webhooksFile,
      `# Who is told of what. Ask the pipeline team before you change it.
webhooks:
  # The dashboard in the hall.
  - name: pipeline
    url: ${hookUrl}?key=abcdefghij0123456789secret
    events: [tool.failed]  # and no more
    headers: { authorization: 'Bearer hall-dashboard-secret-0123456789' }
  - name: archive
    url: http://127.0.0.1:9/closed
    events: [tool.failed]
    delivery: { attempts: 1 }
`,
    );
    return {
      SVC_LOG_LEVEL: 'warn',
      SVC_TRAFFIC_CONFIG: traffic,
      SVC_WEBHOOKS_CONFIG: webhooksFile,
      SVC_GATEWAY_AUDIT_MAX_ROWS: '15000',
      SVC_GATEWAY_AUDIT_DIR: join(directory, 'audit'),
    };
  });
  const { directory, gatewayPort, serve } = processes;
  const origin = `http://127.0.0.1:${gatewayPort}`;
  const post: Studio['post'] = async (path, body, headers = {}) => {
    const init = { 'content-type': 'application/json', accept: 'application/json', ...headers };
    const answer = await fetch(`${origin}${path}`, { method: 'POST', headers: init, body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  };
  const skills = join(directory, 'skills');
  await writeSkill(skills, 'shot-tools', skill);
  const many = Array.from({ length: manyTools }, (_, index) => ({ name: `grade_${index}` }));
  await writeSkill(join(directory, 'many-tools'), 'many-tools', { tools: many });
  await writeSkill(skills, 'scene-audit', { description: 'Checks a scene before it is published.' });
  await mkdir(join(skills, 'broken-tools'));
  await writeFile(
    join(skills, 'broken-tools', 'SKILL.md'),
    '---\nname: broken-tools\ndescription: Broken.\ncolour: red\n---\n',
  );
  const hosts: Studio['hosts'][number][] = [];
  for (const [dcc, scene] of [
    ['maya', '/film/sq010/sh0040/layout_v012.ma'],
    ['blender', '/film/sq010/sh0040/props.blend'],
    ['houdini', ''],
    ['a-host-with-a-name-of-its-own', `/film/${unbroken}.ma`],
  ] as const) {
    const args = ['--dcc-type', dcc, '--skill-path', skills, '--log-level', 'error', '--no-bundled-skills'];
    args.push('--dcc-version', '2026.1', '--adapter-version', '0.9.4', ...(scene ? ['--scene', scene] : []));
    const told = await serve(args);
    await loadSkill(told.mcp_url, 'shot-tools');
    const id = String(told.instance_id);
    hosts.push({ id, short: id.replaceAll('-', '').slice(0, 8), dcc });
  }
  const call: Studio['call'] = (tool, args = {}, headers = {}) =>
    post('/v1/call', { tool_slug: `${hosts[0]?.dcc}.${hosts[0]?.short}.${tool}`, arguments: args }, headers);
  const report: Studio['report'] = async (request_id, blocker) => {
    const { id: instance_id, dcc: dcc_type } = hosts[0] as Studio['hosts'][number];
    const about = {
      tool_name: 'save_scene',
      intent: 'Save the scene of the shot',
      attempt: 'Called save_scene',
      blocker,
    };
    const told = await post('/v1/feedback', { ...about, severity: 'blocked', dcc_type, instance_id, request_id });
    return String(told.feedback_id);
  };
  // Something to see on every panel.
  for (let last = 1; last <= 40; last += 1) {
    await call('count_frames', { first: 1, last }, { 'x-svc-agent-id': last % 3 ? 'layout-agent' : 'review-agent' });
  }
  await call('save_scene', {}, { 'x-request-id': 'failing-call' });
  await call(longName('set_the_exposure_of_every_camera_', 60), {}, { 'x-request-id': 'long-call' });
  await call('render_frames', { count: 3 });
  await call('render_frames', { count: 500 });
  const findingId = await report('failing-call', 'The file is locked, and nothing says by whom.');
  return {
    ...{ ...processes, findingId, report },
    async join(dcc, skill) {
      const args = ['--dcc-type', dcc, '--log-level', 'error', '--no-bundled-skills'];
      const told = await serve([...args, ...(skill ? ['--skill-path', join(directory, skill)] : [])]);
      if (skill) await loadSkill(told.mcp_url, skill);
      return { id: String(told.instance_id), stop: (signal = 'SIGTERM') => void process.kill(told.pid, signal) };
    },
    ...{ admin: `${origin}/admin`, hosts, webhooksFile, delivered, hookUrl, post, call },
    async stop() {
      receiver.close();
      await processes.stop();
    },
  };
}

function receive(delivered: Delivered[]): Promise<Server> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    delivered.push({ headers: request.headers, body: JSON.parse(text) });
    response.end();
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}
