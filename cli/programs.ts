/** The programs of the package: what oclif is told of each, and how it reads its command line. */
import { formatOf } from './svc-cli/format.ts';

export interface Program {
  bin: string;
  /** Where its commands and its manifest stand, below cli/ and below dist/. */
  folder: string;
  description: string;
  topics: Readonly<Record<string, { description: string }>>;
  /** What is meant by the words of a user. */
  words(argv: readonly string[]): string[];
  /** Whether a failure is told as JSON. */
  tellsJson(argv: readonly string[]): boolean;
}

/** Serves. */
export const serverProgram: Program = {
  bin: 'svc-server',
  folder: '.',
  description: 'Serves tools and skills to agents, and runs the gateway',
  topics: {
    relay: { description: 'Start a relay, and make tokens for its tunnels' },
    skills: { description: 'List, check, make and accept skills' },
  },
  words: withDefaultCommand,
  tellsJson: argv => argv.includes('--json'),
};

/** Asks the gateway that runs. */
export const clientProgram: Program = {
  bin: 'svc-cli',
  folder: 'svc-cli',
  description: 'Asks the gateway that runs, and the servers behind it',
  topics: {
    feedback: { description: 'Report findings, and see to those that were reported' },
    jobs: { description: 'See background jobs, and cancel them' },
    traffic: { description: 'Work with captured traffic' },
  },
  words: argv => (argv.length === 0 ? ['help'] : argumentsOfCall(argv)),
  tellsJson: argv => formatOf(argv) !== 'human',
};

/** `call --json {...}` gives arguments; a `--json` alone is the form of the output, as everywhere. */
export function argumentsOfCall(argv: readonly string[]): string[] {
  if (argv[0] !== 'call') return [...argv];
  const end = argv.indexOf('--');
  return argv.flatMap((word, index) => {
    if (end >= 0 && index >= end) return [word];
    if (word.startsWith('--json=')) return [`--arguments=${word.slice('--json='.length)}`];
    return [word === '--json' && /^\s*[{[@]|^-$/.test(argv[index + 1] ?? '') ? '--arguments' : word];
  });
}

export const programs: readonly Program[] = [serverProgram, clientProgram];

/** `svc-server` and `svc-server --port 0` mean `serve`; `--help` and `--version` alone stay what they are. */
export function withDefaultCommand(argv: readonly string[]): string[] {
  const [first] = argv;
  if (first !== undefined && (!first.startsWith('-') || ['--help', '-h', '--version', '-V'].includes(first))) {
    return [...argv];
  }
  return ['serve', ...argv];
}
