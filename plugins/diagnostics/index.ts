/** Diagnostics of the running server as internal tools. */
import { definePlugin } from '../../kernel/index.ts';
import type {} from '../audit/api.ts';
import type {} from '../daemon/guardian/api.ts';
import type {} from '../mcp/api.ts';
import type {} from '../skills/api.ts';
import type {} from '../tools/api.ts';
import { createStatus } from './status.ts';
import { diagnosticsTools } from './tools.ts';

export const diagnosticsPlugin = definePlugin(
  { name: 'diagnostics', dependencies: ['tools', 'audit'] },
  (app, { kernel, scope }) => {
    const status = createStatus(() => ({
      tools: app.tools.list().length,
      // Both may be switched off, and skills may come later in the list: asked for at the moment of the report.
      sessions: app.hasDecorator('mcp') ? app.mcp.sessions.size : null,
      skills_loaded: app.hasDecorator('skills') ? app.skills.loadedCount() : null,
    }));
    scope.add('event loop monitor', status.dispose);
    // Later in the list, and it may be off.
    const failover = () => (app.hasDecorator('guardian') ? app.guardian.report() : undefined);
    const entries = diagnosticsTools({ status, audit: app.audit, logTail: kernel.logTail, failover });
    scope.add('tools', app.tools.publish('internal:diagnostics', entries, { source: 'internal' }));
  },
);
