/** The direct slug of a tool, `<dcc>.<skill>.<action>` without the parts it does not have. */
import type { ToolsService } from '../tools/api.ts';

/** A tool that is gone is named as the job knew it. */
export const slugOf =
  (tools: Pick<ToolsService, 'get'>, dccType: string | null) =>
  (name: string): string => {
    const record = tools.get(name);
    return record ? [record.dcc || dccType, record.skill_name, record.action].filter(Boolean).join('.') : name;
  };
