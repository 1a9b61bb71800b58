/** Webhooks of a running gateway: a failing call reaches a chat robot, and receivers of the worst kind harm nobody. */
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../helper.ts';
import { receiver } from '../plugins/webhooks/receiver.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { createWorld } from './gateway-program.ts';
import { listening } from './program.ts';

/** A receiver that does with its connections whatever it likes. */
async function rude(behave: (socket: Socket) => void): Promise<{ url: string; connections: () => number }> {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createTcpServer(socket => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    behave(socket);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, connections: () => count };
}

const gigabyte = 2 ** 30;

/** Answers 200 and a gigabyte, as fast as it is taken. */
function flood(onSent: (bytes: number) => void): (socket: Socket) => void {
  const chunk = Buffer.alloc(65_536, 'x');
  return socket => {
    let sent = 0;
    const more = (): void => {
      while (sent < gigabyte && !socket.destroyed) {
        sent += chunk.length;
        onSent(sent);
        if (!socket.write(chunk)) {
          socket.once('drain', more);
          return;
        }
      }
    };
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: ${gigabyte}\r\n\r\n`);
      more();
    });
  };
}

test('a failing call through a gateway process is a chat message; hanging, resetting, redirecting and flooding receivers harm no call', async () => {
  const robot = await receiver();
  const told = await receiver();
  const hangs = await rude(() => undefined);
  const resets = await rude(socket => socket.once('data', () => socket.resetAndDestroy()));
  const redirects = await receiver((response, count) => response.writeHead(307, { location: `/again/${count}` }).end());
  const sent: number[] = [];
  const floods = await rude(flood(bytes => sent.push(bytes)));

  const world = await createWorld();
  const etc = world.file('etc');
  await mkdir(etc);
  const file = join(etc, 'webhooks.yaml');
  const quick = 'delivery: { attempts: 2, timeout_ms: 300, backoff_ms: [50] }';
  await writeFile(
    file,
    `webhooks:
  - { name: robot, kind: chatrobot, url: "${robot.url}", events: [tool.failed], message_template: "$tool-slug ($dcc-type): $attributes.error_message" }
  - { name: hangs, url: "${hangs.url}", events: ['tool.*'], ${quick} }
  - { name: resets, url: "${resets.url}", events: ['tool.*'], ${quick} }
  - { name: redirects, url: "${redirects.url}", events: ['tool.*'], ${quick} }
  - { name: floods, url: "${floods.url}", events: ['tool.*'], ${quick} }
  - { name: told, url: "${told.url}", events: [webhook.delivery_failed] }
`,
  );
  const gateway = world.gateway('--json', '--webhooks-config', file);
  await listening(gateway);
  const skills = world.file('skills');
  await writeSkill(skills, 'light', {
    dcc: 'maya',
    tools: [
      { name: 'bake', description: 'Bakes light.', body: "throw new Error('no light');" },
      { name: 'look', description: 'Looks.' },
    ],
  });
  const server = world.serve('--dcc-type', 'maya', '--skill-paths', skills, '--etc-dir', world.file('none'));
  const { instance_id } = await listening(server);
  const post = async (path: string, body: object) => {
    const began = performance.now();
    const answer = await fetch(`http://127.0.0.1:${world.port}/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: await answer.json(), ms: performance.now() - began };
  };
  const load = () => post('load_skill', { skill_name: 'light', instance_id });
  await waitFor(async () => (await load()).status === 200, 'the skill at the gateway', 30_000);
  const slug = (tool: string) => `maya.${instance_id?.slice(0, 8)}.${tool}`;

  const failed = await post('call', { tool_slug: slug('bake'), arguments: {} });
  expect([failed.status, JSON.stringify(failed.json)]).toEqual([502, expect.stringContaining('no light')]);
  await waitFor(() => robot.arrived.length > 0, 'the message');
  expect(robot.arrived.map(each => each.body)).toEqual([
    { msgtype: 'markdown', markdown: { content: expect.stringMatching(`^${slug('bake')} \\(maya\\): .*no light`) } },
  ]);

  // While they misbehave, calls are as quick as without them: none waits for as much as one attempt.
  const calls = [];
  for (let n = 0; n < 30; n += 1) calls.push(await post('call', { tool_slug: slug('look'), arguments: { n } }));
  expect(calls.map(each => each.status)).toEqual(Array(30).fill(200));
  const times = calls.map(each => each.ms).sort((a, b) => a - b);
  expect(times[15]).toBeLessThan(300);

  const lost = () => new Map(told.arrived.map(each => [each.body.attributes.webhook, each.body]));
  await waitFor(
    () => ['hangs', 'resets', 'redirects'].every(each => lost().has(each)),
    'what was not delivered',
    15_000,
  );
  expect(lost().get('hangs').attributes).toMatchObject({ attempts: 2, error: 'no answer within 300 ms' });
  expect(lost().get('redirects').attributes.error).toBe('it answered 307, and redirects are not followed');
  expect(lost().get('resets')).toMatchObject({
    name: 'webhook.delivery_failed',
    correlation: { event_id: expect.stringMatching(/^ev_/), event_name: expect.stringMatching(/^tool\./) },
    attributes: { attempts: 2, error: expect.stringMatching(/other side closed|ECONNRESET|socket/) },
  });
  expect(redirects.arrived.every(each => each.path === '/')).toBe(true);
  // Its status is enough: what follows is not taken.
  await waitFor(() => floods.connections() > 3, 'more deliveries to the one that floods');
  expect(lost().has('floods')).toBe(false);
  expect(Math.max(...sent)).toBeLessThan(64 * 1024 * 1024);
  // The end waits for what hangs no longer than it may.
  const began = performance.now();
  gateway.child.kill('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(performance.now() - began).toBeLessThan(15_000);
}, 120_000);
