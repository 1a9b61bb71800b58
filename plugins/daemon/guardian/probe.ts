/** Asks whether the gateway answers at an address, and tells it from what else may listen there. */
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { reachable } from '../../../schemas/address.ts';
import { type Json, objectOf, parsed } from '../../../schemas/loose.ts';

/** The names by which the gateway's /health says who answers. */
const gatewayService = 'dcc-mcp-gateway';
const gatewayProduct = 'svc';
const maxAnswerBytes = 4096;

export interface GatewayAddress {
  host: string;
  port: number;
}

export type ProbeResult =
  /** A gateway that reads the rows of this registry. */
  | { state: 'healthy'; version: string }
  /** Nobody listens. */
  | { state: 'refused' }
  /** Something may listen, but gave no answer. */
  | { state: 'silent'; detail: string }
  /** A gateway that reads other rows. */
  | { state: 'elsewhere'; detail: string }
  /** Something else answered. */
  | { state: 'foreign'; detail: string };

/**
 * GET /health, waiting at most `timeoutMs`; `registry` is the identity of this server's. Never rejects; an abort is an
 * answer that did not come.
 */
export function probeGateway(
  address: GatewayAddress,
  registry: string,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<ProbeResult> {
  return new Promise(resolve => {
    const options = { host: reachable(address.host), port: address.port, path: '/health', agent: false, signal };
    const request = get(options, response => {
      read(response, registry).then(resolve, () => resolve({ state: 'silent', detail: 'the answer broke off' }));
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

async function read(response: IncomingMessage, registry: string): Promise<ProbeResult> {
  let text = '';
  for await (const chunk of response) {
    text += chunk;
    if (text.length > maxAnswerBytes) break;
  }
  const told = objectOf(parsed(text));
  const { version } = told;
  if (response.statusCode !== 200 || !isGateway(told) || typeof version !== 'string') {
    return { state: 'foreign', detail: `it answers GET /health with status ${response.statusCode}${named(told)}` };
  }
  if (told.registry === registry) return { state: 'healthy', version };
  return { state: 'elsewhere', detail: 'a gateway of another user or of another registry directory' };
}

const isGateway = ({ ok, service, product }: Json): boolean =>
  ok === true && service === gatewayService && product === gatewayProduct;

/** How what answers calls itself. */
function named({ service, product }: Json): string {
  const names = [service, product].filter(each => typeof each === 'string');
  return names.length === 0 ? '' : ` as ${names.map(each => `"${each.slice(0, 100)}"`).join(' of ')}`;
}

/** Whether the address is taken: binds it exclusively for a moment. */
export function isTaken({ host, port }: GatewayAddress): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(false)));
  });
}
