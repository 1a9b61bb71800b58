/**
 * Beyond the machine: two network namespaces, joined by a cable. In the one a gateway and a relay; in the other three
 * servers, one that registers over HTTP, one that advertises itself, one that is only reached through a tunnel.
 */
import { execFile, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { testEnv } from '../environment.ts';
import { tempDir, waitFor } from '../helper.ts';
import { program, type Run, runCommand } from './program.ts';

const run = promisify(execFile);
const [near, far] = [`svc-${process.pid}-a`, `svc-${process.pid}-b`];
const cable = [`sv${process.pid}a`, `sv${process.pid}b`] as const;
const [here, there] = ['10.99.7.1', '10.99.7.2'];
const ip = (...args: string[]) => run('ip', args);

/** Whether namespaces may be made here: by root, on Linux, with iproute2. */
const allowed = spawnSync('ip', ['netns', 'add', near]).status === 0;
if (allowed) spawnSync('ip', ['netns', 'del', near]);
const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
/** One daemon at a time runs on a machine, whatever the namespace. */
const avahi =
  ['dbus-daemon', 'avahi-daemon', 'avahi-browse'].every(has) && spawnSync('avahi-daemon', ['--check']).status !== 0;

async function joined(): Promise<void> {
  onTestFinished(async () => {
    for (const each of [near, far]) await ip('netns', 'del', each).catch(() => undefined);
  });
  for (const each of [near, far]) await ip('netns', 'add', each);
  await ip('link', 'add', cable[0], 'netns', near, 'type', 'veth', 'peer', 'name', cable[1], 'netns', far);
  for (const [space, end, address] of [[near, cable[0], here] as const, [far, cable[1], there] as const]) {
    await ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', end);
    await ip('-n', space, 'link', 'set', end, 'up');
    await ip('-n', space, 'link', 'set', 'lo', 'up');
    await ip('-n', space, 'route', 'add', '224.0.0.0/4', 'dev', end);
  }
}

/** A program in a namespace; its registry and its home are those of that side. */
const inside = (space: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Run =>
  runCommand('ip', ['netns', 'exec', space, command, ...args], env);

interface Asked {
  url: string;
  token?: string;
  body?: object;
}

const asking = `const asked = JSON.parse(process.argv[1]);
const answers = [];
for (const { url, token, body } of asked) {
  const headers = { accept: 'application/json', ...(token && { authorization: 'Bearer ' + token }) };
  if (body) headers['content-type'] = 'application/json';
  const sent = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(url, sent).catch(error => ({ status: 0, text: async () => String(error.cause) }));
  answers.push({ status: answer.status, text: await answer.text() });
}
console.log(JSON.stringify(answers));`;

/** Requests from the side of the gateway. */
async function ask(...asked: Asked[]): Promise<{ status: number; text: string }[]> {
  const args = ['netns', 'exec', near, process.execPath, '--input-type=module', '-e', asking, JSON.stringify(asked)];
  return JSON.parse((await run('ip', args)).stdout);
}

const tokens = { farm: 'token-of-the-maya-farm', person: 'token-of-a-person-here' };

interface Row {
  source: string;
  dcc_type: string;
  mcp_url: string;
  instance_id: string;
}

async function world() {
  await joined();
  const folder = await tempDir();
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string) => writeFile(file(name), text, { mode: 0o600 });
  await write('farm', tokens.farm);
  await write('person', tokens.person);
  const side = (name: string): NodeJS.ProcessEnv => ({
    ...{ SVC_REGISTRY_DIR: file(name), XDG_STATE_HOME: file(`state-${name}`), SVC_HEARTBEAT_SECS: '1' },
    SVC_REMOTE_GATEWAY_TTL_SECS: '3',
  });
  const [gatewaySide, serverSide] = [side('near'), side('far')];
  const svc = (space: string, args: readonly string[], env: NodeJS.ProcessEnv): Run =>
    inside(space, process.execPath, [program, ...args, '--log-level', 'warn'], env);
  const secret = ['--key-file', file('relay.key')];
  const issued = await run(
    process.execPath,
    [program, 'relay', 'token', '--subject', 'studio', '--dcc', 'nuke', ...secret],
    {
      env: { ...process.env, ...testEnv, ...gatewaySide },
    },
  );
  await write('studio', issued.stdout);

  const relay = svc(near, ['relay', '--host', here, '--port', '9870', ...secret, '--json'], {
    ...gatewaySide,
    SVC_AUTH_TOKENS: JSON.stringify([{ label: 'person', token: tokens.person, scopes: ['call'] }]),
  });
  const relayed = `http://${here}:9870`;
  await write('backends', JSON.stringify([{ url: relayed, token: tokens.person }]));
  const gateway = ['gateway', '--host', here, '--port', '9765', '--gateway-persist', '--discover-mdns', '--json'];
  svc(near, [...gateway, '--relay-source', `${relayed}=${relayed}`], {
    ...gatewaySide,
    SVC_GATEWAY_RELAY_TOKEN_FILE: file('person'),
    SVC_GATEWAY_BACKEND_TOKENS_FILE: file('backends'),
    SVC_AUTH_TOKENS: JSON.stringify([
      { label: 'farm', token: tokens.farm, allowed_dcc: ['maya'] },
      { label: 'person', token: tokens.person, scopes: ['call'] },
    ]),
  });
  const server = (dcc_type: string, host: string, port: number, ...more: string[]) =>
    svc(
      far,
      [
        'serve',
        '--host',
        host,
        '--port',
        `${port}`,
        '--no-auto-gateway',
        '--insecure-bind',
        '--dcc-type',
        dcc_type,
        ...more,
      ],
      serverSide,
    );
  const remote = ['--remote-gateway-url', `http://${here}:9765`, '--remote-gateway-token-file', file('farm')];
  server('maya', there, 8765, ...remote);
  const advertised = server('houdini', there, 8766, '--advertise-mdns');
  server('blender', there, 8767, ...remote);
  server('nuke', '127.0.0.1', 8768);
  await waitFor(() => relay.stdout().includes('listening'), 'the relay', 30_000);
  const tunnel = ['tunnel', '--relay', relayed, '--token-file', file('studio'), '--dcc-type', 'nuke', '--json'];
  const opened = svc(far, [...tunnel, '--target', 'http://127.0.0.1:8768'], serverSide);
  await waitFor(() => opened.stdout().includes('connected'), 'the tunnel', 30_000);
  return { gateway: `http://${here}:9765`, relayed, advertised, file };
}

test.skipIf(!allowed)(
  'servers of another network are found over HTTP, by mDNS and through a relay, and are called; without the right token nobody is let in',
  async () => {
    const { gateway, relayed, advertised, file } = await world();
    const listed = async (count: number): Promise<Row[] | undefined> => {
      const [answer] = await ask({ url: `${gateway}/v1/instances`, token: tokens.person });
      if (answer?.status !== 200) return undefined;
      const { instances } = JSON.parse(answer.text) as { instances: Row[] };
      return instances.length === count ? instances : undefined;
    };
    const rows = await waitFor(() => listed(3), 'three servers', 40_000);
    expect(rows.map(each => [each.source, each.dcc_type, each.mcp_url]).sort()).toEqual([
      ['http', 'maya', `http://${there}:8765/mcp`],
      ['mdns', 'houdini', `http://${there}:8766/mcp`],
      ['relay', 'nuke', expect.stringMatching(new RegExp(`^${relayed}/tunnel/[0-9a-f]{32}/mcp$`))],
    ]);

    const call = ({ dcc_type, instance_id }: Row): Asked => ({
      url: `${gateway}/v1/call`,
      token: tokens.person,
      body: { tool_slug: `${dcc_type}.${instance_id.slice(0, 8)}.search_tools`, arguments: { query: 'skills' } },
    });
    for (const { status, text } of await ask(...rows.map(call))) {
      expect([status, text]).toEqual([200, expect.stringContaining('list_skills')]);
    }

    const register = (token: string | undefined, dcc_type: string): Asked => ({
      url: `${gateway}/v1/instances/register`,
      ...(token !== undefined && { token }),
      body: { instance_id: '12345678-0000-4000-8000-000000000000', dcc_type, mcp_url: `http://${there}:1/mcp` },
    });
    const refused = await ask(
      register(undefined, 'maya'),
      register('a-token-that-is-unknown', 'maya'),
      register(tokens.farm, 'blender'),
    );
    expect(refused.map(each => each.status)).toEqual([401, 401, 403]);
    const relay = rows.find(each => each.source === 'relay')?.mcp_url ?? '';
    const doors = [`${gateway}/v1/instances`, `${gateway}/v1/call`, `${relayed}/tunnels`, relay];
    const body = { tool_slug: 'maya.1.x' };
    const strangers = await ask(...doors.map(url => (/call|mcp/.test(url) ? { url, body } : { url })));
    expect(strangers.map(each => each.status)).toEqual([401, 401, 401, 401]);
    const narrow = await ask({ url: `${gateway}/v1/call`, token: tokens.farm, body });
    expect(narrow[0]?.status).toBe(403);

    if (!avahi) process.stderr.write('not seen by avahi-browse: it is not installed, or another avahi-daemon runs\n');
    else {
      const bus = `unix:path=${file('bus')}`;
      const type = '-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN';
      const address = 'http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd';
      const open =
        '<policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>';
      const config = `<busconfig><type>system</type><listen>${bus}</listen><auth>EXTERNAL</auth>${open}</busconfig>`;
      await writeFile(file('bus.conf'), `<!DOCTYPE busconfig PUBLIC "${type}" "${address}">${config}`);
      await writeFile(
        file('avahi.conf'),
        `[server]\nuse-ipv6=no\nallow-interfaces=${cable[0]}\n[publish]\ndisable-publishing=yes\n`,
      );
      const env = { DBUS_SYSTEM_BUS_ADDRESS: bus };
      runCommand('dbus-daemon', [`--config-file=${file('bus.conf')}`, '--nofork']);
      const daemon = ['--no-drop-root', '--no-chroot', '--no-rlimits', '-f', file('avahi.conf')];
      await waitFor(() => spawnSync('test', ['-S', file('bus')]).status === 0, 'the bus');
      inside(near, 'avahi-daemon', daemon, env);
      const browse = () =>
        run('ip', ['netns', 'exec', near, 'avahi-browse', '-rpt', '_dcc-mcp._tcp'], {
          env: { ...process.env, ...env },
        });
      const seen = await waitFor(
        async () => {
          const { stdout } = await browse().catch(() => ({ stdout: '' }));
          // Of a name's addresses it tells the one that came first, until it knows them all.
          return stdout.split('\n').find(each => each.startsWith('=') && each.includes(`;${there};`));
        },
        'what avahi sees',
        20_000,
      );
      for (const text of [there, '8766', 'dcc=houdini', 'mcp_path=/mcp', 'instance_id=']) expect(seen).toContain(text);
    }
    advertised.child.kill('SIGTERM');
    await waitFor(() => listed(2), 'the goodbye', 20_000);
  },
  120_000,
);
