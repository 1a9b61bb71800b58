/** The real programs under test, each a process on a registry of its own; all are ended with `stop`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtFile } from '../bench/peer.ts';
import { freePort } from '../free-port.ts';

export interface Servers {
  /** The MCP endpoint of `svc-server` with the fixture as a plugin. */
  server: string;
  /** The same through the gateway. */
  throughGateway: string;
  /** The MCP endpoint of an application that embeds the server, with the fixture as its own. */
  host: string;
  /** The gateway's own endpoint. */
  gateway: string;
  stop(): Promise<void>;
}

interface Told {
  mcp_url: string;
  instance_id: string | null;
}

const fixture = (...path: string[]): string => join(import.meta.dirname, 'fixture', ...path);
/** All that the suite asks for stands on the first page of a list. */
const settings = ['--tools-page-size', '100', '--no-bundled-skills', '--no-watch-skills', '--log-level', 'error'];

export async function startServers(): Promise<Servers> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
  const children: ChildProcess[] = [];
  const env = { ...environment(), SVC_REGISTRY_DIR: directory };
  const start = (file: string, args: readonly string[]): ChildProcess => {
    const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    return child;
  };
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) await ended(child);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const program = builtFile('svc-server.js');
    const port = await freePort();
    start(program, ['gateway', '--port', String(port), '--log-level', 'error']);
    const origin = `http://127.0.0.1:${port}`;
    await until(`${origin}/health`, () => true);
    const skills = ['--skill-path', fixture('skills')];
    const plugin = ['--plugin', fixture('plugin.mjs')];
    const gateway = ['--gateway-port', String(port)];
    const told = await line(start(program, ['serve', '--json', ...settings, ...skills, ...plugin, ...gateway]));
    await loadSkill(told.mcp_url, 'everything');
    const host = await line(start(fixture('host.mjs'), [fixture('skills')]));
    const throughGateway = `${origin}/mcp/${told.instance_id}`;
    await until(`${origin}/v1/instances`, text => text.includes(String(told.instance_id)));
    return { server: told.mcp_url, throughGateway, host: host.mcp_url, gateway: `${origin}/mcp`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function loadSkill(mcpUrl: string, skill: string): Promise<void> {
  const answer = await fetch(new URL('/v1/load_skill', mcpUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ skill_name: skill }),
  });
  if (!answer.ok) throw new Error(`the skill ${skill} cannot be loaded: ${await answer.text()}`);
}

/** Nothing of the developer's own settings. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SVC_|NODE_|npm_)/.test(name)));

/** The one line of JSON that a program prints when it listens. */
function line(child: ChildProcess): Promise<Told> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', chunk => {
      text += chunk;
      if (text.includes('\n')) resolve(JSON.parse(text) as Told);
    });
    child.once('exit', code => reject(new Error(`a server ended with code ${code} before it listened`)));
  });
}

/** Waits until `url` answers with what fits. */
async function until(url: string, fits: (text: string) => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const text = await fetch(url, { headers: { accept: 'application/json' } }).then(
      answer => answer.text(),
      () => undefined,
    );
    if (text !== undefined && fits(text)) return;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`${url} did not answer as it should within 30 s`);
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise(resolve => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
    child.once('exit', () => {
      clearTimeout(patience);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
