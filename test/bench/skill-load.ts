/** How long a skill takes to load: with the warm spare taken already, and with it ready. */
import { type Bench, interleave, ms } from './bench.ts';
import { echoSkill, withSkills } from './bench-skill.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';

/** Long enough for the spare to be warm again. */
const settleMs = 400;

export const skillLoad: Bench = {
  name: 'skill-load',
  title: 'skill load through loadSkill, p50',
  run: ({ rounds }) =>
    withSkills({ first: echoSkill('first_echo'), second: echoSkill('second_echo') }, folder =>
      withPeers(
        [() => startPeer('svc', { entry: builtFile('index.js'), options: { skill_paths: [folder] } })],
        async (...peers) => {
          const [svc] = peers as [Peer];
          // The first load of each compiles the bundle; what is measured is the load of a known one.
          for (const skill of ['first', 'second']) {
            await svc.ask('load', skill);
            await svc.ask('unload', skill);
          }
          let cold = 0;
          const sides = {
            warm: async () => {
              await svc.ask('sleep', settleMs);
              const warm = await svc.ask<number>('load', 'first');
              // The spare is gone now: this load starts a worker of its own.
              cold = await svc.ask<number>('load', 'second');
              return warm;
            },
            cold: async () => {
              await svc.ask('unload', 'first');
              await svc.ask('unload', 'second');
              return cold;
            },
          };
          const found = await interleave(sides, Math.max(15, rounds));
          return [
            { what: 'cold worker', ours: ms(found.cold), figure: ms(found.cold), target: '<= 60 ms' },
            { what: 'warm spare', ours: ms(found.warm), figure: ms(found.warm), target: '<= 15 ms' },
          ];
        },
      ),
    ),
};
