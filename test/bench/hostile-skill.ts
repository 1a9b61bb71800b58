/** How long the server's loop stands still while skills misbehave, and what the calls of others see of it. */
import { connect } from '../spec/wire.ts';
import { type Bench, ms, percentile, type Row } from './bench.ts';
import { echoSkill, withSkills } from './bench-skill.ts';
import { load } from './load.ts';
import { builtFile, type Peer, startPeer, withPeers } from './peer.ts';
import { echoCalls } from './peers/echo.ts';
import { sessionHeaders } from './session.ts';

const deeds = {
  'loops for ever': 'for (;;);',
  'never yields (microtasks)': 'for (;;) await null;',
  throws: `throw new Error('boom');`,
  'rejects later': `return new Promise(() => void Promise.reject(new Error('nobody listens')));`,
  'calls process.exit': 'process.exit(7);',
  'exhausts its heap': 'const all = []; for (;;) all.push({ a: [1, 2, 3, all.length] });',
  'prints rubbish': `for (;;) { console.log('rubbish'.repeat(50)); await new Promise(setImmediate); }`,
  'floods with progress': `for (let i = 0; ; i += 1) { ctx.progress(i); ctx.log.info('again'); }`,
} as const;

const timeoutMs = 1500;
const rounds = 3;

const tools = Object.values(deeds).map((body, index) => ({ name: `deed_${index}`, body }));

export const hostileSkill: Bench = {
  name: 'hostile-skill',
  title: `a skill misbehaves while another is called 500 times a second (${rounds} rounds each, worst shown)`,
  run: () =>
    withSkills({ echoes: echoSkill(), hostile: { tools } }, folder =>
      withPeers(
        [
          () =>
            startPeer('svc', {
              entry: builtFile('index.js'),
              options: { skill_paths: [folder], request_timeout_ms: timeoutMs, log_level: 'silent' },
            }),
        ],
        async (...peers) => {
          const [svc] = peers as [Peer];
          await svc.ask('load', 'echoes');
          await svc.ask('load', 'hostile');
          const villain = await connect(svc.url);
          const headers = await sessionHeaders(svc.url);
          const calls = (seconds: number) =>
            load({
              url: svc.url,
              bodies: echoCalls('skill_echo', 'echo'),
              headers,
              connections: 8,
              seconds,
              pace: 500,
            });
          await calls(1);

          const misbehave = async (name: string) => {
            await svc.ask('block-start');
            const others = calls(timeoutMs / 1000 + 0.5);
            const { error } = await villain.request('tools/call', { name, arguments: {} });
            if (!error) throw new Error(`${name} was answered with a result`);
            const { latencies, failures } = await others;
            if (failures > 0) throw new Error(`${failures} calls of others failed beside ${name}`);
            return { stalled: await svc.ask<number>('block-read'), p99: percentile(latencies, 99) };
          };

          const rows: Row[] = [];
          for (const [index, what] of Object.keys(deeds).entries()) {
            const seen = [];
            for (let round = 0; round < rounds; round += 1) seen.push(await misbehave(`deed_${index}`));
            rows.push({
              what,
              ours: ms(Math.max(...seen.map(each => each.stalled))),
              figure: `others' p99 ${ms(Math.max(...seen.map(each => each.p99)))}`,
              target: 'stalls <= 50 ms',
            });
          }
          return rows;
        },
      ),
    ),
};
