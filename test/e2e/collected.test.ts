/**
 * What a call through the gateway leaves behind is collected while it is young. What is kept longer costs every later
 * collection, and grows where nobody looks: a getter of an object's own, or a Map that calls pass through, is enough.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir, waitFor } from '../helper.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { createWorld } from './gateway-program.ts';
import { listening, program, runNode } from './program.ts';

const slow = 120_000;
const clients = 16;
const calls = 6000;

/** In the gateway: writes how many bytes have become old so far. The file is put in place whole: it is read meanwhile. */
const counter = `
const { renameSync, writeFileSync } = require('node:fs');
const { getHeapSpaceStatistics } = require('node:v8');
if (require('node:worker_threads').isMainThread) {
  const old = () => getHeapSpaceStatistics().find(each => each.space_name === 'old_space').space_used_size;
  let [last, sum] = [old(), 0];
  setInterval(() => {
    const now = old();
    sum += Math.max(0, now - last);
    last = now;
    const file = process.env.SVC_TEST_COUNTED;
    writeFileSync(file + '.new', String(sum));
    renameSync(file + '.new', file);
  }, 20).unref();
}`;

interface Answer {
  session: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the body of an answer under test
  body: any;
}

/** POSTs JSON over connections that are kept. */
function poster(port: number) {
  const agent = new Agent({ keepAlive: true });
  return (path: string, body: unknown, more: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
      const asked = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, answer => {
        let text = '';
        answer.on('data', chunk => {
          text += chunk;
        });
        answer.on('end', () => {
          const session = answer.headers['mcp-session-id'];
          resolve({ session: typeof session === 'string' ? session : undefined, body: JSON.parse(text || 'null') });
        });
      });
      asked.on('error', reject);
      asked.end(JSON.stringify(body));
    });
}

test(
  'of a call that is told to everybody, less than its own text grows old',
  async () => {
    const world = await createWorld();
    const [skills, folder] = [await tempDir(), await tempDir()];
    const [hook, counted] = [join(folder, 'counter.cjs'), join(folder, 'counted')];
    await writeFile(hook, counter);
    await writeSkill(skills, 'shots', {
      ...{ description: 'Shots.', dcc: 'maya' },
      tools: [{ name: 'shot', description: 'One shot.', body: 'return args;', input_schema: { type: 'object' } }],
    });
    const gateway = runNode(
      program,
      ['gateway', '--json', '--port', String(world.port), '--registry-dir', world.directory],
      {
        ...{ NODE_OPTIONS: `--require=${hook}`, SVC_TEST_COUNTED: counted },
        ...{ SVC_GATEWAY_AUDIT_DIR: folder, SVC_TRAFFIC_CAPTURE: `jsonl:${join(folder, 'traffic.jsonl')}` },
      },
    );
    await listening(gateway);
    await listening(world.serve('--dcc-type', 'maya', '--skill-paths', skills));
    const post = poster(world.port);
    const load = () => post('/v1/load_skill', { skill_name: 'shots', dcc_type: 'maya' });
    await waitFor(async () => (await load()).body.error === undefined, 'the skill', 20_000);
    const find = async () => (await post('/v1/search', { query: 'shot' })).body.hits.find((hit: Loaded) => hit.loaded);
    const { tool_slug } = (await waitFor(find, 'the tool', 20_000)) as { tool_slug: string };

    const about = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { session = '' } = await post('/mcp', { jsonrpc: '2.0', id: 0, method: 'initialize', params: about });
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' };
    const params = { name: 'call', arguments: { tool_slug, arguments: { text: 'x'.repeat(500) } } };
    let last = 0;
    const client = async (until: number): Promise<void> => {
      while (last < until) {
        last += 1;
        const { body } = await post('/mcp', { jsonrpc: '2.0', id: last, method: 'tools/call', params }, headers);
        if (!body.result?.content) throw new Error(JSON.stringify(body));
      }
    };
    const run = (until: number) => Promise.all(Array.from({ length: clients }, () => client(until)));
    const old = async (): Promise<number> => {
      const text = await readFile(counted, 'utf8');
      expect(text).toMatch(/^\d+$/);
      return Number(text);
    };
    // Code that is compiled, and what is made once.
    await run(calls);
    const before = await old();
    await run(2 * calls);
    // 250 bytes on Node 20; 6,900 with one getter in the object that stands for the caller.
    expect(((await old()) - before) / calls).toBeLessThan(2000);
  },
  slow,
);

interface Loaded {
  readonly loaded: boolean;
}
