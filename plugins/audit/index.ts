/** The audit ring: the last 500 tool calls, fed by the bus. */
import { definePlugin } from '../../kernel/index.ts';
import { auditEvents } from './events.ts';
import { createAuditRing } from './ring.ts';

export const auditPlugin = definePlugin({ name: 'audit', events: auditEvents }, (app, { kernel, scope }) => {
  const { recent, append, dispose } = createAuditRing(kernel.bus);
  scope.add('ring', dispose);
  app.decorate('audit', { recent, append });
});
