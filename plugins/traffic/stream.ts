/** Frames as they are kept, as an event stream, for a page that stays open. */
import type { ServerResponse } from 'node:http';
import type { KeptFrame, TrafficService } from './api.ts';
import { isAsked, shown, showsBodies, type TrafficQuery } from './query.ts';

const heartbeatMs = 15_000;

/** Sends until the reader goes or `ended` is called, which is returned. A reader who is slow misses some, and is told how many. */
export function streamFrames(traffic: TrafficService, query: TrafficQuery, response: ServerResponse): () => void {
  let missed = 0;
  let waits = false;
  const write = (text: string): void => {
    waits = !response.write(text);
  };
  const hear = (frame: KeptFrame): void => {
    if (!isAsked(query, frame)) return;
    if (waits) {
      missed += 1;
      return;
    }
    if (missed > 0) write(`event: missed\ndata: {"frames":${missed}}\n\n`);
    missed = 0;
    write(`id: ${frame.number}\nevent: traffic.frame\ndata: ${JSON.stringify(shown(frame, showsBodies(query)))}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': live\n\n');
  const undo = traffic.follow(hear);
  const heartbeat = setInterval(() => !waits && write(':\n\n'), heartbeatMs).unref();
  const end = (): void => {
    clearInterval(heartbeat);
    void undo?.();
    response.end();
  };
  response.on('drain', () => {
    waits = false;
  });
  response.on('error', () => undefined);
  response.once('close', end);
  return end;
}
