/** The audit ring: the last 500 tool calls, fed by the bus. */
import { definePlugin } from '../../kernel/index.ts';
import { createAuditRing } from './ring.ts';

export const auditPlugin = definePlugin({ name: 'audit' }, (app, { kernel, scope, log }) => {
  const { record, recent, append, onRecord } = createAuditRing(err => log.error({ err }, 'an audit listener failed'));
  for (const name of ['tool.completed', 'tool.failed']) {
    const id = kernel.bus.subscribe(name, record);
    scope.add(name, () => void kernel.bus.unsubscribe(name, id));
  }
  app.decorate('audit', { recent, append, onRecord });
});
