/** Kinds of instances that do not answer any more or not yet, as the gateway tells them. */

import { once } from 'node:events';
import { freePort } from '../../../free-port.ts';
import { waitFor } from '../../../helper.ts';
import { spawnHost } from '../../../host-process.ts';
import type { Json, RestAnswer } from '../../rest/support.ts';
import type { Case } from './case.ts';
import { pause } from './hosts.ts';
import { post, type World } from './world.ts';

const offline = (previous_status: string) => ({ previous_status, recommended_next_action: some, retryable: bool });
const some = { asymmetricMatch: (value: unknown) => typeof value === 'string' && value !== '' };
const bool = { asymmetricMatch: (value: unknown) => typeof value === 'boolean' };

/** Asks until the gateway has noticed. */
async function untilTold(world: World, tool_slug: string, previous_status: string, url = world.url, how = 'call') {
  let answer: RestAnswer | undefined;
  await waitFor(
    async () => {
      answer = await post(url, how, { tool_slug, arguments: { text: 'x' } });
      return (answer.json.error as Json | undefined)?.previous_status === previous_status;
    },
    `${tool_slug} to be ${previous_status}`,
    15_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${answer?.text}`);
  });
  return answer as RestAnswer;
}

function signal(): { given: Promise<unknown>; give(): void } {
  let give = (): void => undefined;
  const given = new Promise<unknown>(resolve => {
    give = () => resolve({ given: true });
  });
  return { given, give };
}

const remote = (digit: number) => `${'feed000'}${digit}-0000-4000-8000-000000000000`;

export const goneCases: readonly Case[] = [
  {
    kind: 'instance-offline',
    status: 404,
    what: 'an id that was never registered',
    provoke: ({ world }) => post(world.url, 'call', { tool_slug: 'maya.ffffffff.echo' }),
    told: offline('never-registered'),
  },
  {
    kind: 'instance-offline',
    status: 410,
    what: 'a process that was killed',
    async provoke({ world }) {
      const { child, short } = await world.processOf('cinema');
      await world.offered(`cinema.${short}.echo`);
      child.kill('SIGKILL');
      await once(child, 'exit');
      return untilTold(world, `cinema.${short}.echo`, 'exited');
    },
    told: offline('exited'),
    timeout: 40,
  },
  {
    kind: 'instance-offline',
    status: 410,
    what: 'a server that has said good-bye',
    async provoke({ world, foreign }) {
      await world.register(remote(1), foreign.mcp_url);
      await post(world.url, 'instances/deregister', { instance_id: remote(1) });
      return post(world.url, 'call', { tool_slug: 'odd.feed0001.load_skill' });
    },
    told: offline('deregistered'),
  },
  {
    kind: 'instance-offline',
    status: 410,
    what: 'a remote server without a heartbeat in its time to live',
    provoke: ({ world, foreign }) =>
      world.throughAnother({ stale_timeout_secs: 1 }, async url => {
        await world.register(remote(2), foreign.mcp_url, { ttl_secs: 1 }, url);
        return untilTold(world, 'odd.feed0002.load_skill', 'heartbeat-timeout', url);
      }),
    told: offline('heartbeat-timeout'),
    timeout: 30,
  },
  {
    kind: 'host-died',
    status: 502,
    what: 'a sidecar whose host application was killed',
    async provoke({ world, sidecar }) {
      await world.offered(`houdini.${sidecar.short}.ask_host`);
      await sidecar.killHost();
      return post(world.url, 'call', { tool_slug: `houdini.${sidecar.short}.ask_host` });
    },
    told: { recommended_next_action: some, retryable: false },
  },
  {
    kind: 'instance-offline',
    status: 410,
    what: 'the same sidecar afterwards',
    provoke: ({ world, sidecar }) => post(world.url, 'call', { tool_slug: `houdini.${sidecar.short}.ask_host` }),
    told: offline('host-died'),
  },
  {
    kind: 'instance-offline',
    status: 503,
    what: 'a host application that still starts',
    provoke: ({ world, waking }) => post(world.url, 'call', { tool_slug: `katana.${waking.short}.echo` }),
    told: offline('booting'),
  },
  {
    kind: 'instance-offline',
    status: 503,
    what: 'a server that closes while a call still runs',
    async provoke({ world }) {
      const [begun, end] = [signal(), signal()];
      const closing = await world.host({
        dcc_type: 'flame',
        options: { shutdown_grace_ms: 30_000 },
        async setup(server) {
          await server.registerTool({ name: 'echo' }, () => {
            begun.give();
            return end.given;
          });
        },
      });
      const tool_slug = `flame.${closing.short}.echo`;
      await world.offered(tool_slug);
      const running = post(world.url, 'call', { tool_slug });
      await begun.given;
      const closed = closing.server.close();
      // Asked with what does not reach the tool: a call that comes too early would wait behind the first.
      await untilTold(world, tool_slug, 'shutting_down', world.url, 'describe');
      const answer = await post(world.url, 'call', { tool_slug });
      end.give();
      await Promise.all([running, closed]);
      return answer;
    },
    told: offline('shutting_down'),
    timeout: 30,
  },
  {
    kind: 'instance-offline',
    status: 503,
    what: 'an address where nobody listens',
    async provoke({ world }) {
      await world.register(remote(3), `http://127.0.0.1:${await freePort()}/mcp`);
      return post(world.url, 'call', { tool_slug: 'odd.feed0003.jobs_get_status' });
    },
    told: offline('unreachable'),
  },
  {
    kind: 'instance-offline',
    status: 503,
    what: 'a server whose heartbeat has stopped',
    async provoke({ world }) {
      const silent = await world.host({
        dcc_type: 'silent',
        options: { heartbeat_secs: 3600 },
        setup: server => server.registerTool({ name: 'echo' }, args => args),
      });
      return world.throughAnother({ stale_timeout_secs: 1 }, url =>
        untilTold(world, `silent.${silent.short}.echo`, 'stale', url),
      );
    },
    told: offline('stale'),
    timeout: 30,
  },
  {
    kind: 'host-busy',
    status: 503,
    what: 'as many calls as may wait for the blocked main thread of a host',
    async provoke({ world }) {
      const options = { host_queue_max: 1, registry_dir: world.registry_dir, dcc_type: 'mari', heartbeat_secs: 1 };
      const child = await spawnHost('dedicated', undefined, options);
      await once(child, 'message');
      const short = await waitFor(
        async () => {
          const { json } = await post(world.url, 'search', { dcc_type: 'mari', limit: 100 });
          const hits = json.hits as { tool_slug: string; backend_tool: string }[];
          return hits.find(each => each.backend_tool === 'count')?.tool_slug;
        },
        'the host process',
        15_000,
      );
      const count = () => post(world.url, 'call', { tool_slug: short });
      child.send({ block_ms: 2500 });
      await pause(200);
      const waiting = count();
      await pause(200);
      const answer = await count();
      await waiting;
      return answer;
    },
    told: { retryable: true, recommended_next_action: some },
    timeout: 40,
  },
];
