/** Asks whether the gateway answers at an address, and tells it from what else may listen there. */
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { reachable } from '../../../schemas/address.ts';
import { objectOf, parsed } from '../../../schemas/loose.ts';

/** The name by which the gateway's /health says who answers. */
const gatewayService = 'dcc-mcp-gateway';
const maxAnswerBytes = 4096;

export interface GatewayAddress {
  host: string;
  port: number;
}

export type ProbeResult =
  | { state: 'healthy' }
  /** Nobody listens. */
  | { state: 'refused' }
  /** Something may listen, but gave no answer. */
  | { state: 'silent'; detail: string }
  /** Something else answered. */
  | { state: 'foreign'; detail: string };

/** GET /health, waiting at most `timeoutMs`. Never rejects; an abort is an answer that did not come. */
export function probeGateway(address: GatewayAddress, timeoutMs: number, signal?: AbortSignal): Promise<ProbeResult> {
  return new Promise(resolve => {
    const options = { host: reachable(address.host), port: address.port, path: '/health', agent: false, signal };
    const request = get(options, response => {
      read(response).then(resolve, () => resolve({ state: 'silent', detail: 'the answer broke off' }));
    });
    const timer = setTimeout(() => {
      resolve({ state: 'silent', detail: `no answer within ${timeoutMs} ms` });
      request.destroy();
    }, timeoutMs);
    request.once('close', () => clearTimeout(timer));
    request.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve({ state: 'refused' });
      else if (error.code?.startsWith('HPE_')) resolve({ state: 'foreign', detail: 'it does not speak HTTP' });
      else resolve({ state: 'silent', detail: error.message });
    });
  });
}

async function read(response: IncomingMessage): Promise<ProbeResult> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > maxAnswerBytes) break;
  }
  const { ok, service } = objectOf(parsed(text));
  if (response.statusCode === 200 && ok === true && service === gatewayService) return { state: 'healthy' };
  const who = typeof service === 'string' ? ` as "${service.slice(0, 100)}"` : '';
  return { state: 'foreign', detail: `it answers GET /health with status ${response.statusCode}${who}` };
}

/** Whether the address is taken: binds it exclusively for a moment. */
export function isTaken({ host, port }: GatewayAddress): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(false)));
  });
}
