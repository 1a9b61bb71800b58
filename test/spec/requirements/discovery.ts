/** Rules of "Gateway-native resources", "Gateway endpoints" and "Gateway topology" on which instances there are. */
import { decided, section } from '../requirement.ts';

const directory = section('instances', 'Gateway-native resources', {
  'default-view': 'In the default view stale rows are visible with status stale and rows of dead processes are pruned.',
  'include-stale': 'include_stale=false hides stale but parseable rows.',
  'include-dead': 'include_dead=true also shows rows whose owner process exited.',
  bookkeeping: "The __gateway__ sentinel and the gateway's own row are always filtered out.",
  counters: 'The payload of instances counts total, stale_count and evicted_dead.',
  'row-fields':
    'A row has instance_id, dcc_type, host, port, mcp_url, status, scene, documents, pid, display_name, version, adapter_version, adapter_dcc, metadata and stale.',
  'by-name': 'One instance is named by its full UUID, its instance_short or a unique prefix of 4 or more characters.',
});

const endpoints = section('instances', 'Gateway endpoints', {
  'get-instances': 'GET /instances lists the live instances.',
  'get-v1-instances': 'GET /v1/instances is an alias with a by_source count map.',
  register: 'POST /v1/instances/register lets a remote host register, followed by heartbeats.',
});

const topology = section('discovery', 'Gateway topology and daemon (operational contract)', {
  file: 'Instances of the same machine and user are discovered without further ado.',
  deregister: 'A server that ends deregisters its instance.',
  precedence: decided(
    'The highest source whose word is fresh is believed; when none is, the one that spoke last.',
    'Sources are merged with the precedence http, relay, mdns, file, and the most recently asserting source wins.',
  ),
  eviction: decided(
    'Two failures. A row of this machine whose process lives stays listed as unreachable and is not called.',
    'A backend is evicted after consecutive failed probes.',
  ),
  'port-not-configured': 'With gateway_port 0 the run mode is gateway_port_not_configured and a row is written still.',
  'failover-disabled': 'Without an ensured gateway the run mode is failover_disabled_by_adapter.',
});

export const discovery = [...directory, ...endpoints, ...topology];
