/** A gateway with the capability index for tests, in front of real instances. */
import { capabilitiesPlugin } from '../../../../plugins/gateway/index/index.ts';
import { gatewayHealthPlugin } from '../../../../plugins/health/index.ts';
import { searchPlugin } from '../../../../plugins/search/index.ts';
import { waitFor } from '../../../helper.ts';
import { startGateway as openGateway, type TestGateway } from '../rig.ts';

export const startGateway = (): Promise<TestGateway> =>
  openGateway([searchPlugin, gatewayHealthPlugin, capabilitiesPlugin]);

/** Names of the tools that a query finds. */
export const found = ({ app }: TestGateway, query: string): string[] =>
  app.capabilities.search({ query, limit: 100 }).hits.map(hit => hit.backend_tool);

/** Waits until the instance has been read. */
export const indexed = (gateway: TestGateway, instance_id: string): Promise<unknown> =>
  waitFor(async () => {
    await gateway.app.instances.refresh();
    return gateway.app.capabilities.state().find(each => each.instance_id === instance_id);
  }, `the index of ${instance_id}`);
