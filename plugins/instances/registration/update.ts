/** What the host says of itself while it works: the own row follows. */
import { Type } from 'typebox';
import type { Disposer, Host, Scope } from '../../../kernel/index.ts';
import { InstanceRowSchema } from '../../../schemas/instance.ts';
import { inputOf, optional } from '../../../schemas/operation.ts';
import type { HealthService } from '../../health/api.ts';
import type { Registration } from './registration.ts';

const { scene, documents, status, display_name, host_pid } = InstanceRowSchema.properties;
const input = inputOf({
  scene: optional(scene),
  documents: optional(documents),
  status: optional(Type.Union([status, Type.Null()])),
  display_name: optional(display_name),
  host_pid: optional(host_pid),
  ready: optional(Type.Boolean()),
});

export interface UpdateDeps {
  host: Host;
  health: HealthService;
  registration: Registration;
  scope: Scope;
}

/** Adds the operation `update`. */
export function addUpdate({ host, health, registration, scope }: UpdateDeps): Disposer {
  let hostReady = true;
  let documentsGiven = false;
  scope.add(
    'readiness of the host',
    health.ready('dcc', () => hostReady),
  );
  return host.operation('update', input, async ({ ready, ...changes }) => {
    documentsGiven ||= changes.documents !== undefined;
    // As at the start: whose documents nobody tells has the open scene.
    const { scene } = changes;
    const follows = scene !== undefined && !documentsGiven ? { documents: scene === null ? [] : [scene] } : {};
    const turned = ready !== undefined && ready !== hostReady;
    hostReady = ready ?? hostReady;
    if (Object.keys(changes).length > 0) await registration.update({ ...changes, ...follows });
    if (turned) await registration.readinessChanged();
  });
}
