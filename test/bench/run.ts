/** Runs benches by their names: see `usage`. */
import { parseArgs } from 'node:util';
import { agentTokens } from './agent-tokens.ts';
import { audit } from './audit.ts';
import type { Bench } from './bench.ts';
import { cliStart } from './cli-start.ts';
import { daemonReplace } from './daemon-replace.ts';
import { daemonRestart } from './daemon-restart.ts';
import { echo } from './echo.ts';
import { eventsOut } from './events-out.ts';
import { fanOut } from './fan-out.ts';
import { feedbackList } from './feedback-list.ts';
import { gatewayCall } from './gateway-call.ts';
import { gatewayRest } from './gateway-rest.ts';
import { guard } from './guard.ts';
import { heartbeats } from './heartbeats.ts';
import { hostBlocked } from './host-blocked.ts';
import { hostElu } from './host-elu.ts';
import { hostileSkill } from './hostile-skill.ts';
import { hosts } from './hosts.ts';
import { hotReload } from './hot-reload.ts';
import { instanceKill } from './instance-kill.ts';
import { jobBurst } from './job-burst.ts';
import { jobKill } from './job-kill.ts';
import { jobReceipt } from './job-receipt.ts';
import { jobStore } from './job-store.ts';
import { noisyBackend } from './noisy-backend.ts';
import { proxyHop } from './proxy-hop.ts';
import { relay } from './relay.ts';
import { sceneDelta } from './scene-delta.ts';
import { search } from './search.ts';
import { sessionless } from './sessionless.ts';
import { sessionsMemory } from './sessions-memory.ts';
import { skillCall } from './skill-call.ts';
import { skillCycles } from './skill-cycles.ts';
import { skillLoad } from './skill-load.ts';
import { slowClients } from './slow-clients.ts';
import { startup } from './startup.ts';
import { status } from './status.ts';
import { formatTable } from './table.ts';
import { toolsList } from './tools-list.ts';

const benches: readonly Bench[] = [
  echo,
  sessionless,
  guard,
  toolsList,
  skillCall,
  skillLoad,
  hotReload,
  hostileSkill,
  skillCycles,
  hostElu,
  hostBlocked,
  startup,
  cliStart,
  feedbackList,
  status,
  fanOut,
  sessionsMemory,
  slowClients,
  sceneDelta,
  jobStore,
  jobBurst,
  jobReceipt,
  jobKill,
  daemonRestart,
  daemonReplace,
  search,
  agentTokens,
  proxyHop,
  relay,
  heartbeats,
  noisyBackend,
  gatewayCall,
  gatewayRest,
  eventsOut,
  audit,
  instanceKill,
  hosts,
];

const usage = `npm run bench -- <name>... [--seconds N] [--rounds N] [--cycles N]

Both sides in turn in one run, and the ratio. Names, or all:

${benches.map(({ name, title }) => `  ${name.padEnd(16)} ${title}`).join('\n')}`;

const text = { type: 'string' } as const;
const options = { help: { type: 'boolean', short: 'h' }, seconds: text, rounds: text, cycles: text } as const;

/** A positive number that was given, or the default. */
function positive(name: string, given: string | undefined, otherwise: number): number {
  const value = Number(given ?? otherwise);
  if (!(value > 0)) throw new Error(`--${name} is a number above 0, not ${given}`);
  return value;
}

function asked() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const unknown = positionals.filter(name => name !== 'all' && !benches.some(bench => bench.name === name));
  if (unknown.length > 0) throw new Error(`no bench is called ${unknown.join(', ')}`);
  const chosen = positionals.includes('all') ? benches : benches.filter(({ name }) => positionals.includes(name));
  const rounds = values.rounds === undefined ? undefined : positive('rounds', values.rounds, 0);
  const given = { seconds: positive('seconds', values.seconds, 3), cycles: positive('cycles', values.cycles, 10_000) };
  return { help: values.help, chosen, rounds, given };
}

async function run({ chosen, rounds, given }: ReturnType<typeof asked>): Promise<void> {
  for (const bench of chosen) {
    try {
      console.log(formatTable(bench.title, await bench.run({ ...given, rounds: rounds ?? bench.rounds ?? 3 })));
    } catch (error) {
      console.error(`${bench.name} did not finish: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}

try {
  const wanted = asked();
  if (wanted.help) console.log(usage);
  else if (wanted.chosen.length === 0) throw new Error('no bench is named');
  else await run(wanted);
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 2;
}
