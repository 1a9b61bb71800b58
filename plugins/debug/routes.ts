/** The reads over HTTP: JSON unless TOON is asked for, failures in the gateway's envelope. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSvcError } from '../../kernel/index.ts';
import { isLocalCaller } from '../../schemas/local-caller.ts';
import type { Json } from '../../schemas/loose.ts';
import type { GatewayService } from '../gateway/api.ts';
import type { Codec } from '../rest/api.ts';
import { analyticsRanges } from './analytics.ts';
import type { DebugReadsService, Read, Text } from './api.ts';
import { debugErrors } from './errors.ts';
import { limitOf, listParameters, onlyKnown, traceParameters } from './query.ts';
import type { createReads } from './reads.ts';
import { governanceOf, reliabilityOf } from './standing.ts';
import type { createState } from './state.ts';

export interface ReadsOfParts {
  state: ReturnType<typeof createState>;
  reads: ReturnType<typeof createReads>;
  /** How the capture of traffic fares; undefined without one. */
  capture(): object | undefined;
  settings: Readonly<Json>;
  now(): number;
}

const limits = { standard: 200, most: 1000 };

export function readsOf({ state, reads, capture, settings, now }: ReadsOfParts): Read[] {
  const flag = (query: Json, name: string): boolean => {
    if (![undefined, 'true', 'false'].includes(query[name] as string | undefined)) {
      throw debugErrors.QUERY({ parameter: name, reason: 'must be true or false' });
    }
    return query[name] === 'true';
  };
  const chosen = (query: Json, name: string, known: readonly string[]): string | undefined => {
    const value = query[name];
    if (value === undefined || known.includes(String(value))) return value as string | undefined;
    throw debugErrors.QUERY({ parameter: name, reason: `must be ${known.join(' or ')}` });
  };
  const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;
  const rangeOf = (query: Json): string => chosen(query, 'range', analyticsRanges) ?? '7d';
  const analytics = ['overview', 'heatmap'] as const;
  return [
    { path: 'health', summary: 'The gateway, its circuits, its records', answer: () => state.health() },
    {
      ...{ path: 'instances', summary: 'Instances with their state' },
      parameters: ['view', 'include_stale', 'include_dead'],
      answer(query) {
        const include = { include_stale: flag(query, 'include_stale'), include_dead: flag(query, 'include_dead') };
        return state.instances(chosen(query, 'view', ['live', 'all']) === 'all' ? 'all' : 'live', include);
      },
    },
    { path: 'workers', summary: 'Connections to the instances', answer: () => state.workers() },
    { path: 'tools', summary: 'Every tool that is known', answer: () => state.tools() },
    { path: 'sessions', summary: 'MCP sessions of the gateway', answer: () => state.sessions() },
    {
      ...{ path: 'events', summary: 'What the gateway noted, newest first', parameters: ['limit'] },
      answer: query => state.events(limitOf(query, limits)),
    },
    {
      ...{ path: 'logs', summary: 'The log of the gateway, newest first', parameters: ['limit', 'level'] },
      answer: query =>
        state.logs(
          limitOf(query, limits),
          chosen(query, 'level', ['trace', 'debug', 'info', 'warn', 'error', 'fatal']),
        ),
    },
    { path: 'calls', summary: 'Recorded calls, newest first', parameters: listParameters, answer: reads.calls },
    { path: 'traces', summary: 'Where calls spent their time', parameters: traceParameters, answer: reads.traces },
    {
      ...{ path: 'traces/:id', summary: 'One call with its spans and payloads' },
      answer: (_query, request) => reads.trace(idOf(request), isLocalCaller(request.raw)),
    },
    {
      ...{ path: 'stats', summary: 'What the recorded calls amount to' },
      parameters: listParameters.filter(each => each !== 'limit' && each !== 'cursor'),
      answer: reads.stats,
    },
    {
      ...{ path: 'reliability', summary: 'How far the gateway can be relied on' },
      answer: async () =>
        reliabilityOf({
          ...{ now: now(), health: state.health(), rows: await reads.lastDay() },
          ...{ tools: state.funnel(), backends: state.circuits() },
        }),
    },
    {
      ...{ path: 'governance', summary: 'The rules that calls pass by, and what they denied in the last day' },
      answer: async () => governanceOf({ settings, capture: capture(), rows: await reads.lastDay() }),
    },
    ...analytics.map(name => ({
      ...{ path: `analytics/${name}`, summary: `The recorded calls: ${name}`, parameters: ['range'] },
      answer: (query: Json) => reads[name](rangeOf(query)),
    })),
    {
      ...{ path: 'analytics/timeseries', summary: 'The recorded calls: timeseries', parameters: ['range', 'step'] },
      answer: query => reads.timeseries(query),
    },
    {
      ...{ path: 'analytics/export', summary: 'The recorded calls as lines of JSON or as CSV' },
      parameters: ['range', 'format', 'limit'],
      answer: query =>
        reads.exported(rangeOf(query), chosen(query, 'format', ['json', 'csv']) === 'csv' ? 'csv' : 'json', query),
    },
    {
      ...{ path: 'activity', summary: 'Calls and events in one list' },
      parameters: listParameters.filter(each => each !== 'cursor'),
      answer: reads.activity,
    },
    {
      ...{ path: 'issue-reports/:id', summary: 'A call as a report that may be shared', parameters: ['mode'] },
      answer(query, request) {
        const raw = chosen(query, 'mode', ['raw', 'public-safe']) === 'raw';
        if (raw && !isLocalCaller(request.raw)) throw debugErrors.LOCAL_ONLY();
        return reads.issueReport(idOf(request), raw);
      },
    },
    {
      ...{
        path: 'debug-bundle/:id',
        summary: 'Everything that is recorded of a call, for callers of the machine itself',
      },
      answer(_query, request) {
        if (!isLocalCaller(request.raw)) throw debugErrors.LOCAL_ONLY();
        return reads.debugBundle(idOf(request));
      },
    },
  ];
}

const isText = (value: Json | Text): value is Text => 'text' in value && 'type' in value;

/** What the admin page calls otherwise. */
const adminNames: Readonly<Record<string, string>> = { 'issue-reports/:id': 'issue-report/:id' };

export interface MountParts {
  codec: Codec;
  gateway: Pick<GatewayService, 'failure'>;
  /** Where the reads stand; the first is told in the description of the routes. */
  prefixes: readonly string[];
}

export function createMount(
  app: FastifyInstance,
  { codec, gateway, prefixes }: MountParts,
): DebugReadsService['mount'] {
  const send = async (request: FastifyRequest, reply: FastifyReply, value: Json): Promise<FastifyReply> => {
    const asked = codec.ofRead(request.query, request.headers.accept);
    if (asked === 'toon') await codec.load();
    const { text, contentType } = codec.encode({ value }, asked, { kind: 'none', door: 'rest' });
    return reply.header('Cache-Control', 'no-store').header('Vary', 'Accept').type(contentType).send(text);
  };

  return reads =>
    void app.register(async routes => {
      routes.setErrorHandler((error, request, reply) => {
        const { status, error: told } = gateway.failure(error);
        if (status >= 500) request.log.error({ err: error, url: request.url }, 'a read failed');
        return reply.code(isSvcError(error) ? error.row.http : status).send({ error: told });
      });
      for (const [index, prefix] of prefixes.entries()) {
        for (const { path, summary, parameters = [], answer } of reads) {
          const operationId = `debug_${path.replaceAll(/\W+/g, '_')}`;
          const schema = index === 0 ? { operationId, summary } : {};
          const url = `${prefix}/${index === 0 ? path : (adminNames[path] ?? path)}`;
          routes.get(url, { schema }, async (request, reply) => {
            const query = request.query as Json;
            onlyKnown(query, parameters);
            const value = await answer(query, request);
            return isText(value) ? reply.type(value.type).send(value.text) : send(request, reply, value);
          });
        }
      }
    });
}
