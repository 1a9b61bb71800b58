/** What the clients are let loose on: an instance, the same through the gateway's proxy, and the gateway itself. */
import { join } from 'node:path';
import { loadSkill, startGateway } from '../processes.ts';
import { writeSkill } from '../spec/skill-package.ts';

/**
 * `fails` is a tool that throws, `invalid` one with arguments of the wrong type, `progress` one that takes its time,
 * `receipt` one that takes longer than a call is kept waiting.
 */
export type CallStep = 'call' | 'fails' | 'invalid' | 'unknown' | 'progress' | 'receipt';
export type Step = 'connect' | 'list' | 'read' | 'prompt' | 'skills' | CallStep;

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export type Plan = Record<CallStep, Call> & { read: string; prompt: Call };

export interface Target {
  name: string;
  url: string;
  plan: Plan;
  /** Tools that every list of it has. */
  tools: readonly string[];
}

export interface Targets {
  all: readonly Target[];
  /** Folder for the clients' own files. */
  directory: string;
  stop(): Promise<void>;
}

/** How long a call that listens to progress is kept waiting before it gets a receipt. */
export const receiptMs = 3000;

/** The fixture: tools that a model would call, a prompt, a file to read. */
const fixture = {
  description: 'Tools that a client can drive.',
  tools: [
    {
      name: 'add',
      description: 'Adds two numbers.',
      input_schema: {
        type: 'object',
        properties: { a: { type: 'number' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      body: 'return { sum: args.a + args.b };',
    },
    { name: 'save_scene', body: "throw new Error('the file is locked by another user');" },
    {
      name: 'render',
      body: `
        for (let frame = 1; frame <= 3; frame += 1) {
          ctx.progress(frame, 3, 'frame ' + frame);
          await new Promise(resolve => setTimeout(resolve, 100));
        }
        return { rendered: 'three frames' };`,
    },
    {
      name: 'simulate',
      body: `
        for (let step = 1; step <= 10; step += 1) {
          ctx.progress(step, 10, 'step ' + step);
          await new Promise(resolve => setTimeout(resolve, ${receiptMs / 5}));
        }
        return { simulated: 'ten steps' };`,
    },
  ],
  files: {
    'prompts.yaml': `prompts:
  - name: review
    description: Reviews a shot.
    arguments: [{ name: shot, description: which one, required: true }]
    template: Please review {{shot}}.
`,
  },
};

const tools = {
  call: { name: 'add', arguments: { a: 2, b: 3 } },
  fails: { name: 'save_scene', arguments: {} },
  invalid: { name: 'add', arguments: { a: 'two', b: 3 } },
  progress: { name: 'render', arguments: {} },
  receipt: { name: 'simulate', arguments: {} },
} as const;

const ofInstance: Plan = {
  ...tools,
  unknown: { name: 'no_such_tool', arguments: {} },
  read: 'skill://drive/SKILL.md',
  prompt: { name: 'review', arguments: { shot: 'shot 010' } },
};

/** The same through the four tools of the gateway, and under its names for what an instance has. */
function ofGateway(id8: string, dcc: string): Plan {
  const through = ({ name, arguments: args }: Call): Call => ({
    name: 'call',
    arguments: { tool_slug: `${dcc}.${id8}.${name}`, arguments: args },
  });
  return {
    call: through(tools.call),
    fails: through(tools.fails),
    invalid: through(tools.invalid),
    progress: through(tools.progress),
    receipt: through(tools.receipt),
    unknown: through({ name: 'no_such_tool', arguments: {} }),
    read: `skill://${id8}/drive/SKILL.md`,
    prompt: { name: `i_${id8}__review`, arguments: { shot: 'shot 010' } },
  };
}

export async function startTargets(): Promise<Targets> {
  const { directory, gatewayPort, serve, stop } = await startGateway('svc-clients-');
  try {
    const skills = join(directory, 'skills');
    await writeSkill(skills, 'drive', fixture);
    const dcc = 'houdini';
    const own = ['--dcc-type', dcc, '--skill-path', skills, '--no-bundled-skills', '--log-level', 'error'];
    own.push('--job-receipt-after-ms', String(receiptMs));
    const { mcp_url, instance_id } = await serve(own);
    await loadSkill(mcp_url, 'drive');
    const gateway = `http://127.0.0.1:${gatewayPort}/mcp`;
    const id8 = String(instance_id).slice(0, 8);
    const listed = ['add', 'save_scene', 'render', 'load_skill'];
    const all: Target[] = [
      { name: 'instance', url: mcp_url, plan: ofInstance, tools: listed },
      { name: 'proxy', url: `${gateway}/${instance_id}`, plan: ofInstance, tools: listed },
      {
        name: 'gateway',
        url: gateway,
        plan: ofGateway(id8, dcc),
        tools: ['search', 'describe', 'load_skill', 'call'],
      },
    ];
    return { all, directory, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
