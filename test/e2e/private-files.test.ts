/** Whatever a server and a gateway write is its user's alone, under the most careless umask that there is. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir, waitFor } from '../helper.ts';
import { writeSkill } from '../spec/skill-package.ts';
import { createWorld } from './gateway-program.ts';
import { listening, program, runCommand } from './program.ts';

/** Nothing is masked away: who writes a file has to say whose it is. */
const careless = (args: readonly string[], env: NodeJS.ProcessEnv) =>
  runCommand('sh', ['-c', 'umask 0; exec "$0" "$@"', process.execPath, program, ...args], env);

test.skipIf(process.platform === 'win32')(
  'files are 0600 and directories 0700: rows, keys, jobs, logs, audits, traffic, feedback',
  async () => {
    const world = await createWorld();
    const skills = await tempDir();
    await writeSkill(skills, 'kit', { dcc: 'maya', tools: [{ name: 'echo', description: 'Echoes.' }] });
    const home = await tempDir();
    const at = (...names: string[]) => join(home, ...names);
    const token = 'a-token-of-the-tests';
    const env = {
      ...{
        HOME: home,
        XDG_CACHE_HOME: at('cache'),
        XDG_DATA_HOME: at('data'),
        XDG_STATE_HOME: at('state'),
        TMPDIR: home,
      },
      ...{ SVC_REGISTRY_DIR: at('registry'), SVC_GATEWAY_PORT: String(world.port) },
      SVC_AUTH_TOKENS: JSON.stringify([{ label: 'artists', token, scopes: ['admin'] }]),
    };
    const traffic = ['--traffic-capture', `jsonl:${at('traffic', 'calls.jsonl')}`];
    careless(
      [
        'gateway',
        '--gateway-persist',
        '--gateway-audit-dir',
        at('audit'),
        '--log-file',
        at('logs', 'gateway.log'),
        ...traffic,
      ],
      env,
    );
    await waitFor(world.health, 'the gateway', 20_000);
    const kept = [
      '--job-storage-path',
      at('jobs', 'jobs.db'),
      '--log-file',
      at('logs', 'server.log'),
      '--cache-dir',
      at('compiled'),
    ];
    const options = [
      '--dcc-type',
      'maya',
      '--skill-paths',
      skills,
      '--no-bundled-skills',
      '--no-watch-skills',
      '--feedback-tool',
    ];
    await listening(careless(['serve', '--json', ...options, ...kept], env));
    const ask = async (path: string, body: object) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json',
      };
      const url = `http://127.0.0.1:${world.port}${path}`;
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<
        Record<string, unknown>
      >;
    };
    await waitFor(
      async () => JSON.stringify(await ask('/v1/search', { query: 'kit' })).includes('kit'),
      'the skill',
      20_000,
    );
    await ask('/v1/load_skill', { skill_name: 'kit' });
    await ask('/v1/call', { tool_slug: 'list_skills', arguments: {} });
    await waitFor(
      async () => (await stat(at('audit', 'audit.jsonl')).catch(() => undefined))?.size,
      'the audit',
      10_000,
    );

    const open: string[] = [];
    const seen: string[] = [];
    const look = async (folder: string): Promise<void> => {
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        // What Node and the tests themselves keep there is not ours.
        if (/node-compile-cache|tsx-|v8-compile/.test(entry.name)) continue;
        const found = await stat(path).catch(() => undefined);
        if (!found) continue;
        seen.push(path.slice(home.length + 1));
        if ((found.mode & 0o077) !== 0) open.push(`${(found.mode & 0o777).toString(8)} ${path.slice(home.length + 1)}`);
        if (found.isDirectory()) await look(path);
      }
    };
    await look(home);
    expect(open).toEqual([]);
    for (const one of [
      /^registry\/keys\/.*\.key$/,
      /^registry\/instances\/.*\.json$/,
      /^jobs\/jobs\.db$/,
      /^logs\/server\.log$/,
      /^audit\/audit\.jsonl$/,
      /^traffic\/calls\.jsonl$/,
    ])
      expect(
        seen.some(each => one.test(each)),
        `${one} in ${seen.join(' ')}`,
      ).toBe(true);
  },
  60_000,
);
