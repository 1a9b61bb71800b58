/** The flags of `svc-server gateway`: one for each setting of a gateway, the usual ones by short names. */
import { gatewaySettings } from '../plugins/index.ts';
import { type ShortNames, shortFlags } from './flags.ts';

export const gatewayShort: ShortNames = {
  gateway_host: 'host',
  gateway_port: 'port',
  gateway_name: 'name',
  admin_enabled: 'admin',
  gateway_remote_host: 'remote-host',
  gateway_remote_port: 'remote-port',
  gateway_discover_mdns: 'discover-mdns',
  gateway_relay_sources: 'relay-source',
};

/** Of the settings that every process has, those that the gateway has its own for, or none. */
const servers = ['host', 'port', 'endpoint_path', 'max_request_body_bytes', 'spawn_mode', 'self_probe_timeout_ms'];

export const settings = await gatewaySettings();

export const gatewayFlags = () =>
  shortFlags(
    settings,
    gatewayShort,
    Object.keys(settings.properties).filter(each => !servers.includes(each)),
  );
