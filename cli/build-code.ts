/** Starts the built server once, and keeps what V8 compiled for it: a start on the same Node has nothing to compile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

/** Number of packs whose code is kept; 0 when this machine cannot start the server, which then compiles at each start. */
export async function keepCode(root: string, out: string): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), 'svc-build-'));
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^SVC_|^NODE_OPTIONS$/.test(name))),
    ...{ SVC_REGISTRY_DIR: home, XDG_STATE_HOME: home, SVC_LOG_DIR: home },
  };
  const preload = ['tsx', pathToFileURL(join(root, 'cli/keep-code.ts')).href].flatMap(each => ['--import', each]);
  const serve = [join(out, 'svc-server.js'), 'serve', '--json', '--no-auto-gateway'];
  const server = spawn(process.execPath, [...preload, ...serve], {
    ...{ cwd: root, env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = server as typeof server & { stdout: Readable; stderr: Readable };
  const ended = once(server, 'exit');
  const said = text(stderr);
  for await (const line of createInterface({ input: stdout })) {
    if (line.includes('"listening"')) server.send('keep');
  }
  const [exitCode] = await ended;
  if (exitCode !== 0) process.stderr.write(await said);
  await rm(home, { recursive: true, force: true });
  return (await readdir(join(out, 'chunks'))).filter(each => each.endsWith('.code')).length;
}
