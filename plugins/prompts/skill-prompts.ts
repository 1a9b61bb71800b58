/** Keeps the published prompts in step with the loaded skills and with their files. */
import type { Disposer, Logger } from '../../kernel/index.ts';
import type { LoadedSkill } from '../skills/api.ts';
import type { Prompt, PromptsService } from './api.ts';
import { type FilePrompts, readPackagePrompts } from './package-prompts.ts';

export interface SkillPromptsDeps {
  skills: { loaded(name: string): LoadedSkill | undefined };
  prompts: Pick<PromptsService, 'publish'>;
  log: Pick<Logger, 'warn' | 'error'>;
  /** Told when the last file that was being read is read. */
  onSettled(): void;
}

interface Entry {
  unpublish: Disposer;
  /** What each file gave when it was last whole. */
  whole: Map<string, readonly Prompt[]>;
  /** Problems that are in the log already. */
  told: Set<string>;
  /** The files changed again while they were read. */
  again: boolean;
  running: boolean;
}

const mostPrompts = 500;

export function createSkillPrompts({ skills, prompts, log, onSettled }: SkillPromptsDeps) {
  const entries = new Map<string, Entry>();
  const reads = new Set<Promise<void>>();

  /** A broken file keeps the prompts that it gave before: a save that does not parse takes nothing away. */
  const gather = (skill: string, entry: Entry, files: readonly FilePrompts[]): Prompt[] => {
    const merged = new Map<string, Prompt>();
    const problems: string[] = [];
    const whole = new Map<string, readonly Prompt[]>();
    for (const { file, prompts: given, broken, problems: own } of files) {
      const before = broken ? entry.whole.get(file) : undefined;
      const mine = before ?? given;
      whole.set(file, mine);
      problems.push(...own.map(each => `${file}: ${each}`));
      for (const prompt of mine) {
        if (merged.has(prompt.name)) problems.push(`${file}: prompt "${prompt.name}" is declared twice`);
        else if (merged.size < mostPrompts) merged.set(prompt.name, prompt);
      }
    }
    if (merged.size === mostPrompts) problems.push(`only the first ${mostPrompts} prompts are published`);
    entry.whole = whole;
    for (const problem of problems) {
      if (!entry.told.has(problem)) log.warn({ skill, problem }, 'a prompt file has a problem; its skill stays loaded');
    }
    entry.told = new Set(problems);
    return [...merged.values()];
  };

  const read = async (name: string, entry: Entry): Promise<void> => {
    do {
      entry.again = false;
      const skill = skills.loaded(name);
      if (!skill) return;
      const files = await readPackagePrompts(skill);
      // Unloaded, or unloaded and loaded again, in the meantime.
      if (entries.get(name) !== entry) return;
      entry.unpublish = prompts.publish(name, gather(name, entry, files));
    } while (entry.again);
  };

  const start = (name: string, entry: Entry): void => {
    entry.running = true;
    const reading: Promise<void> = read(name, entry)
      .catch((err: unknown) => log.error({ err, skill: name }, 'the prompts of a skill could not be read'))
      .finally(() => {
        entry.running = false;
        reads.delete(reading);
        if (entry.again && entries.get(name) === entry) start(name, entry);
        if (reads.size === 0) onSettled();
      });
    reads.add(reading);
  };

  const drop = (name: string): void => {
    const entry = entries.get(name);
    entries.delete(name);
    void entry?.unpublish();
  };

  return {
    /** Reads the prompts of a loaded skill, again when it was read before. */
    refresh(name: string): void {
      let entry = entries.get(name);
      if (!entry) {
        // Published empty at once: between namesakes the order of loading counts, not that of reading.
        const unpublish = prompts.publish(name, []);
        entry = { unpublish, whole: new Map(), told: new Set(), again: false, running: false };
        entries.set(name, entry);
      }
      if (entry.running) entry.again = true;
      else start(name, entry);
    },
    drop,
    get busy(): boolean {
      return reads.size > 0;
    },
    async settled(): Promise<void> {
      while (reads.size > 0) await Promise.all([...reads]);
    },
    dispose(): void {
      for (const name of [...entries.keys()]) drop(name);
    },
  };
}
