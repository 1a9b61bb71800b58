/** The specification as data: every rule of the sections delivered so far, by id. */
import type { Requirement } from './requirement.ts';
import { configuration } from './requirements/configuration.ts';

import { daemon } from './requirements/daemon.ts';

import { discovery } from './requirements/discovery.ts';

import { errorsAndLimits } from './requirements/errors.ts';
import { events } from './requirements/events.ts';
import { gatewayToolRules } from './requirements/gateway-tools.ts';
import { jobs } from './requirements/jobs.ts';
import { protocol } from './requirements/protocol.ts';
import { proxyRules } from './requirements/proxy.ts';
import { resourceRules } from './requirements/resources.ts';
import { service } from './requirements/service.ts';
import { shapes } from './requirements/shapes.ts';
import { states } from './requirements/states.ts';
import { tools } from './requirements/tools.ts';

export const requirements: readonly Requirement[] = [
  ...configuration,
  ...service,
  ...states,
  ...protocol,
  ...tools,
  ...jobs,
  ...resourceRules,
  ...events,
  ...proxyRules,
  ...discovery,
  ...errorsAndLimits,
  ...daemon,
  ...gatewayToolRules,
  ...shapes,
];

/** Rules by id; an id written twice is a mistake of this list. */
export const requirementById: ReadonlyMap<string, Requirement> = new Map(
  requirements.map(requirement => [requirement.id, requirement]),
);
