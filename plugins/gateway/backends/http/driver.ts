/** Instances over HTTP: pools of connections, MCP sessions, the REST twin, and the raw hop of the transparent proxy. */
import { Pool } from 'undici';
import type { Instance } from '../../../instances/api.ts';
import type { Driver, Link } from '../driver.ts';
import { revision as ours } from '../session-keeper.ts';
import { type Channel, createChannel } from './channel.ts';
import { failureOf } from './failures.ts';
import { createJobDoor } from './jobs.ts';
import { createHttpProbe } from './probe.ts';
import { createHttpSession, json } from './session.ts';
import { createWire } from './wire.ts';

const connections = 64;
const connectMs = 3000;
const options = { pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: connectMs } };

/** `authorizationOf` says what an instance wants to hear of who asks. */
export const createHttpDriver = (
  authorizationOf: (instance: Instance) => (() => string | undefined) | undefined,
): Driver => ({
  addressOf({ port, mcp_url }) {
    const { protocol, origin, pathname, search } = new URL(mcp_url);
    // A row without a port has nothing to connect to yet.
    return port > 0 && (protocol === 'http:' || protocol === 'https:') ? origin + pathname + search : undefined;
  },

  connect(instance, { maxBytes, onMessage }): Link {
    const { mcp_url, origin } = instance;
    const authorization = authorizationOf(instance);
    const endpoint = new URL(mcp_url);
    const path = endpoint.pathname + endpoint.search;
    const prefix = new URL(origin).pathname.replace(/\/$/, '');
    const pool = authorized(new Pool(endpoint.origin, { ...options, connections }), authorization);
    // What lasts (event streams, probes) must not take the places of calls.
    const streams = authorized(new Pool(endpoint.origin, { ...options, connections: null }), authorization);
    const wire = createWire({ pool, path, maxBytes, onMessage });
    const channels = new Set<Channel>();
    let draining: NodeJS.Timeout | undefined;

    return {
      async open(initialize) {
        const { failure, error, result, sessionId: id, channels: has } = await wire.post(initialize, json, false);
        if (failure) return { failure };
        if (error) return { error };
        const agreed = (result as Record<string, unknown> | null)?.protocolVersion;
        const revision = typeof agreed === 'string' ? agreed : ours;
        const channel = (headers: readonly string[]): Channel => {
          const made = createChannel({ streams, headers, maxBytes, onMessage });
          channels.add(made);
          return made;
        };
        const parts = { wire, streams, path, maxBytes, onMessage, revision, id };
        return { session: createHttpSession({ ...parts, channel: has ? channel : undefined }) };
      },
      probe: createHttpProbe((asking, timeoutMs) =>
        wire.fetch({ method: 'GET', path: prefix + asking, timeoutMs, pool: streams }),
      ),
      async close(gone, drainMs) {
        clearTimeout(draining);
        const failure = { kind: 'gone', reason: gone.message } as const;
        const ended = Promise.all([...channels].map(each => each.close(failure, drainMs ?? 0)));
        if (drainMs === undefined) {
          await Promise.all([pool.destroy(gone), streams.destroy(gone), ended]);
          return;
        }
        draining = setTimeout(() => void pool.destroy(gone), drainMs).unref();
        await Promise.all([streams.destroy(gone), pool.close().catch(() => undefined), ended]);
        clearTimeout(draining);
      },
      hop: {
        path,
        dispatch: (request, handler, lasting) => void (lasting ? streams : pool).dispatch(request, handler),
        failureOf,
      },
      jobs: createJobDoor(wire, streams, prefix),
    };
  },
});

/** A pool whose requests say who asks. */
function authorized(pool: Pool, authorizationNow: (() => string | undefined) | undefined): Pool {
  if (authorizationNow === undefined) return pool;
  const dispatch = pool.dispatch.bind(pool);
  pool.dispatch = (request, handler) => {
    const authorization = authorizationNow();
    if (authorization === undefined) return dispatch(request, handler);
    const { headers = [] } = request;
    const all = Array.isArray(headers) ? [...headers, 'authorization', authorization] : { ...headers, authorization };
    return dispatch({ ...request, headers: all as typeof headers }, handler);
  };
  return pool;
}
