/** A bare Node process that holds what a gateway at rest holds: to each instance a session's event stream, and a connection. */
import { request } from 'node:http';
import { serveCommands } from './command.ts';

const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'holder', version: '0' } };
const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });

async function hold(url: string): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers, body: initialize });
  await answer.text();
  const session = String(answer.headers.get('mcp-session-id'));
  await new Promise<void>((resolve, reject) => {
    const stream = request(url, { agent: false, headers: { accept: headers.accept, 'mcp-session-id': session } });
    stream.once('response', response => {
      response.resume();
      resolve();
    });
    stream.once('error', reject);
    stream.end();
  });
}

serveCommands('holder:', {
  /** Opens what is held. */
  hold: (urls: readonly string[]) => Promise.all(urls.map(hold)).then(() => undefined),
  /** CPU time of this process so far, in ms. */
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
});
