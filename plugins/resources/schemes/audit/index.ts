/** `audit://recent`: subscribers hear of every record, coalesced. */
import { definePlugin } from '../../../../kernel/index.ts';
import { anyOf, inputOf, listOf } from '../../../../schemas/operation.ts';
import type {} from '../../../audit/api.ts';
import { auditUri, createAuditProducer } from './audit-resource.ts';
import type { HostAuditRecord } from './host.ts';

const input = inputOf({ records: listOf(anyOf<HostAuditRecord>({ type: 'object', required: ['action'] })) });

export const schemeAuditPlugin = definePlugin(
  { name: 'scheme-audit', dependencies: ['resources', 'audit'] },
  (app, { scope, kernel }) => {
    scope.add('audit://', app.resources.addProducer(createAuditProducer(app.audit)));
    // What the ring records.
    const recorded = (): void => app.resources.updated(auditUri);
    for (const name of ['tool.completed', 'tool.failed', 'audit.recorded'])
      scope.add(name, kernel.bus.on(name, recorded));
    // Records of the host's own audit log; their parameters are shortened and censored.
    const append = ({ action, timestamp_ms, params_json, duration_ms, outcome, actor }: HostAuditRecord): void =>
      app.audit.append({
        timestamp_ms: timestamp_ms ?? kernel.ids.now(),
        ...(actor !== undefined && { actor }),
        action,
        params_json: params_json ?? '{}',
        duration_ms: duration_ms ?? 0,
        outcome: outcome ?? 'success',
      });
    const wire = app.host.operation('wireAuditLog', input, ({ records }) => records.forEach(append));
    scope.add('operation', wire);
  },
);
