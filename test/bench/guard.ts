/** What it costs that callers prove who they are: tools/call with static tokens and with signed ones, against none. */
import { startIssuer } from '../plugins/guard/issuer.ts';
import { type Bench, interleave, rate } from './bench.ts';
import { builtFile, startPeer, withPeers } from './peer.ts';
import { call, throughput } from './sessionless.ts';

const token = 'a-token-of-the-benchmark';
const audience = 'http://bench.example/mcp';

export const guard: Bench = {
  name: 'guard',
  title: 'tools/call of callers who authenticate, 64 connections, against callers who need not',
  async run({ seconds, rounds }) {
    const issuer = await startIssuer();
    const signed = await issuer.sign(audience, { scope: 'call', exp: Date.now() / 1000 + 3600 });
    const entry = builtFile('index.js');
    const auth_tokens = [
      ...Array.from({ length: 20 }, (_, index) => ({
        label: `other ${index}`,
        token: `another-token-${index}-of-many`,
      })),
      { label: 'bench', token, scopes: ['call'] },
    ];
    const bearer = (given: string) => ({ ...call, headers: { ...call.headers, authorization: `Bearer ${given}` } });
    try {
      return await withPeers(
        [
          () => startPeer('svc', { entry }),
          () => startPeer('svc', { entry, options: { auth_tokens } }),
          () => startPeer('svc', { entry, options: { oauth_issuer: issuer.issuer, oauth_audience: audience } }),
        ],
        async (open, tokens, jwt) => {
          const { none, fixed, verified } = await interleave(
            {
              none: () => throughput(open, call, seconds),
              fixed: () => throughput(tokens, bearer(token), seconds),
              verified: () => throughput(jwt, bearer(signed), seconds),
            },
            rounds,
          );
          const row = (what: string, ours: number, target: string) => ({
            ...{ what, ours: rate(ours), other: `none ${rate(none)}`, target },
            figure: `-${((1 - ours / none) * 100).toFixed(1)} %`,
          });
          return [row('static tokens, 21 of them', fixed, '<= 5 %'), row('signed tokens', verified, '<= 15 %')];
        },
      );
    } finally {
      issuer.close();
    }
  },
};
