/** A real X display of its own (Xvfb) with real windows, for one test. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const execute = promisify(execFile);
const path = process.env.PATH ?? '';

/** The full path of a program of this machine, or undefined. */
export function programPath(name: string): string | undefined {
  return path
    .split(delimiter)
    .map(folder => join(folder, name))
    .find(file => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

const wanted = ['Xvfb', 'import', 'xlogo', 'xdotool', 'xprop'];
const missing = wanted.filter(name => !programPath(name));

/** Why the tests on a display cannot run here; empty when they can. */
export const noDisplay = missing.length > 0 ? `not on this machine: ${missing.join(', ')}` : '';

export interface Display {
  env: { DISPLAY: string; PATH: string };
  /** Opens a window of xlogo; resolves with its id once it is on the screen. */
  open(geometry: string, colours: { fg: string; bg: string }): Promise<string>;
  /** Makes a window the active one, as a window manager does: in properties of the root window. */
  activate(id: string): Promise<void>;
  stop(): Promise<void>;
}

export async function openDisplay(): Promise<Display> {
  const children: ChildProcess[] = [];
  const end = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise(resolve => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  const stop = async (): Promise<void> => {
    for (const child of children.reverse()) await end(child);
  };
  onTestFinished(stop);

  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '640x480x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  children.push(server);
  const number = await new Promise<string>((resolve, reject) => {
    server.once('exit', () => reject(new Error('Xvfb ended')));
    let said = '';
    (server.stdio[3] as NodeJS.ReadableStream).on('data', (piece: Buffer) => {
      said += piece.toString();
      if (said.includes('\n')) resolve(said.trim());
    });
  });
  const env = { DISPLAY: `:${number}`, PATH: path };

  return {
    env,
    async open(geometry, { fg, bg }) {
      const child = spawn('xlogo', ['-geometry', geometry, '-fg', fg, '-bg', bg], { env, stdio: 'ignore' });
      children.push(child);
      const search = ['search', '--sync', '--onlyvisible', '--class', 'XLogo'];
      const { stdout } = await execute('xdotool', search, { env, timeout: 10_000 });
      return stdout.trim().split('\n').at(-1) ?? '';
    },
    async activate(id) {
      const set = (format: string, name: string, value: string) =>
        execute('xprop', ['-root', '-f', name, format, '-set', name, value], { env });
      await set('32a', '_NET_SUPPORTED', '_NET_ACTIVE_WINDOW');
      await set('32x', '_NET_ACTIVE_WINDOW', `0x${Number(id).toString(16)}`);
    },
    stop,
  };
}
