/**
 * Published names (specification: `bare_tool_names`; shape:naming): an action bare where it is unique, else
 * `<skill>__<action>`. Kept incrementally, so that one publication costs what it changes and not what exists.
 */
import { hash } from 'node:crypto';
import { namePattern } from './definition.ts';
import { toolErrors } from './errors.ts';

export interface Named {
  readonly owner: string;
  readonly action: string;
  readonly skill: string | undefined;
  /** `<skill>__<action>`; undefined for a tool without skill. */
  readonly full: string | undefined;
}

/** `bare` is the configuration's `bare_tool_names`. */
export function createNames<T extends Named>(bare: boolean) {
  const byAction = new Map<string, T[]>();
  const byFull = new Map<string, T>();
  /** Full names with `_` for `-`, as public packages refer to tools. */
  const byFolded = new Map<string, T>();

  const nameOf = (tool: T): string => {
    if (tool.full === undefined) return tool.action;
    const unique = byAction.get(tool.action)?.length === 1 && !byFull.has(tool.action);
    return bare && unique ? tool.action : fitting(tool.full, tool.action);
  };

  return {
    /** Adds a tool; throws SVC_TOOLS_NAME_TAKEN and changes nothing when its name belongs to another. */
    add(tool: T): void {
      const { action, full } = tool;
      const taken =
        full === undefined
          ? (byAction.get(action)?.find(other => other.full === undefined) ?? byFull.get(action))
          : (byFull.get(full) ?? byAction.get(full)?.find(other => other.full === undefined));
      if (taken) {
        const taken_by = taken.skill === undefined ? `"${taken.owner}"` : `the skill "${taken.skill}"`;
        throw toolErrors.NAME_TAKEN({ tool: full ?? action, taken_by });
      }
      const same = byAction.get(action);
      if (same) same.push(tool);
      else byAction.set(action, [tool]);
      if (full === undefined) return;
      byFull.set(full, tool);
      byFolded.set(folded(full), tool);
    },
    remove(tool: T): void {
      const left = byAction.get(tool.action)?.filter(other => other !== tool) ?? [];
      if (left.length > 0) byAction.set(tool.action, left);
      else byAction.delete(tool.action);
      if (tool.full === undefined) return;
      if (byFull.get(tool.full) === tool) byFull.delete(tool.full);
      if (byFolded.get(folded(tool.full)) === tool) byFolded.delete(folded(tool.full));
    },
    /** Every tool whose published name may differ after `tools` came or went, with the name it should have. */
    affected(tools: Iterable<T>): Map<T, string> {
      const found = new Map<T, string>();
      for (const { action, full } of tools) {
        for (const name of [action, full]) {
          for (const each of name === undefined ? [] : (byAction.get(name) ?? [])) found.set(each, nameOf(each));
        }
      }
      return found;
    },
    byFull: (name: string): T | undefined => byFull.get(name),
    /** As `byFull`, and with `_` for `-` where no name is exactly that. */
    byAnyFull: (name: string): T | undefined => byFull.get(name) ?? byFolded.get(folded(name)),
  };
}

const longest = 64;
/** Of a shortened skill name: four letters of a hash and the dash before them. */
const markLength = 5;

/** A full name that clients take: the skill's part is cut and marked where the whole is too long. */
function fitting(full: string, action: string): string {
  const room = longest - action.length - '__'.length - markLength;
  if (full.length <= longest || room < 1) return full;
  return `${full.slice(0, room)}-${hash('sha256', full).slice(0, markLength - 1)}__${action}`;
}

const folded = (name: string): string => name.replaceAll('-', '_');

/** Throws when a published name is not fit for clients, saying what to do. */
export function assertPublishable(tool: Named, name: string): void {
  if (name.length > longest) {
    throw toolErrors.NAME_TOO_LONG({
      tool: name,
      length: name.length,
      or_skill: name === tool.full ? ' or skill' : '',
    });
  }
  if (!namePattern.test(name)) {
    throw toolErrors.NAME_INVALID({ tool: name, reason: `the skill name "${tool.skill}" makes it unsafe for clients` });
  }
}
