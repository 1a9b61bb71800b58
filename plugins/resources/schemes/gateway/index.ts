/** `gateway://...` and `resources://gateway/events`: the gateway's own resources. */

import type { AddressInfo } from 'node:net';
import { definePlugin, packageVersion } from '../../../../kernel/index.ts';
import { createDiagnostics } from './diagnostics.ts';
import { gatewaySchemeErrors } from './errors.ts';
import { createInstanceViews } from './instance-views.ts';
import { createEventsProducer, createGatewayProducer, eventsUri } from './producers.ts';

export const schemeGatewayPlugin = definePlugin(
  {
    name: 'scheme-gateway',
    errors: gatewaySchemeErrors,
    dependencies: ['resources', 'instances', 'backends', 'gateway-events'],
  },
  (app, { kernel, scope }) => {
    const { bus } = kernel;
    const { resources, instances, backends, gatewayEvents } = app;
    const port = (): number => (app.server.address() as AddressInfo | null)?.port ?? kernel.config.port;
    const views = createInstanceViews({ instances, backends });
    const diagnostics = createDiagnostics({
      ...{ config: kernel.config, instances, backends, resources, port },
      version: packageVersion,
    });
    scope.add('gateway://', resources.addProducer(createGatewayProducer({ views, diagnostics })));
    scope.add('resources://', resources.addProducer(createEventsProducer(gatewayEvents.lines)));
    const updates = (name: string, uri: string): void =>
      void scope.add(
        name,
        bus.on(name, () => resources.updated(uri)),
      );
    for (const what of ['appeared', 'changed', 'left']) updates(`instance.${what}`, 'gateway://instances');
    updates('internal.gateway.recorded', eventsUri);
  },
);
