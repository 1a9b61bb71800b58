/** Clients that call a tool through the gateway all the time, over connections that they keep and over fresh ones. */
import { Agent, request } from 'node:http';

export interface LoadReport {
  calls: number;
  /** Without a 200, but with an answer that says that it may be tried again. */
  retryable: number;
  /** Neither: by what happened. */
  failed: Record<string, number>;
  /** The longest time in which no call was answered with 200. */
  longest_gap_ms: number;
}

export interface Load {
  stop(): Promise<LoadReport>;
}

/** POST /v1/call of `tool_slug` by as many clients of each kind. */
export function startLoad(port: number, tool_slug: string, clients = 8, args: object = {}): Load {
  const kept = new Agent({ keepAlive: true });
  const report: LoadReport = { calls: 0, retryable: 0, failed: {}, longest_gap_ms: 0 };
  const body = JSON.stringify({ tool_slug, arguments: args });
  let running = true;
  let lastGood = performance.now();

  const call = (agent: Agent | false): Promise<string | undefined> =>
    new Promise(resolve => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const asked = request({ host: '127.0.0.1', port, path: '/v1/call', method: 'POST', agent, headers }, answer => {
        let text = '';
        answer.on('data', chunk => {
          text += chunk;
        });
        answer.once('error', error => resolve(error.message));
        answer.once('end', () => resolve(judge(answer.statusCode ?? 0, text)));
      });
      asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      asked.end(body);
    });
  const judge = (status: number, text: string): string | undefined => {
    if (status === 200) {
      const now = performance.now();
      report.longest_gap_ms = Math.max(report.longest_gap_ms, now - lastGood);
      lastGood = now;
      return undefined;
    }
    if (![429, 503].includes(status)) return `status ${status}: ${text.slice(0, 300)}`;
    report.retryable += 1;
    return undefined;
  };
  const client = async (agent: Agent | false): Promise<void> => {
    while (running) {
      const problem = await call(agent);
      report.calls += 1;
      if (problem !== undefined) report.failed[problem] = (report.failed[problem] ?? 0) + 1;
    }
  };
  const work = Promise.all(
    [kept, false as const].flatMap(agent => Array.from({ length: clients }, () => client(agent))),
  );
  return {
    async stop() {
      running = false;
      await work;
      kept.destroy();
      return report;
    },
  };
}
