/** The skill events of the gateway's own bus: loads and unloads that pass through it, as far as its index knows the skill. */
import type { Bus, EventInput, Hooks, KernelEvents } from '../../kernel/index.ts';
import type { CapabilityRecord } from './index/api.ts';

type SkillEvent = KernelEvents['skill.loading'];

/** A call of what loads or unloads. */
interface Loading {
  record?: CapabilityRecord;
}

export interface SkillEventsParts<C extends Loading> {
  bus: Bus;
  hooks: Hooks;
  /** Who and what an event is of. */
  input<A>(call: C, attributes: A): EventInput<A>;
  /** Throws EVENT_VETOED where a hook says so. */
  ask(call: C, about: EventInput): Promise<void>;
  failure(error: unknown): { error_kind: string; error_message: string };
}

export function createSkillEvents<C extends Loading>({ bus, hooks, input, ask, failure }: SkillEventsParts<C>) {
  const skillOf = ({ record }: C, skill_name: string, known: readonly CapabilityRecord[]): SkillEvent => ({
    skill_name,
    ...(record && { dcc_type: record.dcc_type }),
    declared_tool_count: known.filter(each => each.skill_name === skill_name).length,
  });

  const notLoaded = (call: C, attributes: SkillEvent, error: unknown): void => {
    bus.emit('skill.validation_failed', input(call, { ...attributes, ...failure(error) }));
  };

  /** Asks who may forbid the load of these skills; a veto is told here, for the instance never hears of it. */
  const permitLoad = async (call: C, names: readonly string[], known: readonly CapabilityRecord[]) => {
    if (!hooks.guards('skill.loading')) return;
    for (const name of names) {
      const attributes = skillOf(call, name, known);
      try {
        await ask(call, input(call, attributes));
      } catch (error) {
        notLoaded(call, attributes, error);
        throw error;
      }
    }
  };

  return {
    permitLoad,
    /** The same, and tells that the loads begin. */
    loading(call: C, names: readonly string[], known: readonly CapabilityRecord[]): Promise<void> {
      for (const name of names) bus.emit('skill.loading', input(call, skillOf(call, name, known)));
      return permitLoad(call, names, known);
    },
    /** Its instance has loaded or unloaded them; `known` is what its index says since. */
    skillsChanged(call: C, tool: string, names: readonly string[], known: readonly CapabilityRecord[]): void {
      if (tool !== 'load_skill' && tool !== 'unload_skill') return;
      for (const name of names) {
        const own = known.filter(each => each.skill_name === name && each.loaded && each.group_active);
        const registered_tools = own.map(each => each.backend_tool);
        const attributes = { ...skillOf(call, name, known), registered_tool_count: own.length, registered_tools };
        bus.emit(tool === 'load_skill' ? 'skill.loaded' : 'skill.unloaded', input(call, attributes));
      }
    },
    /** Its instance could not load them. */
    loadFailed(call: C, names: readonly string[], known: readonly CapabilityRecord[], error: unknown): void {
      for (const name of names) notLoaded(call, skillOf(call, name, known), error);
    },
  };
}
