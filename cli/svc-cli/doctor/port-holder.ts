/**
 * Which process listens at a port, as far as this user may know. On Linux the system's own tables are read; elsewhere its
 * own program is asked.
 */
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

/** In words; nothing when it is not known. */
export async function portHolder(port: number): Promise<string | undefined> {
  const found = await (process.platform === 'linux' ? fromProc(port) : fromPrograms(port)).catch(() => undefined);
  if (found === undefined) return undefined;
  if (found.pid !== undefined) return `${found.name ?? 'a process'} (pid ${found.pid})`;
  return found.uid === undefined ? undefined : `a process of user ${found.uid}`;
}

interface Holder {
  pid?: number;
  name?: string | undefined;
  uid?: number;
}

const listenState = '0A';

async function fromProc(port: number): Promise<Holder | undefined> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map(each => readFile(`/proc/net/${each}`, 'latin1').catch(() => '')),
  );
  const rows = tables.flatMap(each => each.split('\n').slice(1)).map(each => each.trim().split(/\s+/));
  const row = rows.find(
    ([, local = '', , state]) => state === listenState && Number.parseInt(local.split(':')[1] ?? '', 16) === port,
  );
  if (!row) return undefined;
  const [uid, inode] = [Number(row[7]), row[9]];
  const pids = (await readdir('/proc')).filter(each => /^\d+$/.test(each));
  for (const pid of pids) {
    if (await holds(pid, `socket:[${inode}]`)) return { pid: Number(pid), uid, name: await nameOf(pid) };
  }
  return { uid };
}

async function holds(pid: string, wanted: string): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(files.map(each => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')));
  return links.includes(wanted);
}

/** The program and the script that it runs; no other argument, which may be a secret. */
async function nameOf(pid: string): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = '', script = ''] = text.split('\0');
  const words = script.startsWith('-') ? [program] : [program, script];
  return (
    words
      .filter(Boolean)
      .map(each => basename(each))
      .join(' ') || undefined
  );
}

const waitMs = 3000;

async function fromPrograms(port: number): Promise<Holder | undefined> {
  const run = promisify(execFile);
  const options = { timeout: waitMs, windowsHide: true };
  if (process.platform === 'win32') {
    const { stdout } = await run('netstat', ['-ano', '-p', 'TCP'], options);
    return holderInNetstat(stdout, port);
  }
  const { stdout } = await run('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], options);
  return holderInLsof(stdout);
}

/** `p<pid>` and `c<command>`, a line each. */
export function holderInLsof(text: string): Holder | undefined {
  const pid = /^p(\d+)$/m.exec(text)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), name: /^c(.+)$/m.exec(text)?.[1] };
}

/** Protocol, own address, other address, state (in the language of the system), process. */
export function holderInNetstat(text: string, port: number): Holder | undefined {
  const rows = text.split('\n').map(each => each.trim().split(/\s+/));
  const row = rows.find(([, local = '', other = '']) => local.endsWith(`:${port}`) && other.endsWith(':0'));
  const pid = Number(row?.[4]);
  return pid > 0 ? { pid } : undefined;
}
