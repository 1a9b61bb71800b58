/** `npm run bench -- <name>... [--seconds N] [--rounds N] [--cycles N]`, or `all`. */
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string' },
    cycles: { type: 'string', default: '10000' },
  },
});

const chosen = positionals.includes('all') ? benches : benches.filter(({ name }) => positionals.includes(name));
const unknown = positionals.filter(name => name !== 'all' && !benches.some(bench => bench.name === name));

if (unknown.length > 0 || chosen.length === 0) {
  console.error(`Name one or more of: ${benches.map(({ name }) => name).join(', ')}, all`);
  process.exitCode = 2;
} else {
  const options = {
    seconds: Number(values.seconds),
    cycles: Number(values.cycles),
  };
  for (const bench of chosen) {
    try {
      console.log(
        formatTable(bench.title, await bench.run({ ...options, rounds: Number(values.rounds ?? bench.rounds ?? 3) })),
      );
    } catch (error) {
      console.error(`${bench.name} did not finish: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
    }
  }
}
