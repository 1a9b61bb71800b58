/** What a client does next, ready to be sent over either door as it stands (shape:search). Pure. */

import type { Json } from '../../schemas/loose.ts';
import type { CapabilityAnnotations, CapabilityRecord } from './index/api.ts';

/** How a later request is tied to the search before it. */
export interface StepMeta {
  search_id?: string | undefined;
  ranker_version: string;
  index_generation: string;
}

export type StepAction = 'search' | 'describe' | 'load_skill' | 'call';

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

export const rankerVersion = 'gateway-hybrid-v2';

export function step(action: StepAction, args: Json, { search_id, ...rest }: StepMeta): Json {
  const meta = { ...(search_id !== undefined && { search_id }), ...rest };
  const body = { ...args, meta };
  return {
    action,
    arguments: body,
    mcp: { tool: action, arguments: body, _meta: meta },
    rest: { method: 'POST', path: `/v1/${action}`, body },
  };
}

/** Whether a tool says all four safety hints of itself. */
export function isFullyHinted(annotations: CapabilityAnnotations | undefined): boolean {
  return annotations !== undefined && hints.every(hint => typeof annotations[hint] === 'boolean');
}

/** Whether a call would reach the tool now. */
export const isCallable = (record: CapabilityRecord): boolean =>
  record.loaded && record.group_active && record.discovery_only !== true;

/** The step towards a call of the tool. */
export function nextStep(record: CapabilityRecord, meta: StepMeta): Json {
  const { tool_slug } = record;
  const action = stepAction(record);
  if (action === 'load_skill') return activation(record, meta);
  return step(action, { tool_slug, ...(action === 'call' && { arguments: {} }) }, meta);
}

export function stepAction({ loaded, group_active, has_schema, annotations }: CapabilityRecord): StepAction {
  if (!loaded || !group_active) return 'load_skill';
  return has_schema || !isFullyHinted(annotations) ? 'describe' : 'call';
}

/** Loads the skill, or activates the group, that a tool needs. */
export const activation = (record: CapabilityRecord, meta: StepMeta): Json =>
  step('load_skill', activationArguments(record), meta);

export function activationArguments(record: CapabilityRecord): Json {
  const { tool_slug, skill_name, dcc_type, instance_id, loaded, tool_group } = record;
  return {
    ...(skill_name !== null && { skill_name }),
    dcc: dcc_type,
    dcc_type,
    instance_id,
    target_tool_slug: tool_slug,
    ...(tool_group !== undefined && { tool_group }),
    ...(loaded && { group_action: 'activate' }),
  };
}
