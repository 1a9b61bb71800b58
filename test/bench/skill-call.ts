/** Calls through a skill worker and a skill process against the same work in the server's own thread, over HTTP. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import pino from 'pino';
import { createScope } from '../../kernel/index.ts';
import type { RuntimeCall } from '../../plugins/skills/runtime-api.ts';
import { createSkillRuntimes } from '../../plugins/skills/runtimes.ts';
import type { ToolText } from '../../plugins/tools/api.ts';

const seconds = Number(process.argv[2] ?? 3);
const rounds = 3;
const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
await mkdir(join(folder, 'tools'));
await writeFile(join(folder, 'tools', 'echo.ts'), 'export default args => ({ success: true, args });');
const runtimes = createSkillRuntimes({
  cacheDir: join(folder, 'cache'),
  heapMb: 64,
  log: pino({ level: 'silent' }),
  services: { callTool: async () => ({}), emitEvent: () => undefined },
  env: process.env,
  scope: createScope('bench'),
});
const spec = { skill: 'bench', directory: folder, config: {}, dcc: 'python' };
const tools = [{ name: 'echo', path: join(folder, 'tools', 'echo.ts'), kind: 'module' as const }];
const worker = await runtimes.start({ ...spec, isolation: 'worker', tools });
const child = await runtimes.start({ ...spec, isolation: 'process', tools });

const call = (): RuntimeCall => ({
  signal: new AbortController().signal,
  deadline: undefined,
  onProgress: () => undefined,
  onLog: () => undefined,
});
const handlers: Record<string, (args: Record<string, unknown>) => string | Promise<string>> = {
  '/in-thread': args => JSON.stringify({ success: true, args }),
  '/worker': async args => ((await worker.call('echo', args, call())) as ToolText).json,
  '/process': async args => ((await child.call('echo', args, call())) as ToolText).json,
};
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', text => {
    body += text;
  });
  request.on('end', async () => {
    const { id, params } = JSON.parse(body);
    const result = await handlers[request.url ?? '']?.(params);
    response.setHeader('content-type', 'application/json');
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  });
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { text: 'x'.repeat(80), list: [1, 2, 3] } });
const measure = (path: string, connections: number): Promise<autocannon.Result> =>
  autocannon({
    url: `http://127.0.0.1:${port}${path}`,
    method: 'POST',
    body,
    connections,
    duration: seconds,
    workers: 1,
  });
const median = (values: number[]): number => values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

const rows: Record<string, string | number>[] = [];
for (const connections of [1, 16]) {
  const seen: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++) {
    for (const path of Object.keys(handlers)) {
      const { requests } = await measure(path, connections);
      seen[path] = [...(seen[path] ?? []), requests.average];
    }
  }
  const base = median(seen['/in-thread'] ?? []);
  for (const path of Object.keys(handlers)) {
    const rate = median(seen[path] ?? []);
    rows.push({
      connections,
      'runs in': path.slice(1),
      'requests/s': Math.round(rate),
      ratio: (rate / base).toFixed(2),
      'added us per request': Math.round((connections * 1e6) / rate - (connections * 1e6) / base),
    });
  }
}
// Round trips without HTTP.
for (const [name, runtime] of Object.entries({ worker, process: child })) {
  for (const [inFlight, total] of [
    [1, 5000],
    [64, 50_000],
  ] as const) {
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        for (let n = 0; n < total / inFlight; n++) await runtime.call('echo', { n }, call());
      }),
    );
    const ms = performance.now() - startedAt;
    rows.push({ connections: inFlight, 'runs in': `${name}, no HTTP`, 'requests/s': Math.round((total / ms) * 1000) });
  }
}
console.table(rows);
server.close();
await runtimes.dispose();
await rm(folder, { recursive: true });
