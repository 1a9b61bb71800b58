/** How a host and its companion end, each by force and by itself, and what the other makes of it. */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vitest from 'vitest';
import { describe, expect, type TestContext, test } from 'vitest';
import { testEnv } from '../environment.ts';
import { type FakeHost, hostEnv, startFakeHost } from './fake-host.ts';
import { program } from './program.ts';

const rows = () => readdir(join(testEnv.SVC_REGISTRY_DIR, 'instances')).catch(() => [] as string[]);

type Context = Pick<TestContext, 'onTestFinished'>;

const started = (settings?: Parameters<typeof startFakeHost>[0], { onTestFinished }: Context = vitest): FakeHost => {
  const host = startFakeHost(settings);
  onTestFinished(() => host.stop());
  return host;
};

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the companion is killed: it is back with the same id, port, tools and scene, and what ran in the host is cancelled', async () => {
  const host = started({ scene: { objects: ['Sphere'] } });
  const client = await host.client();
  const first = await host.until(each => each.state === 'connected');
  await client.call('steps', { count: 1_000_000, pause: 0.001 });
  await expect.poll(async () => (await client.callJson('noted')).ran).toEqual(['steps']);
  const began = performance.now();
  process.kill(Number(first.server_pid), 'SIGKILL');
  const second = await host.until(
    each => each.state === 'connected' && ![null, first.server_pid].includes(each.server_pid),
  );
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(host.told.map(each => each.state)).toContain('lost');
  expect(host.told.filter(each => each.state === 'connected' && each.server_pid === null)).toEqual([]);
  expect(second).toMatchObject({ instance_id: first.instance_id, mcp_url: first.mcp_url });
  const again = await host.client();
  const { contents } = (await again.result('resources/read', { uri: 'scene://current' })) as {
    contents: { text: string }[];
  };
  expect(JSON.parse(contents[0]?.text ?? '')).toEqual({ objects: ['Sphere'] });
  expect((await again.call('add', { a: 1 })).content).toEqual([{ type: 'text', text: '3' }]);
  await expect
    .poll(async () => ((await again.callJson('noted')).cancelled as string[]).toSorted())
    .toEqual(['closed', 'told']);
  expect(await rows()).toEqual([`${first.instance_id}.json`]);
});

test('the host is killed: its callers are told, its row, its companion and its children are gone', async () => {
  const host = started();
  const client = await host.client();
  const { server_pid } = await host.until(each => each.state === 'connected');
  const child = Number(await client.callJson('child'));
  const held = client.call('hold', { ms: 4000 });
  const health = new URL('/health', client.url);
  await expect.poll(async () => (await fetch(health)).text()).toContain('"tool":"hold"');
  const began = performance.now();
  host.child.kill('SIGKILL');
  const told = await held;
  // Not when the call would have ended, after 4 s.
  expect(performance.now() - began).toBeLessThan(3000);
  expect(told).toMatchObject({
    isError: true,
    content: [{ text: expect.stringMatching(/^The host is gone .*the call had begun, what it did is not known$/) }],
  });
  await expect.poll(rows, { timeout: 10_000 }).toEqual([]);
  await expect.poll(() => [Number(server_pid), child].filter(lives)).toEqual([]);
});

/** The companion alone, spoken to by hand. */
function speak({ onTestFinished }: Context, lines: readonly string[]) {
  const child = spawn(process.execPath, [program, 'host', '--stdio'], {
    env: hostEnv(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let out = '';
  child.stdout.on('data', chunk => {
    out += chunk;
  });
  for (const each of lines) child.stdin.write(`${each}\n`);
  const ended = new Promise<number | null>(resolve => child.once('close', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  const messages = () =>
    out
      .split('\n')
      .filter(Boolean)
      .map(each => JSON.parse(each) as Record<string, unknown>);
  return { child, ended, messages };
}

const hello = {
  ...{ t: 'hello', protocol: 1, min_protocol: 1, module_version: '0.1.0', dcc_type: 'fake', dcc_version: '', pid: 1 },
  ...{ python: '3.7', background: true, options: { bundled_skills: false }, tools: [], state: {}, resume: null },
};

describe.concurrent('beside each other', () => {
  test('the host ends by itself: its row goes; an add-on that is loaded again is the same instance', async context => {
    const { expect } = context;
    const host = started({}, context);
    const first = await host.until(each => each.state === 'connected');
    host.child.stdin?.write('again\n');
    const second = await host.until(
      each => each.state === 'connected' && ![null, first.server_pid].includes(each.server_pid),
    );
    expect(second.instance_id).toBe(first.instance_id);
    await host.stop();
    await expect.poll(rows).not.toContain(`${first.instance_id}.json`);
    expect(host.child.exitCode).toBe(0);
  });

  test('a companion that does not start is tried again, less and less often; what is missing is told', async context => {
    const { expect } = context;
    const folder = await mkdtemp(join(tmpdir(), 'svc-starts-'));
    context.onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'starts');
    const program = `fs.appendFileSync(${JSON.stringify(file)}, Date.now() + '\\n'); process.exit(3)`;
    const host = started({ server: [process.execPath, '-e', program, '--'] }, context);
    await host.until(each => each.reason === 'svc-server ended with code 3');
    const starts = async () => (await readFile(file, 'utf8')).trim().split('\n').map(Number);
    await expect.poll(async () => (await starts()).length).toBeGreaterThanOrEqual(4);
    // Each begins that long after the end of the one before, at least; the clock and the timer are not the same.
    const [first = 0, second = 0, third = 0, fourth = 0] = await starts();
    expect(second - first).toBeGreaterThan(195);
    expect(third - second).toBeGreaterThan(395);
    expect(fourth - third).toBeGreaterThan(795);
  });

  test('a module that it cannot serve is refused with what to do, and code 2', async context => {
    const { expect } = context;
    const { ended, messages } = speak(context, [JSON.stringify({ ...hello, options: { bundeled: 1 } })]);
    expect(await ended).toBe(2);
    expect(messages()).toEqual([
      { t: 'refused', reason: expect.stringMatching(/bundeled/), remedy: 'Correct the options of the host.' },
    ]);
  });

  test('lines that are no message are told and left out; types that nobody knows are not; the end of input ends it', async context => {
    const { expect } = context;
    const { child, ended, messages } = speak(context, [JSON.stringify({ ...hello, pid: process.pid })]);
    await expect.poll(() => messages().some(each => each.t === 'welcome')).toBe(true);
    child.stdin.write('no json\n[]\n{"t":"of tomorrow"}\n{"t":"result"}\n');
    child.stdin.write(
      `{"t":"event","name":"${'x'.repeat(9 * 1024 * 1024)}"}\n{"t":"tool","definition":{"name":"a b"}}\n`,
    );
    await expect.poll(() => messages().filter(each => each.t === 'problem').length).toBe(5);
    expect(messages().flatMap(each => (each.t === 'problem' ? [each.message] : []))).toEqual([
      'a line is no JSON and was left out: no json',
      'a line is no JSON object and was left out',
      expect.stringContaining('a message "result" is not valid'),
      expect.stringContaining('a line of more than 8388608 bytes was left out'),
      expect.stringContaining('the tool "a b" was not registered: The name "a b" is not valid'),
    ]);
    child.stdin.end();
    expect(await ended).toBe(0);
  });

  test('Python skills that need the main thread, or the process, of the host run inside it', async context => {
    const { expect } = context;
    const top = await mkdtemp(join(tmpdir(), 'svc-inside-'));
    context.onTestFinished(() => rm(top, { recursive: true }));
    const folder = join(top, 'inside');
    await mkdir(join(folder, 'scripts'), { recursive: true });
    const tools = ['where', 'own_start'].map(name => ({
      ...{
        name,
        description: name,
        source_file: `scripts/${name}.py`,
        affinity: 'main',
        enforce_thread_affinity: true,
      },
      requires_in_process: true,
    }));
    await writeFile(
      join(folder, 'SKILL.md'),
      `---\nname: inside\ndescription: runs inside\nmetadata:\n  svc:\n    dcc: fake\n    tools: tools.yaml\n---\n`,
    );
    await writeFile(join(folder, 'tools.yaml'), JSON.stringify({ tools }));
    await writeFile(
      join(folder, 'scripts', 'where.py'),
      'import os, sys, threading\ndef main(n=1):\n    print("talk")\n    return {"pid": os.getpid(), "n": n, "main": threading.current_thread() is threading.main_thread(), "host": "svc_host" in sys.modules}\n',
    );
    await writeFile(
      join(folder, 'scripts', 'own_start.py'),
      'import json, os, sys\nif __name__ == "__main__":\n    print(json.dumps({"pid": os.getpid(), "given": json.load(sys.stdin), "argv": sys.argv[1:]}))\n',
    );
    const host = started({ options: { skill_paths: [join(folder, '..')] } }, context);
    const client = await host.client();
    await client.call('load_skill', { skill_name: 'inside' });
    expect(await client.callJson('where', { n: 4 })).toEqual({ pid: host.child.pid, n: 4, main: true, host: true });
    expect(await client.callJson('own_start', { a: 1 })).toEqual({
      pid: host.child.pid,
      given: { a: 1 },
      argv: ['--a', '1'],
    });
  });
});
