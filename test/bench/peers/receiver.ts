/** Where webhooks go: a server that takes everything, and at another address one that never answers. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveCommands } from './command.ts';

let taken = 0;

const listening = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const takes = await listening((request, response) => {
  taken += 1;
  request.resume().on('end', () => response.writeHead(204).end());
});
const silent = await listening(request => void request.resume());

serveCommands(takes, { silent: () => silent, taken: () => taken });
process.on('SIGTERM', () => process.exit());
