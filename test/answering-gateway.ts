/** A program on a port that answers as a gateway does, with whatever a test wants it to say. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { findGateway } from '../cli/svc-cli/gateway.ts';

/** The way to a program that answers with `report`, as a gateway does. */
export function answering(report: unknown, status = 200) {
  return async () => {
    const server = createServer((_, answer) => answer.writeHead(status).end(JSON.stringify(report)));
    onTestFinished(() => void server.close());
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return findGateway(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  };
}
