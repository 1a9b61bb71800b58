/** Tools whose handlers live on the host's main thread. */

import { definePlugin, type Host } from '../../kernel/index.ts';
import { anyOf, inputOf, key, optional, text } from '../../schemas/operation.ts';
import type { ToolDefinition } from '../../schemas/tool.ts';
import type { HostRunner } from './api.ts';
import { createHostBridge } from './bridge.ts';
import { settings } from './config.ts';
import { hostErrors } from './errors.ts';
import { createHostTools } from './registrations.ts';
import { createSlots } from './slots.ts';
import { handlersQuestion, type InPlaceCall, inPlaceQuestion, ringQuestion } from './wire.ts';

const named = { type: 'object', required: ['name'], properties: { name: text } };
const toolInput = inputOf({ definition: anyOf<ToolDefinition>(named), key: optional(key) });
const handlerInput = inputOf({ name: text, key });

/** A call has its own deadline. */
const endless = { timeoutMs: 0 };

export const hostPlugin = definePlugin(
  { name: 'host', errors: hostErrors, config: settings, dependencies: ['tools'] },
  (app, { kernel: { bus }, config, scope }) => {
    const { host, tools } = app;
    const inPlace: HostRunner = { run: (...call) => host.ask(inPlaceQuestion, call satisfies InPlaceCall, endless) };
    const runner = host.inPlace ? inPlace : bridge(host, config.host_queue_max, config.host_slice_ms);
    const hostTools = createHostTools(tools, runner, scope);
    const operations = [
      host.operation('registerTool', toolInput, input => hostTools.register(input.definition, input.key)),
      host.operation('registerHandler', handlerInput, input => hostTools.attach(input.name, input.key)),
    ];
    for (const undo of operations) scope.add('operation', undo);

    const report = (): void => {
      const executable = tools.list().filter(each => each.handler !== undefined);
      host.tell(
        handlersQuestion,
        executable.map(each => each.name),
      );
    };
    for (const name of ['skill.loaded', 'skill.unloaded']) {
      scope.add(`handlers on ${name}`, bus.on(name, report));
    }
    app.addHook('onReady', async () => report());
  },
);

/** Runs handlers on the other thread, which hears of the ring before it hears of a call. */
function bridge(host: Host, queueMax: number, sliceMs: number): HostRunner {
  const slots = createSlots(queueMax);
  host.tell(ringQuestion, { memory: slots.memory, sliceMs });
  const port = { call: host.ask as (...call: Parameters<Host['ask']>) => Promise<unknown>, notify: host.tell };
  return createHostBridge(port, slots, Date.now);
}
