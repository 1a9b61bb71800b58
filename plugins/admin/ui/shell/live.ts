/** The one stream of the page, and what it fills: everything live on any panel comes from here. */
import { signal } from '@preact/signals';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { CallRow, Frame, Hello, Point } from '../../frames.ts';
import { Refused, renew, request } from './api.ts';
import type { EventRow, InstanceRow, JobRow, LogRow, TrafficRow } from './rows.ts';

/** Rows that a list keeps. */
export const mostRows = 10_000;
/** Seconds that the charts show. */
const mostPoints = 900;

export const connection = signal<'connecting' | 'live' | 'lost'>('connecting');
export const version = signal('');
/** Changes when lists must be read anew: the gateway has started again, or the page missed something. */
export const generation = signal(0);

export const points = signal<readonly Point[]>([]);
export const instances = signal<ReadonlyMap<string, InstanceRow>>(new Map());
/** Newest first, as all lists are. */
export const calls = signal<readonly CallRow[]>([]);
/** Calls that ended since the page was opened, and of those, how many were not sent as rows. */
export const counted = signal({ calls: 0, unsent: 0 });
export const events = signal<readonly EventRow[]>([]);
export const logs = signal<readonly LogRow[]>([]);
export const traffic = signal<readonly TrafficRow[]>([]);
export const jobs = signal<ReadonlyMap<string, JobRow>>(new Map());
/** Changes when a search would find other tools. */
export const found = signal(0);

let start = '';

const newest = <T>(fresh: readonly T[], kept: readonly T[]): T[] =>
  [...fresh].reverse().concat(kept.slice(0, mostRows));

function greet(hello: Hello): void {
  version.value = hello.version;
  instances.value = new Map(
    (hello.instances as unknown as InstanceRow[]).map(each => [each.instance_id, each] as const),
  );
  if (hello.points.length > points.value.length || hello.start !== start) points.value = hello.points;
  if (start !== '' && start !== hello.start) {
    // What the last gateway told, this one may not know, and its token is not taken any more.
    calls.value = events.value = logs.value = traffic.value = [];
    jobs.value = new Map();
    counted.value = { calls: 0, unsent: 0 };
    renew().catch(() => location.reload());
  }
  // The first greeting finds lists that are being read already.
  if (start !== '') generation.value += 1;
  start = hello.start;
}

function take(frame: Frame): void {
  if (frame.points) points.value = [...points.value, ...frame.points].slice(-mostPoints);
  if (frame.calls) {
    const { count, rows } = frame.calls;
    calls.value = newest(rows, calls.value);
    counted.value = { calls: counted.value.calls + count, unsent: counted.value.unsent + count - rows.length };
  }
  if (frame.instances) {
    const next = new Map(instances.value);
    for (const id of frame.instances.gone) next.delete(id);
    for (const row of frame.instances.rows as unknown as InstanceRow[]) next.set(row.instance_id, row);
    instances.value = next;
  }
  if (frame.events) events.value = newest(frame.events as unknown as EventRow[], events.value);
  if (frame.logs) logs.value = newest(frame.logs as unknown as LogRow[], logs.value);
  if (frame.traffic) traffic.value = newest(frame.traffic.rows as unknown as TrafficRow[], traffic.value);
  if (frame.tools) found.value += 1;
  if (frame.jobs) {
    const next = new Map(jobs.value);
    for (const job of frame.jobs as unknown as JobRow[]) next.set(job.job_id, { ...next.get(job.job_id), ...job });
    jobs.value = next;
  }
}

const pauseMs = 2000;

function hear({ event, data }: EventSourceMessage): void {
  if (event === 'hello') greet(JSON.parse(data) as Hello);
  else take(JSON.parse(data) as Frame);
}

async function follow(): Promise<void> {
  const { body } = await request('stream', { accept: 'text/event-stream' });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const parser = createParser({ onEvent: hear });
  connection.value = 'live';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) parser.feed(part.value);
}

/** Reads the stream, and opens it again when it is cut, until somebody has to sign in anew. */
export async function listen(): Promise<void> {
  for (;;) {
    const error = await follow().catch((reason: unknown) => reason);
    if (error instanceof Refused && error.status === 401) return;
    connection.value = 'lost';
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
}
