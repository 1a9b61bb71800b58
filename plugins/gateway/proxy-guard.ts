/** The gateway's policy for calls that pass the transparent proxy: another door, and no way around it. */
import type { Caller } from './api.ts';
import { recordOf } from './builtin-target.ts';
import { builtins, skillsOf } from './builtins.ts';
import type { CallEvents, PassingCall } from './call-events.ts';
import type { CapabilityRecord } from './index/api.ts';
import type { Parts } from './parts.ts';
import type { ProxyGuard } from './proxy/api.ts';

export function createProxyGuard(
  { kernel: { hooks, ids }, capabilities, policy }: Parts,
  events: CallEvents,
): ProxyGuard {
  const known = (instance_id: string, tool: string): CapabilityRecord | undefined =>
    capabilities.ofInstance(instance_id).find(each => each.backend_tool === tool);

  return {
    isOn: () =>
      policy.restricts || capabilities.quarantines || hooks.guards('tool.dispatched') || hooks.guards('skill.loading'),
    async check({ instance, tool, args, meta, requestId, client }) {
      const { instance_id } = instance;
      const builtin = builtins.get(tool);
      if (!builtin && !known(instance_id, tool)) await capabilities.refresh(instance_id);
      // A tool that nobody has heard of may do anything.
      const { annotations, ...unknown } = recordOf({ name: tool, about: 'tools', reads: false }, instance);
      const record = builtin ? recordOf(builtin, instance) : (known(instance_id, tool) ?? unknown);
      const caller: Caller = { requestId: String(requestId), traceId: ids.uuid().replaceAll('-', ''), client };
      const call: PassingCall = { slug: record.tool_slug, args, meta, caller, began: performance.now(), record };
      try {
        if (builtin) policy.checkBuiltin(record, builtin, skillsOf(args));
        else {
          capabilities.checkApproved(instance_id, tool);
          policy.checkCall(record);
        }
        if (tool === 'load_skill') await events.permitLoad(call, skillsOf(args), capabilities.ofInstance(instance_id));
        await events.permit(call);
      } catch (error) {
        // What passes is told by its instance; of this it never hears.
        events.failed(call, error);
        throw error;
      }
    },
  };
}
