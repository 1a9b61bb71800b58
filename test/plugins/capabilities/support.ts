/** A gateway with the capability index for tests, in front of real instances. */
import { backendsPlugin } from '../../../plugins/backends/index.ts';
import { capabilitiesPlugin } from '../../../plugins/capabilities/index.ts';
import { gatewayEventsPlugin } from '../../../plugins/gateway-events/index.ts';
import { gatewayHealthPlugin } from '../../../plugins/health/index.ts';
import { instancesPlugin } from '../../../plugins/instances/index.ts';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import { registryPlugin } from '../../../plugins/registry/index.ts';
import { listeningApp, tempDir, waitFor } from '../../helper.ts';
import type { TestGateway } from '../backends/support.ts';

const plugins = [
  gatewayHealthPlugin,
  mcpPlugin,
  registryPlugin,
  gatewayEventsPlugin,
  instancesPlugin,
  backendsPlugin,
  capabilitiesPlugin,
];

export async function startGateway(): Promise<TestGateway> {
  const registry_dir = await tempDir();
  const { app, url } = await listeningApp(plugins, { heartbeat_secs: 1, registry_dir });
  const backend: TestGateway['backend'] = instance_id =>
    waitFor(async () => {
      await app.instances.refresh();
      return app.backends.list().find(each => each.instance_id === instance_id);
    }, `the backend of ${instance_id}`);
  return { app, url, registry_dir, backend };
}

/** Names of the tools that a query finds. */
export const found = ({ app }: TestGateway, query: string): string[] =>
  app.capabilities.search({ query, limit: 100 }).hits.map(hit => hit.backend_tool);

/** Waits until the instance has been read. */
export const indexed = (gateway: TestGateway, instance_id: string): Promise<unknown> =>
  waitFor(async () => {
    await gateway.app.instances.refresh();
    return gateway.app.capabilities.state().find(each => each.instance_id === instance_id);
  }, `the index of ${instance_id}`);
