/** Ports for tests and benchmarks; apart from the helper, which only runs under vitest. */
import { createServer } from 'node:net';

// Below what the systems hand out themselves: nobody else is given the port before its server binds it.
const [first, last] = [10_000, 32_000];
// Processes that run at the same time begin far apart and go on in steps of one.
let next = first + ((process.pid * 997) % (last - first));

const isFree = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** A port of the loopback address that nothing listens on; a process is never given the same twice. */
export async function freePort(): Promise<number> {
  for (let tries = last - first; tries > 0; tries -= 1) {
    const port = next;
    next = next === last ? first : next + 1;
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}
