/**
 * Loads, reloads and unloads skills, one operation at a time, each a transaction: until its last step nothing that
 * serves is touched, and a failure leaves everything as it was.
 */

import { isSvcError } from '../../../kernel/index.ts';
import type { Asked } from '../../../schemas/asked-by.ts';
import { atMost } from '../../../schemas/at-most.ts';
import type { ToolsService } from '../../tools/api.ts';
import { loadOrder } from '../catalog/dependencies.ts';
import { createQueue } from '../catalog/queue.ts';
import type { SkillDiagnostic } from '../catalog/summaries.ts';
import { skillErrors } from '../errors.ts';
import { isolationOf } from '../packages/isolation.ts';
import type { SkillPackage } from '../packages/manifest.ts';

import { inputsChanged } from './input-hashes.ts';
import { createLoadedSkills, type LoadedEntry, type LoadedSkillsDeps } from './loaded-skills.ts';
import { createSkillSetup, type Prepared, refuseLostFile, type SetupDeps } from './skill-setup.ts';

export interface LoaderDeps extends SetupDeps, Omit<LoadedSkillsDeps, 'failed'> {
  tools: Pick<ToolsService, 'publish' | 'list' | 'activateGroup'>;
  /** How long a load waits for what the scripts of a skill need; then that goes on beside it. */
  preparedMs: number;
  /** Told after what is loaded, or the files it is made of, changed. */
  onChange: () => void;
}

export interface LoadSkillsOptions {
  /** Activate every group (default true); with `tool_group` only that one and the default-active ones. */
  activate_groups?: boolean;
  tool_group?: string;
}

export interface LoadOutcome {
  /** Published names of the skill's tools. */
  tools: string[];
  /** Loaded by this call, dependencies first; empty when the skill was loaded already. */
  newly_loaded: string[];
  activated_groups: string[];
}

export type ReloadOutcome = 'reloaded' | 'unchanged' | 'failed' | 'not_loaded';

/** Loads and unloads follow each other; those that a caller asked for say who that is. */
const inTurnOf =
  (queue: ReturnType<typeof createQueue>, events: LoaderDeps['events']) =>
  <T>(call: Asked | undefined, work: () => Promise<T>): Promise<T> =>
    queue.run(call ? () => events.askedBy(call, work) : work);

export type Loader = ReturnType<typeof createLoader>;

export function createLoader(deps: LoaderDeps) {
  const { catalog, runtimes, tools, events, preparedMs, onChange } = deps;
  const setup = createSkillSetup(deps);
  const queue = createQueue();
  const diagnostics = new Map<string, SkillDiagnostic>();
  const loaded = createLoadedSkills({ ...deps, failed: name => diagnostics.has(name) });
  let closed = false;

  const inTurn = inTurnOf(queue, events);
  const dependsOn = (name: string): readonly string[] | undefined => catalog.dependsOn(name);

  const report = (name: string, error: unknown, reload = false): void => {
    const found = catalog.get(name)?.package;
    const diagnostic = events.failed(name, found, error, { reload });
    if (found) diagnostics.set(name, diagnostic);
  };

  /** Loads `name` and what it needs: everything is prepared before anything is published. */
  const loadAll = async (name: string): Promise<string[]> => {
    const prepared: Prepared[] = [];
    const committed: string[] = [];
    let current = name;
    try {
      if (closed) throw skillErrors.CLOSED({ skill: name });
      await setup.fresh(name);
      const order = loadOrder(name, dependsOn).filter(each => !loaded.has(each));
      for (current of order) {
        if (current !== name) await setup.fresh(current);
        prepared.push(await setup.prepare(current));
      }
      if (closed) throw skillErrors.CLOSED({ skill: name });
      for (const each of prepared) {
        current = each.found.name;
        loaded.add(each);
        committed.push(current);
      }
    } catch (error) {
      for (const each of committed.reverse()) await loaded.end(each);
      await Promise.all(prepared.map(each => loaded.retire(each.runtime, 0)));
      if (current !== name) report(current, error);
      report(name, error);
      throw error;
    }
    for (const { found } of prepared) {
      diagnostics.delete(found.name);
      events.loaded(found, { registered: loaded.toolNames(found.name) });
    }
    onChange();
    return committed;
  };

  const activate = (name: string, { activate_groups: all = true, tool_group: one }: LoadSkillsOptions): string[] => {
    const groups = loaded.get(name)?.found.manifest.groups ?? [];
    const wanted = groups.filter(each => (one === undefined ? all || each.default_active : each.name === one));
    for (const group of wanted) tools.activateGroup(group.name, name);
    return groups.filter(each => each.default_active || wanted.includes(each)).map(each => each.name);
  };

  const refuseUnknownGroup = (name: string, group: string | undefined): void => {
    const groups = catalog.get(name)?.package.manifest.groups ?? [];
    if (group === undefined || groups.some(each => each.name === group)) return;
    const names = groups.map(each => each.name).join(', ');
    throw skillErrors.UNKNOWN_GROUP({ skill: name, group, known: names ? `use one of ${names}` : 'it has none' });
  };

  /** Starts the new code, then swaps; see `reload`. */
  const replace = async (
    current: LoadedEntry,
    force: boolean,
    changed?: ReadonlySet<string>,
  ): Promise<ReloadOutcome> => {
    const { name } = current.found;
    const entry = catalog.get(name);
    if (entry?.broken) {
      const { reason_code, message } = entry.broken;
      throw skillErrors.INVALID({ skill: name, reason_code, reason: message });
    }
    const found = setup.known(name);
    const wanted = await setup.wantedBy(found);
    const { files, needs } = wanted;
    refuseLostFile(current.files, found, files);
    const sameManifest = loaded.says(found);
    const sameSpec = isSameSpec({ found, files, needs }, current, catalog.isTrusted(name));
    const sameCode = !force && sameSpec && !(await inputsChanged(current.hashes, changed));
    if (sameCode && sameManifest) return 'unchanged';

    await events.loading(found, { reload: true });
    for (const dependency of loadOrder(name, dependsOn)) {
      if (dependency !== name && !loaded.has(dependency)) await loadAll(dependency);
    }
    const old = current.slot.runtime;
    const next = sameCode ? { runtime: old, hashes: current.hashes } : await setup.start(found, wanted, old?.inputs);
    const sameHash = sameSpec && next.runtime?.hash === old?.hash;
    try {
      if (closed) throw skillErrors.CLOSED({ skill: name });
      // One step for the caller: a call that comes now finds the new code, whichever list it read.
      current.slot.runtime = sameHash ? old : next.runtime;
      if (!sameManifest || !sameSpec) current.unpublish = loaded.publish(found, files, current.slot);
    } catch (error) {
      current.slot.runtime = old;
      if (next.runtime !== old) await loaded.retire(next.runtime, 0);
      throw error;
    }
    Object.assign(current, { found, files, needs, hashes: next.hashes });
    if (next.runtime !== old) void loaded.retire(sameHash ? next.runtime : old);
    if (sameHash && sameManifest) return 'unchanged';
    events.loaded(found, { registered: loaded.toolNames(name), reload: true });
    return 'reloaded';
  };

  const tryAgain = async (current: LoadedEntry): Promise<void> => {
    const { name } = current.found;
    try {
      await setup.fresh(name);
      const outcome = await replace(current, true);
      diagnostics.delete(name);
      if (outcome === 'reloaded') onChange();
    } catch (error) {
      report(name, error, true);
      throw error;
    }
  };

  const unloadNow = async (name: string): Promise<number> => {
    const current = loaded.get(name);
    if (!current) return 0;
    const names = loaded.toolNames(name);
    diagnostics.delete(name);
    await loaded.end(name);
    events.unloaded(current.found, names);
    // What was kept only because it was loaded goes now.
    const entry = catalog.get(name);
    if (entry?.broken) await catalog.refresh(entry.location);
    onChange();
    return names.length;
  };

  return {
    /** Loads a skill after those it depends on. Idempotent: a loaded one only has its groups activated. */
    async load(given: string, options: LoadSkillsOptions = {}, call?: Asked): Promise<LoadOutcome> {
      const outcome = await inTurn(call, async () => {
        const name = catalog.nameOf(given);
        refuseUnknownGroup(name, options.tool_group);
        const current = loaded.get(name);
        // A broken one is tried again, and says why it is still broken.
        if (current && diagnostics.has(name)) await tryAgain(current);
        current?.slot.runtime?.retry();
        const newly_loaded = current ? [] : await loadAll(name);
        for (const dependency of newly_loaded) if (dependency !== name) activate(dependency, {});
        const activated_groups = activate(name, options);
        return { newly_loaded, activated_groups };
      });
      // Outside the queue: other skills are loaded meanwhile.
      const name = catalog.nameOf(given);
      const started = [name, ...outcome.newly_loaded].map(each => loaded.get(each)?.slot.runtime?.prepared());
      await atMost(Promise.all(started), preparedMs);
      return { tools: loaded.toolNames(name), ...outcome };
    },

    /** Unpublishes and ends a skill; the number of tools removed, or undefined when it was not loaded. */
    unload: (given: string, call?: Asked): Promise<number | undefined> =>
      inTurn(call, async () => {
        const name = catalog.nameOf(given);
        if (!loaded.has(name)) return undefined;
        const dependents = loaded.dependentsOf(name);
        if (dependents.length > 0) {
          throw skillErrors.HAS_DEPENDENTS({ skill: name, dependents: dependents.map(each => `"${each}"`).join(', ') });
        }
        return unloadNow(name);
      }),

    /** Unloads a skill whose package is gone, and before it those that need it. */
    remove: (name: string): Promise<void> =>
      queue.run(async () => {
        const take = async (each: string): Promise<void> => {
          for (const dependent of loaded.dependentsOf(each)) await take(dependent);
          await unloadNow(each);
        };
        diagnostics.delete(name);
        await take(name);
      }),

    /**
     * Brings a loaded skill up to its files. Unchanged content does nothing; a failure keeps the old version serving
     * and is reported. `changed` narrows the comparison to these files.
     */
    reload: (name: string, changed?: ReadonlySet<string>): Promise<ReloadOutcome> =>
      queue.run(async () => {
        const current = loaded.get(name);
        if (!current) return 'not_loaded';
        try {
          const outcome = await replace(current, diagnostics.has(name), changed);
          diagnostics.delete(name);
          if (outcome === 'reloaded') onChange();
          return outcome;
        } catch (error) {
          if (!isSvcError(error) || diagnostics.get(name)?.error_message !== error.message) report(name, error, true);
          return 'failed';
        }
      }),

    isLoaded: loaded.has,
    /** Published names of the tools of a loaded skill that can be called, or be given a handler. */
    toolNames: loaded.toolNames,
    /** What was wrong with the definitions of its tools. */
    warnings: loaded.warnings,
    names: loaded.names,
    /** Tools of a loaded skill that cannot run because of what their scripts need. */
    problems: loaded.problems,
    /** Why the last load or reload of a skill failed. */
    diagnostic: (name: string): SkillDiagnostic | undefined => diagnostics.get(name),
    /** Files that the running code of a loaded skill was made from. */
    inputs: (name: string): readonly string[] => loaded.get(name)?.slot.runtime?.inputs ?? [],
    packageOf: (name: string): SkillPackage | undefined => loaded.get(name)?.found,

    /** Ends everything that is loaded; calls in flight are given up. */
    async dispose(): Promise<void> {
      closed = true;
      await queue.idle();
      await loaded.close();
      await runtimes.dispose();
      await loaded.idle();
    },
  };
}

type Spec = Pick<LoadedEntry, 'found' | 'files' | 'needs'>;

/** Whether the same files would run in the same way; `trusted` packages have a say in where. */
const isSameSpec = (a: Spec, b: Spec, trusted: boolean): boolean =>
  a.found.directory === b.found.directory &&
  isolationOf(a.found.manifest, trusted) === isolationOf(b.found.manifest, trusted) &&
  a.found.manifest.dcc === b.found.manifest.dcc &&
  JSON.stringify([a.files, a.needs]) === JSON.stringify([b.files, b.needs]);
