/** One relay: its tunnels are listed, each is probed, and those that answer are instances (shape:discovery). */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../../../kernel/index.ts';
import { isUuid } from '../../../../schemas/loose.ts';
import { withTimeout } from '../../../../schemas/with-timeout.ts';
import type { InstanceRow, SourceHandle } from '../../api.ts';

export interface RelayAddress {
  /** Where tunnels are listed. */
  admin: string;
  /** Where they are reached. */
  public: string;
}

/** Why a relay cannot be read, for everybody to hear. */
export type RelayTrouble = 'no_answer' | 'asks_for_a_token' | 'token_not_taken' | 'no_relay';

export interface RelaySourceDeps {
  relay: RelayAddress;
  source: SourceHandle;
  intervalMs: number;
  /** What the relay asks for; asked at each poll. */
  token(): Promise<string | undefined>;
  /** Told after each poll why the relay could not be read, or undefined. */
  onPoll(trouble: RelayTrouble | undefined): void;
  log: Pick<Logger, 'warn'>;
}

/** A tunnel that answers. */
interface Found {
  tunnel_id: string;
  row: InstanceRow;
}

const gatewayService = 'dcc-mcp-gateway';
const timeoutMs = 5000;
const mostTunnels = 1000;
const mostBytes = 4 * 1024 * 1024;
const mostHealthBytes = 64 * 1024;
/** Polls that may fail before its tunnels are given up. */
const patience = 3;

/** `ADMIN=PUBLIC`; undefined for what is no pair of http addresses. */
export function relayAddress(text: string): RelayAddress | undefined {
  const [admin = '', open = '', ...more] = text.split('=').map(each => each.trim().replace(/\/+$/, ''));
  const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return more.length === 0 && isHttp(admin) && isHttp(open) ? { admin, public: open } : undefined;
}

/** Polls until the returned disposer is called. */
export function followRelay({ relay, source, intervalMs, token, onPoll, log }: RelaySourceDeps): () => void {
  const stop = new AbortController();
  /** Tunnels that are shown, and the ids of their instances. */
  let known: ReadonlyMap<string, string> = new Map();
  /** Instances that the last poll missed: a tunnel that has lost its relay dials again. */
  let missed: ReadonlySet<string> = new Set();
  let told = false;
  let trouble: RelayTrouble | undefined;
  const refused = new Set<string>();
  /** Why a tunnel is not shown, once. */
  const tell = (tunnel_id: string, reason: string): void => {
    if (refused.has(`${tunnel_id} ${reason}`)) return;
    if (refused.size >= mostTunnels) refused.clear();
    refused.add(`${tunnel_id} ${reason}`);
    log.warn({ relay: relay.admin, tunnel_id, reason }, 'a tunnel is not used');
  };

  let authorization: Record<string, string> = {};
  const get = async (url: string): Promise<Response> => {
    const signal = withTimeout(stop.signal, timeoutMs);
    return fetch(url, { signal, redirect: 'error', headers: authorization });
  };

  /** What a tunnel that answers leads to; nothing for one that does not. */
  const look = async (tunnel: Record<string, unknown>): Promise<Found | undefined> => {
    const tunnel_id = text(tunnel.tunnel_id ?? tunnel.id);
    if (tunnel_id === undefined) return undefined;
    const base = `${relay.public}/tunnel/${encodeURIComponent(tunnel_id)}`;
    const probe = await get(`${base}/v1/healthz`);
    await probe.body?.cancel();
    if (!probe.ok) return undefined;
    if (!known.has(tunnel_id) && (await isGateway(base))) {
      tell(tunnel_id, 'it leads to a gateway, not to an instance');
      return undefined;
    }
    const given = text(tunnel.instance_id);
    const instance_id = given !== undefined && isUuid(given) ? given.toLowerCase() : derivedId(base);
    const row = source.row({
      instance_id,
      dcc_type: text(tunnel.dcc ?? tunnel.dcc_type) ?? 'unknown',
      mcp_url: `${base}/mcp`,
      adapter_version: text(tunnel.adapter_version),
      scene: text(tunnel.scene),
      version: text(tunnel.agent_version),
    });
    return { tunnel_id, row };
  };

  /** A gateway behind the tunnel, this one perhaps: what it lists would be listed twice, or for ever. */
  const isGateway = async (base: string): Promise<boolean> => {
    const answer = await get(`${base}/health`);
    if (!answer.ok) {
      await answer.body?.cancel();
      return false;
    }
    const body = await textOf(answer, mostHealthBytes).catch(() => '');
    return body.includes(`"${gatewayService}"`);
  };

  /** Of tunnels with one id the one that had it before goes on to have it, otherwise the first. */
  const chosen = (found: readonly Found[]): Found[] => {
    const owners = new Map<string, Found>();
    for (const each of [...found].sort((a, b) => Number(known.has(b.tunnel_id)) - Number(known.has(a.tunnel_id)))) {
      const { instance_id } = each.row;
      const owner = owners.get(instance_id);
      if (owner) tell(each.tunnel_id, `its id ${instance_id} is that of tunnel ${owner.tunnel_id}`);
      else owners.set(instance_id, each);
    }
    return [...owners.values()];
  };

  const poll = async (): Promise<void> => {
    const bearer = await token();
    authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
    trouble = 'no_answer';
    const answer = await get(`${relay.admin}/tunnels`);
    trouble = 'no_relay';
    if (!answer.ok) {
      await answer.body?.cancel();
      const asks = answer.status === 401 || answer.status === 403;
      trouble = asks ? (bearer === undefined ? 'asks_for_a_token' : 'token_not_taken') : 'no_relay';
      const why = bearer === undefined ? 'it asks for a token' : 'it does not take the token';
      throw new Error(
        asks ? `${why} (${answer.status}): gateway_relay_token_file names its file` : `it answers ${answer.status}`,
      );
    }
    const body = await textOf(answer, mostBytes);
    const listed = JSON.parse(body) as unknown;
    const tunnels = Array.isArray(listed) ? listed : (listed as { tunnels?: unknown } | null)?.tunnels;
    if (!Array.isArray(tunnels)) throw new Error('its list is no list');
    trouble = undefined;
    const found = await Promise.allSettled(
      tunnels.slice(0, mostTunnels).map(each => look((each ?? {}) as Record<string, unknown>)),
    );
    const now = new Map<string, string>();
    for (const { tunnel_id, row } of chosen(found.flatMap(each => (each.status === 'fulfilled' && each.value) || []))) {
      const life = { ttlMs: intervalMs * patience + timeoutMs, claimant: relay.admin };
      if (source.assert(row, { ...life, meta: { tunnel_id } })) now.set(tunnel_id, row.instance_id);
    }
    const kept = new Set(now.values());
    const gone = [...known].filter(([, id]) => !kept.has(id));
    const missing = new Set<string>();
    for (const [tunnel_id, id] of gone) {
      if (missed.has(id)) source.retract(id, 'its tunnel is gone from the relay, or does not answer', relay.admin);
      else {
        missing.add(id);
        now.set(tunnel_id, id);
      }
    }
    [known, missed] = [now, missing];
    told = false;
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await poll().catch((error: Error) => {
        if (stop.signal.aborted || told) return;
        told = true;
        const { message, cause } = error;
        const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
        log.warn({ relay: relay.admin, reason }, 'the relay cannot be read');
      });
      onPoll(trouble);
      // Rejects when it is stopped, which ends the loop.
      await pause(intervalMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  void run();
  return () => stop.abort();
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 256 ? value : undefined;

/** A body of bounded size, counted after decompression: a small answer may unfold into a large one. */
async function textOf(answer: Response, most: number): Promise<string> {
  const decoder = new TextDecoder();
  let size = 0;
  let body = '';
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > most) throw new Error(`its answer is longer than ${most} bytes`);
    body += decoder.decode(chunk, { stream: true });
  }
  return body;
}

/** The same id for the same tunnel of the same relay, in the form of a UUID. */
function derivedId(base: string): string {
  const hex = createHash('sha256').update(base).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
