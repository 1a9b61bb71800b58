/** `audit://recent`: subscribers hear of every record, coalesced. */
import { definePlugin } from '../../../../kernel/index.ts';
import type {} from '../../../audit/api.ts';
import type {} from './api.ts';
import { auditUri, createAuditProducer } from './audit-resource.ts';

export const schemeAuditPlugin = definePlugin(
  { name: 'scheme-audit', dependencies: ['resources', 'audit'] },
  (app, { scope, kernel }) => {
    scope.add('audit://', app.resources.addProducer(createAuditProducer(app.audit)));
    // What the ring records.
    for (const name of ['tool.completed', 'tool.failed', 'audit.recorded']) {
      scope.add(
        name,
        kernel.bus.on(name, () => app.resources.updated(auditUri)),
      );
    }
    app.decorate('schemeAudit', {
      append: ({ action, timestamp_ms = kernel.ids.now(), params_json, duration_ms = 0, outcome = 'success', actor }) =>
        app.audit.append({
          timestamp_ms,
          ...(actor !== undefined && { actor }),
          action,
          params_json: params_json ?? '{}',
          duration_ms,
          outcome,
        }),
    });
  },
);
