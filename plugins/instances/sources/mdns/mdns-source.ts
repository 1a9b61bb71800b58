/** Instances that advertise themselves on the local network (shape:discovery). */
import type { Service } from 'bonjour-service';
import ipaddr from 'ipaddr.js';
import type { Logger } from '../../../../kernel/index.ts';
import { hostInUrl } from '../../../../schemas/address.ts';
import { isUuid, text } from '../../../../schemas/loose.ts';
import type { SourceHandle } from '../../api.ts';

/** `_dcc-mcp._tcp.local.` */
export const serviceType = 'dcc-mcp';

export interface MdnsSourceDeps {
  source: SourceHandle;
  intervalMs: number;
  log: Pick<Logger, 'warn'>;
}

const timeoutMs = 5000;
/** Announcements of a service are valid for so long without another. */
const ttlMs = 120_000;
/** Whoever announces more is not listened to. */
const mostServices = 1000;

/** Where no other machine can be: this machine itself, everybody, and the link with whoever serves it (metadata). */
const nowhere = new Set(['loopback', 'unspecified', 'linkLocal', 'multicast', 'broadcast']);

/** The address of a service: that from which it was announced, when it is one of them; IPv4 first. */
export function addressOf({ addresses = [], referer }: Pick<Service, 'addresses' | 'referer'>): string | undefined {
  const usable = addresses.filter(each => ipaddr.isValid(each) && !nowhere.has(ipaddr.process(each).range()));
  return usable.find(each => each === referer?.address) ?? usable.find(each => ipaddr.IPv4.isValid(each)) ?? usable[0];
}

/** Browses until the returned disposer is called. */
export async function followMdns({ source, intervalMs, log }: MdnsSourceDeps): Promise<() => void> {
  const { Bonjour } = (await import('bonjour-service')).default;
  const bonjour = new Bonjour({}, (error: Error) => log.warn({ reason: error.message }, 'mDNS does not work here'));
  const browser = bonjour.find({ type: serviceType });
  const idOf = ({ txt }: Service): string | undefined => {
    const id = (txt as Record<string, unknown> | undefined)?.instance_id;
    return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
  };

  const surface = async (service: Service): Promise<void> => {
    const instance_id = idOf(service);
    const address = addressOf(service);
    if (instance_id === undefined || address === undefined || browser.services.length > mostServices) return;
    const txt = service.txt as Record<string, unknown>;
    const path = typeof txt.mcp_path === 'string' && txt.mcp_path.startsWith('/') ? txt.mcp_path : '/mcp';
    const origin = `http://${hostInUrl(address)}:${service.port}`;
    // What does not answer is not shown.
    const probe = await fetch(`${origin}/v1/healthz`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    await probe.body?.cancel();
    if (!probe.ok) return;
    const row = source.row({
      instance_id,
      dcc_type: text(txt.dcc) ?? 'unknown',
      mcp_url: `${origin}${path}`,
      version: text(txt.version),
      adapter_version: text(txt.adapter),
      ...(text(txt.auth) !== undefined && { metadata: { mdns_auth: String(txt.auth) } }),
    });
    source.assert(row, { ttlMs, meta: { service: service.fqdn }, claimant: service.fqdn });
  };
  const look = (service: Service): void => void surface(service).catch(() => undefined);

  browser.on('up', look);
  browser.on('txt-update', look);
  browser.on('down', service => {
    const id = idOf(service);
    if (id !== undefined) source.retract(id, 'it said goodbye by mDNS', service.fqdn);
  });
  const again = setInterval(() => {
    browser.expire();
    browser.update();
    for (const service of browser.services) look(service);
  }, intervalMs).unref();
  return () => {
    clearInterval(again);
    browser.stop();
    bonjour.destroy();
  };
}
