/** Which instance a request about skills means; several that fit are refused, never guessed among. */

import { type Json, text } from '../../schemas/loose.ts';
import type { Instance } from '../instances/api.ts';
import type { Backend } from './backends/api.ts';
import { gatewayErrors } from './errors.ts';
import type { Parts } from './parts.ts';

export type SkillTargets = ReturnType<typeof createSkillTargets>;

export function createSkillTargets({ instances, capabilities, backends }: Parts) {
  const byId = (body: Json): Instance | undefined => {
    const id = text(body.instance_id);
    if (id !== undefined) return instances.resolve(id);
    const slug = text(body.target_tool_slug);
    return slug === undefined ? undefined : instances.resolve(capabilities.find(slug).instance_id);
  };

  const onlyOwner = (dcc: string | undefined, skills: readonly string[]): Instance | undefined => {
    if (skills.length === 0) return undefined;
    const owners = instances.live().filter(each => {
      if (dcc !== undefined && each.dcc_type.toLowerCase() !== dcc.toLowerCase()) return false;
      const known = new Set(capabilities.ofInstance(each.instance_id).map(record => record.skill_name));
      return skills.every(skill => known.has(skill));
    });
    return owners.length === 1 ? owners[0] : undefined;
  };

  return {
    /** By instance_id, by the slug of a tool, else the only one of the host type that knows the skills. */
    choose(body: Json, skills: readonly string[]): Backend {
      const dcc = text(body.dcc) ?? text(body.dcc_type);
      const instance =
        byId(body) ?? onlyOwner(dcc, skills) ?? instances.choose({ ...(dcc !== undefined && { dcc_type: dcc }) });
      checkDiscovery(instance);
      return backends.get(instance.instance_id);
    },
  };
}

/** Throws SVC_GATEWAY_NO_DISCOVERY for an instance that is called, but not asked about skills: a sidecar's row may say so. */
export function checkDiscovery({ discovery_mcp_url, instance_short, dcc_type }: Instance): void {
  if (discovery_mcp_url === '') throw gatewayErrors.NO_DISCOVERY({ instance: instance_short, dcc_type });
}
