/** The servers of the test of kinds: each is a usual one, with what a host may declare. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from '../../../../plugins/index.ts';
import { answering, skillMd } from '../../skills/support.ts';
import { startForeign } from './foreign.ts';
import type { World } from './world.ts';

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

/** Tokens are a setting, and as long as one. */
export const token = 'a-token-of-the-tests';

const tools = (name: string, declared: string) => `tools:\n  - name: ${name}\n    description: Answers.\n${declared}`;

const packages = {
  rig: answering('rig', 'yes', { svc: '    dcc: maya' }),
  torn: answering('torn', 'no', { files: { 'tools/torn_answer.ts': 'export default (' } }),
  // Its tool has the slug of a tool that the host itself registers.
  host: answering('host', 'no', {
    svc: '    dcc: maya',
    tools: tools('twin', ''),
    files: { 'tools/twin.ts': 'export default () => 1;\n' },
  }),
  pinned: answering('pinned', 'no', {
    tools: tools('pinned_answer', '    affinity: main\n    enforce_thread_affinity: true\n'),
  }),
  inside: {
    'SKILL.md': skillMd('inside'),
    'tools.yaml': tools('inside_answer', '    requires_in_process: true\n'),
    'scripts/inside_answer.sh': 'echo "{}"\n',
  },
  apart: answering('apart', 'no', {
    svc: '    isolation: process',
    tools: tools('apart_answer', '    requires_in_process: true\n'),
  }),
};

async function setUpMaya(server: Server): Promise<void> {
  const properties = { text: { type: 'string' } };
  await server.registerTool(
    {
      name: 'echo',
      description: 'Echoes a text.',
      input_schema: { type: 'object', properties, required: ['text'], additionalProperties: false },
      annotations: { read_only_hint: true },
    },
    args => args,
  );
  await server.registerTool({ name: 'twin' }, () => 2);
  await server.registerTool({ name: 'guarded' }, () => 'never');
  await server.registerTool({ name: 'later', description: 'Its handler comes later.' });
  await server.registerTool({ name: 'throws' }, () => {
    throw new Error('it broke');
  });
  await server.registerTool({ name: 'grouped', group: 'extras' }, () => 'in a group');
  await server.bus.before('tool.dispatched', ({ attributes }) =>
    attributes.tool_name === 'guarded' ? server.bus.veto('not in review', 'review') : undefined,
  );
  await server.resources().addProducer({
    scheme: 'broken',
    list: () => [],
    read() {
      throw new Error('the disk is gone');
    },
  });
  for (const skill of ['host', 'pinned', 'inside', 'apart']) await server.loadSkill(skill);
}

/** A server beside its host, as a sidecar is: what it is asked goes to that process. */
async function sidecarOf(world: World) {
  const application: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  world.defer(() => application.kill('SIGKILL'));
  const host = await world.host({
    dcc_type: 'houdini',
    packages: { rig: answering('rig', 'yes') },
    setup: server =>
      server.registerTool({ name: 'ask_host' }, () => {
        if (application.signalCode === null) return 'it lives';
        const message = `the host was ended by ${application.signalCode}`;
        return {
          content: [{ type: 'text', text: message }],
          structuredContent: { kind: 'host-died', message },
          isError: true,
        };
      }),
  });
  await host.say({ metadata: { dcc_mcp_role: 'per-dcc-sidecar' } });
  return {
    ...host,
    async killHost() {
      application.kill('SIGKILL');
      if (application.signalCode === null) await once(application, 'exit');
    },
  };
}

export type Hosts = Awaited<ReturnType<typeof openHosts>>;

export async function openHosts(world: World) {
  let ready = false;
  const [maya, second, jobs, guarded, waking, sidecar, foreign] = await Promise.all([
    world.host({ dcc_type: 'maya', packages, setup: setUpMaya }),
    world.host({ dcc_type: 'maya', setup: server => server.registerTool({ name: 'echo' }, args => args) }),
    world.host({
      dcc_type: 'blender',
      options: { max_running_jobs: 1, max_pending_jobs: 1, shutdown_grace_ms: 100, job_cancel_grace_ms: 100 },
      setup: server =>
        server.registerTool({ name: 'render', execution: 'async' }, (_, { signal }) =>
          Promise.race([pause(60_000), new Promise(resolve => signal.addEventListener('abort', resolve))]),
        ),
    }),
    world.host({ dcc_type: 'nuke', options: { auth_tokens: [{ token, label: 'tests' }] } }),
    world.host({
      dcc_type: 'katana',
      ready: () => ready,
      setup: server => server.registerTool({ name: 'echo' }, args => args),
    }),
    sidecarOf(world),
    startForeign(),
  ]);
  world.defer(foreign.close);
  const foreignIds = ['abcdabc1', 'abcdabc2'].map(each => `${each}-0000-4000-8000-000000000000`);
  for (const id of foreignIds) await world.register(id, foreign.mcp_url);
  return {
    ...{ maya, second, jobs, guarded, waking, sidecar, foreign, foreignIds },
    /** The host application behind `waking` has started. */
    wake() {
      ready = true;
    },
  };
}
