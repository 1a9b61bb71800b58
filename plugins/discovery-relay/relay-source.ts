/** One relay: its tunnels are listed, each is probed, and those that answer are instances (CONTRACT 11.4). */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../kernel/index.ts';
import type { SourceHandle } from '../instances/api.ts';

export interface RelayAddress {
  /** Where tunnels are listed. */
  admin: string;
  /** Where they are reached. */
  public: string;
}

export interface RelaySourceDeps {
  relay: RelayAddress;
  source: SourceHandle;
  intervalMs: number;
  log: Pick<Logger, 'warn'>;
}

const timeoutMs = 5000;
const mostTunnels = 1000;
const mostBytes = 4 * 1024 * 1024;
/** Polls that may fail before its tunnels are given up. */
const patience = 3;

/** `ADMIN=PUBLIC`; undefined for what is no pair of http addresses. */
export function relayAddress(text: string): RelayAddress | undefined {
  const [admin = '', open = '', ...more] = text.split('=').map(each => each.trim().replace(/\/+$/, ''));
  const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return more.length === 0 && isHttp(admin) && isHttp(open) ? { admin, public: open } : undefined;
}

/** Polls until the returned disposer is called. */
export function followRelay({ relay, source, intervalMs, log }: RelaySourceDeps): () => void {
  const stop = new AbortController();
  let known = new Set<string>();
  let told = false;

  const get = async (url: string): Promise<Response> =>
    fetch(url, { signal: AbortSignal.any([stop.signal, AbortSignal.timeout(timeoutMs)]), redirect: 'error' });

  const assert = async (tunnel: Record<string, unknown>): Promise<string | undefined> => {
    const tunnel_id = text(tunnel.tunnel_id ?? tunnel.id);
    if (tunnel_id === undefined) return undefined;
    const base = `${relay.public}/tunnel/${encodeURIComponent(tunnel_id)}`;
    const probe = await get(`${base}/v1/healthz`);
    await probe.body?.cancel();
    if (!probe.ok) return undefined;
    const given = text(tunnel.instance_id);
    const instance_id = given !== undefined && uuid.test(given) ? given.toLowerCase() : derivedId(base);
    const row = source.row({
      instance_id,
      dcc_type: text(tunnel.dcc ?? tunnel.dcc_type) ?? 'unknown',
      mcp_url: `${base}/mcp`,
      adapter_version: text(tunnel.adapter_version),
      scene: text(tunnel.scene),
      version: text(tunnel.agent_version),
    });
    source.assert(row, { ttlMs: intervalMs * patience + timeoutMs, meta: { tunnel_id } });
    return instance_id;
  };

  const poll = async (): Promise<void> => {
    const answer = await get(`${relay.admin}/tunnels`);
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    const body = await answer.text();
    if (body.length > mostBytes) throw new Error('its list is too long');
    const listed = JSON.parse(body) as unknown;
    const tunnels = Array.isArray(listed) ? listed : (listed as { tunnels?: unknown } | null)?.tunnels;
    if (!Array.isArray(tunnels)) throw new Error('its list is no list');
    const found = await Promise.allSettled(
      tunnels.slice(0, mostTunnels).map(each => assert((each ?? {}) as Record<string, unknown>)),
    );
    const now = new Set(found.flatMap(each => (each.status === 'fulfilled' && each.value) || []));
    for (const id of known) if (!now.has(id)) source.retract(id, 'deregistered');
    known = now;
    told = false;
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await poll().catch((error: Error) => {
        if (stop.signal.aborted || told) return;
        told = true;
        log.warn({ relay: relay.admin, reason: error.message }, 'the relay cannot be read');
      });
      // Rejects when it is stopped, which ends the loop.
      await pause(intervalMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  void run();
  return () => stop.abort();
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 256 ? value : undefined;

/** The same id for the same tunnel of the same relay, in the form of a UUID. */
function derivedId(base: string): string {
  const hex = createHash('sha256').update(base).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
