/** Whether an instance is there: as its driver asks, and in MCP itself where that finds a server of another make. */
import type { Finding, Link } from './driver.ts';
import type { Failure } from './failure.ts';
import type { SessionKeeper } from './session-keeper.ts';

export type Probe = (timeoutMs: number) => Promise<Finding>;

export function createProbe(link: Pick<Link, 'probe'>, sessions: Pick<SessionKeeper, 'greet'>): Probe {
  /** It answers in MCP, and nothing else is asked of it for as long as it does. */
  let foreign = false;

  return async timeoutMs => {
    let told = '';
    if (!foreign) {
      const finding = await link.probe(timeoutMs);
      if (finding.kind !== 'foreign') return finding;
      told = `something else answers there (${finding.message}), and in MCP: `;
    }
    const greeted = await sessions.greet(timeoutMs);
    foreign = 'session' in greeted;
    if ('session' in greeted) return { kind: 'reachable', ready: null };
    if ('error' in greeted) {
      return { kind: 'unreachable', message: `${told}it refuses initialize: ${greeted.error.message}`, certain: true };
    }
    const finding = unreachable(greeted.failure);
    return { ...finding, message: told + finding.message };
  };
}

/** What a failure says to who only wanted to know whether somebody is there. */
export const unreachable = ({ kind, reason }: Failure): Extract<Finding, { kind: 'unreachable' }> => ({
  kind: 'unreachable',
  message: kind === 'timeout' ? 'no answer in time' : reason,
  certain: kind === 'unreachable' || kind === 'malformed',
});
