/** Fastify and its event-stream plugin as they come: one route, and every open stream sent to in a loop. */
import { performance } from 'node:perf_hooks';
import sse from '@fastify/sse';
import fastify, { type FastifyReply } from 'fastify';
import { serveCommands } from './command.ts';

const app = fastify();
const replies = new Set<FastifyReply>();
await app.register(sse as never);
app.get('/events', { sse: true } as never, async (_request, reply) => {
  reply.sse.keepAlive();
  reply.sse.sendHeaders();
  reply.raw.flushHeaders();
  replies.add(reply);
  reply.sse.onClose(() => replies.delete(reply));
});
const origin = await app.listen({ port: 0, host: '127.0.0.1' });
let sent = 0;

serveCommands(`${origin}/events`, {
  /** Sends one event to all; answers with when it began, in ms since the epoch. */
  async update(uri: string) {
    const began = performance.timeOrigin + performance.now();
    sent += 1;
    const data = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } };
    for (const reply of replies) void reply.sse.send({ id: String(sent), data }).catch(() => undefined);
    return began;
  },
});
process.on('SIGTERM', () => process.exit());
