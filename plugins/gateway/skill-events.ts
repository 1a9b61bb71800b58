/** The skill events of the gateway's own bus: loads and unloads that pass through it, as far as its index knows the skill. */
import type { Bus, EventInput, Hooks, KernelEvents } from '../../kernel/index.ts';
import { type Json, objects, text, texts } from '../../schemas/loose.ts';
import { failureAttributes } from '../../schemas/tool-event.ts';
import type { CapabilityRecord } from './index/api.ts';

type SkillEvent = KernelEvents['skill.loading'];
/** What an instance says of a skill. */
export type SkillFacts = Pick<SkillEvent, 'version' | 'skill_path' | 'declared_tool_count'>;

const longest = 1024;
/** What an event is to say of all skills of a request must not hold the load for longer. */
const patienceMs = 1000;

/** Of the answer of `get_skill_info`. */
export function skillFacts({ version, skill_path, tools }: Json): SkillFacts {
  const facts: SkillFacts = {};
  if (typeof version === 'string' && version !== '') facts.version = version.slice(0, longest);
  if (typeof skill_path === 'string' && skill_path !== '') facts.skill_path = skill_path.slice(0, longest);
  if (Array.isArray(tools)) facts.declared_tool_count = tools.length;
  return facts;
}

const told = ['skill.loading', 'skill.loaded', 'skill.unloaded', 'skill.validation_failed'] as const;

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
  failure(error: unknown): SkillFailure;
  /** Asks the instance; rejects when `signal` says so. */
  factsOf(instance_id: string, skill: string, signal: AbortSignal): Promise<SkillFacts>;
}

export function createSkillEvents<C extends Loading>({
  bus,
  hooks,
  input,
  ask,
  failure,
  factsOf,
}: SkillEventsParts<C>) {
  const facts = new WeakMap<C, Map<string, SkillFacts>>();
  /** What an unload takes away is known before it alone. */
  const removed = new WeakMap<C, readonly CapabilityRecord[]>();

  /** Asks what these skills are, where an event is to say it: before, for a failed load leaves nothing to ask about. */
  const learn = async (call: C, names: readonly string[]): Promise<void> => {
    const instance = call.record?.instance_id;
    if (instance === undefined || !(hooks.guards('skill.loading') || told.some(each => bus.wants(each)))) return;
    const found = facts.get(call) ?? new Map<string, SkillFacts>();
    facts.set(call, found);
    const late = AbortSignal.timeout(patienceMs);
    // One after the other: a request may name hundreds. One that nobody knows is told of by its name.
    for (const name of names) {
      if (!(late.aborted || found.has(name))) found.set(name, await factsOf(instance, name, late).catch(() => ({})));
    }
  };

  const skillOf = (call: C, skill_name: string, known: readonly CapabilityRecord[]): SkillEvent => ({
    skill_name,
    ...(call.record && { dcc_type: call.record.dcc_type }),
    declared_tool_count: known.filter(each => each.skill_name === skill_name).length,
    ...facts.get(call)?.get(skill_name),
  });

  const notLoaded = (call: C, attributes: SkillEvent, why: SkillFailure): void => {
    bus.emit('skill.validation_failed', input(call, { ...attributes, ...why }));
  };

  /** Asks who may forbid the load of these skills; a veto is told here, for the instance never hears of it. */
  const permitLoad = async (call: C, names: readonly string[], known: readonly CapabilityRecord[]) => {
    if (!hooks.guards('skill.loading')) return;
    if (!facts.has(call)) await learn(call, names);
    for (const name of names) {
      const attributes = skillOf(call, name, known);
      try {
        await ask(call, input(call, attributes));
      } catch (error) {
        notLoaded(call, attributes, failure(error));
        throw error;
      }
    }
  };

  return {
    permitLoad,
    /** The same, and tells that the loads begin. */
    async loading(call: C, names: readonly string[], known: readonly CapabilityRecord[]): Promise<void> {
      await learn(call, names);
      for (const name of names) bus.emit('skill.loading', input(call, skillOf(call, name, known)));
      await permitLoad(call, names, known);
    },
    /** Before an unload: what `skillsChanged` tells of it afterwards. */
    async unloading(call: C, names: readonly string[], known: readonly CapabilityRecord[]): Promise<void> {
      removed.set(call, known);
      await learn(call, names);
    },
    /** Its instance has answered a load or an unload of them; `known` is what its index says since. */
    async skillsChanged(
      call: C,
      tool: string,
      names: readonly string[],
      known: readonly CapabilityRecord[],
      answer: LifecycleAnswer,
    ): Promise<void> {
      if (tool !== 'load_skill' && tool !== 'unload_skill') return;
      const loads = tool === 'load_skill';
      const lost = loads ? objects(answer.errors).filter(isOfSkill) : [];
      for (const each of lost) notLoaded(call, skillOf(call, each.skill_name, known), failureIn(each));
      if (answer.failed) return;
      const changed = loads ? loadedBy(answer, names) : names;
      await learn(call, changed);
      for (const name of changed) {
        const listed = removed.get(call) ?? known;
        const own = listed.filter(each => each.skill_name === name && each.loaded && each.group_active);
        const registered_tools = own.map(each => each.backend_tool);
        const attributes = { ...skillOf(call, name, known), registered_tool_count: own.length, registered_tools };
        bus.emit(loads ? 'skill.loaded' : 'skill.unloaded', input(call, attributes));
      }
    },
    /** Its instance could not load them. */
    loadFailed(call: C, names: readonly string[], known: readonly CapabilityRecord[], error: unknown): void {
      const { backend } = (error as { details?: Json } | undefined)?.details ?? {};
      const told = objects(backend).filter(isOfSkill);
      for (const name of names) {
        const own = told.find(each => each.skill_name === name);
        notLoaded(call, skillOf(call, name, known), own ? failureIn(own) : failure(error));
      }
    },
  };
}

/** With `newly_loaded`, `already_loaded` and `errors`, where the instance says those. */
type LifecycleAnswer = Json & { failed: boolean };

type SkillFailure = ReturnType<typeof failureAttributes>;

const isOfSkill = (error: Json): error is Json & { skill_name: string } => text(error.skill_name) !== undefined;

/** Those that are loaded now, what they depend on first; an instance that does not say has loaded what was asked. */
function loadedBy({ newly_loaded, already_loaded }: Json, names: readonly string[]): readonly string[] {
  if (!Array.isArray(newly_loaded)) return names;
  return [...new Set([...texts(newly_loaded), ...texts(already_loaded)])];
}

/** The failure of one skill as its instance calls it. */
function failureIn({ code, message, ...details }: Json): SkillFailure {
  const kind = String(code ?? 'backend-error').replace(/^SVC_(SKILLS_)?/, '');
  return failureAttributes(kind.toLowerCase(), String(message ?? ''), details);
}
