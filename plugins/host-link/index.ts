/** The server's side of a host that is not Node: what its companion tells goes into health, its skill scripts into it. */
import { definePlugin } from '../../kernel/index.ts';
import { anyOf, inputOf } from '../../schemas/operation.ts';
import type {} from '../health/api.ts';
import type { RunHostScript } from '../skills/api.ts';
import { installErrors, linkErrors } from './errors.ts';
import type { LinkState } from './link-state.ts';
import { linkOperation, linkStateOperation, scriptQuestion } from './questions.ts';

export const hostLinkPlugin = definePlugin(
  { name: 'host-link', errors: { ...linkErrors, ...installErrors }, dependencies: ['health'], optional: ['skills'] },
  (app, { scope, optional: { skills } }) => {
    const { host, health } = app;
    let link: LinkState | undefined;
    const runScript: RunHostScript = (script, call) => host.ask(scriptQuestion, [script, call], { timeoutMs: 0 });

    const linked = (): (() => void) => {
      link = { state: 'connected', main_lag_ms: 0, tool: null, running: 0, waiting: 0 };
      const undos = [
        health.add('host', () => link),
        health.ready('host_execution_bridge', () => link?.state !== 'silent'),
        health.ready('main_thread_executor', () => link?.state === 'connected'),
      ];
      if (skills) undos.push(skills.setScriptHost(runScript));
      return () => {
        for (const undo of undos) void undo();
        link = undefined;
      };
    };
    const operations = [
      host.operation(linkOperation, inputOf({}), () => scope.add('link to the host', linked())),
      host.operation(linkStateOperation, anyOf<LinkState>({ type: 'object' }), told => {
        link = told as unknown as LinkState;
      }),
    ];
    for (const undo of operations) scope.add('operation', undo);
  },
);
