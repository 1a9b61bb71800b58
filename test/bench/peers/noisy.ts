/** An instance that misbehaves on command: `slow`, `crashing`, `flapping`, or not at all (`none`). */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCommands } from './command.ts';

const turnMs = 100;
const slowMs = 200;
const ready = JSON.stringify({ process: true, dcc: true, skill_catalog: true, dispatcher: true });

let mood = 'none';
let there = true;

const server = createServer((request, response) => {
  request.resume();
  const answer = (): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': ready.length });
    response.end(ready);
  };
  if (mood === 'flapping' && !there) request.socket.destroy();
  else if (request.url === '/v1/readyz' || mood === 'none' || mood === 'flapping') answer();
  else if (mood === 'slow') setTimeout(answer, slowMs);
  else request.socket.destroy();
});

setInterval(() => {
  there = !there;
  if (mood === 'flapping' && !there) server.closeAllConnections();
}, turnMs);

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  serveCommands(`http://127.0.0.1:${port}/mcp`, {
    become: (next: string) => {
      mood = next;
    },
  });
});
