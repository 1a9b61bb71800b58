/** What `svc-server relay` and `svc-server relay token` have in common: the key, and who signs with it. */
import { join } from 'node:path';
import { relaySettings } from '../plugins/index.ts';
import { type ShortNames, shortFlags } from './flags.ts';
import { stateDirectory } from './state.ts';

/** Of who signs. */
export const tokenShort: ShortNames = { relay_key_file: 'key-file', relay_issuer: 'issuer' };
export const relayShort: ShortNames = { ...tokenShort, relay_public_url: 'public-url' };

export const settings = await relaySettings();

/** Settings of every process that say nothing here. */
const none = [
  ...['endpoint_path', 'server_name', 'server_version', 'spawn_mode', 'self_probe_timeout_ms', 'request_timeout_ms'],
  ...['admin_path', 'metrics_path'],
];

export const relayFlags = () =>
  shortFlags(
    settings,
    relayShort,
    Object.keys(settings.properties).filter(each => !none.includes(each)),
  );

/** The file that was named, or the relay's own, which is made at the first need. */
export async function relayKey(named: string | null, make: (path: string) => Promise<void>): Promise<string> {
  if (named !== null) return named;
  const own = join(stateDirectory(), 'relay.key');
  await make(own);
  return own;
}
