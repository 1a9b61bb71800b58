/** The clients, and how each is made to show what it sees: a program of its own that is told what to do, or its CLI. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnvironment } from '../processes.ts';
import type { Call, Step, Target } from './target.ts';

/** What a client showed, or threw, at a step; a step that it cannot do is missing. */
export type Shown = Partial<Record<Step, { shown?: string; threw?: string }>>;

export interface Client {
  name: string;
  /** Drives `target` with its defaults; `home` is the home directory of its process. */
  run(target: Target, home: string): Promise<Shown>;
  /** What it can do: each must be shown. */
  steps: readonly Step[];
  /** The revision that it must have come to, where it tells. */
  revision?: string;
  /** It shows results as they came: a tool that failed is one with `isError`, never a protocol error. */
  plain?: boolean;
}

export const folder = import.meta.dirname;
const everything: readonly Step[] = ['list', 'call', 'read', 'prompt', 'fails', 'invalid', 'unknown', 'progress'];
const without = (...steps: Step[]): readonly Step[] => everything.filter(each => !steps.includes(each));
/** What listens to progress gets a receipt where it would wait too long. */
const listening: readonly Step[] = [...everything, 'receipt'];
const longestMs = 120_000;

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of Node to its end. */
function node(args: readonly string[], home: string): Promise<Ended> {
  const env = { ...cleanEnvironment(), HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: home, NO_COLOR: '1' };
  return new Promise(resolve => {
    const options = { cwd: folder, env, timeout: longestMs, maxBuffer: 64e6 };
    execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, stdout, stderr });
    });
  });
}

/** A library, driven by `programs/<program>.mjs`. */
const library = (
  name: string,
  program: string,
  steps: readonly Step[],
  { mode, ...expected }: { mode?: string } & Pick<Client, 'revision' | 'plain'> = {},
): Client => ({
  name,
  steps,
  ...expected,
  async run({ url, plan }, home) {
    const file = join(folder, 'programs', `${program}.mjs`);
    const { stdout, stderr, code } = await node(
      [file, url, JSON.stringify(plan), ...(mode === undefined ? [] : [mode])],
      home,
    );
    const shown: Shown = {};
    for (const line of stdout.split('\n').filter(each => each.startsWith('{"step"'))) {
      const { step, ...rest } = JSON.parse(line) as { step: Step; shown?: string; threw?: string };
      shown[step] = rest;
    }
    if (code !== 0) shown.connect ??= { threw: `the program ended with ${code}: ${stderr.slice(0, 600)}` };
    return shown;
  },
});

/** What a CLI printed, on whichever stream it does. */
const printed = ({ code, stdout, stderr }: Ended) => (code === 0 ? { shown: stdout } : { threw: stdout + stderr });

/** A CLI, run once for every step; `args` are its arguments for it. */
const cli = (name: string, steps: readonly Step[], program: string, args: ArgsOf): Client => ({
  name,
  steps,
  async run(target, home) {
    const shown: Shown = {};
    for (const step of steps) {
      shown[step] = printed(
        await node([join(folder, 'node_modules', program), ...(await args(step, target, home))], home),
      );
    }
    return shown;
  },
});

type ArgsOf = (step: Step, target: Target, home: string) => readonly string[] | Promise<readonly string[]>;

const pairs = (args: Record<string, unknown>): string[] =>
  Object.entries(args).map(([name, value]) => `${name}=${value}`);

const inspector: ArgsOf = (step, { url, plan }) => {
  // It tells the transport from the end of the URL.
  const transport = url.endsWith('/mcp') ? [] : ['--transport', 'http'];
  const base = ['--cli', url, ...transport, '--format', 'json', '--quiet', '--method'];
  const call = ({ name, arguments: args }: Call) => [
    ...base,
    ...['tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)],
  ];
  switch (step) {
    case 'list':
    case 'connect':
      return [...base, 'tools/list'];
    case 'read':
      return [...base, 'resources/read', '--uri', plan.read];
    case 'prompt':
      return [
        ...base,
        'prompts/get',
        '--prompt-name',
        plan.prompt.name,
        '--prompt-args',
        ...pairs(plan.prompt.arguments),
      ];
    case 'skills':
      return [...base, 'skills/list', '--verify', '--protocol-era', 'auto'];
    default:
      return call(plan[step]);
  }
};

const mcporter: ArgsOf = async (step, { url, plan }, home) => {
  await mkdir(home, { recursive: true });
  const config = join(home, 'mcporter.json');
  await writeFile(config, JSON.stringify({ mcpServers: { svc: { url } } }));
  const base = ['--config', config];
  switch (step) {
    case 'list':
    case 'connect':
      return [...base, 'list', 'svc', '--json'];
    case 'read':
      return [...base, 'resource', 'svc', plan.read];
    case 'prompt':
    case 'skills':
      throw new Error(`mcporter has no ${step}`);
    default: {
      const { name, arguments: args } = plan[step];
      return [...base, 'call', `svc.${name}`, '--args', JSON.stringify(args), '--output', 'json'];
    }
  }
};

const newest = { plain: true, revision: '2026-07-28' } as const;

export const clients: readonly Client[] = [
  library('TypeScript SDK 1.x', 'sdk-1', listening, { plain: true }),
  library('TypeScript SDK 2.x', 'sdk-2', listening, { plain: true }),
  library('TypeScript SDK 2.x, automatic', 'sdk-2', everything, { mode: 'auto', ...newest }),
  library('TypeScript SDK 2.x, pinned to 2026-07-28', 'sdk-2', everything, { mode: 'pinned', ...newest }),
  cli(
    'MCP Inspector CLI',
    [...everything, 'skills'],
    '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
    inspector,
  ),
  library('mcp-remote', 'mcp-remote', listening, { plain: true }),
  cli('mcporter', without('prompt'), 'mcporter/dist/cli.js', mcporter),
  // It has no prompts, and its loop calls no tool that it does not know.
  library('OpenAI Agents SDK', 'openai-agents', without('prompt', 'unknown')),
  library('@ai-sdk/mcp', 'ai-sdk', without('unknown')),
  // It checks arguments itself.
  library('LangChain MCP adapters', 'langchain', without('unknown', 'invalid')),
  library('LangChain MCP adapters, onProgress', 'langchain', [...without('unknown', 'invalid'), 'receipt'], {
    mode: 'progress',
  }),
];
