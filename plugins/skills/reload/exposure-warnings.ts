/** Says in the log when a skill is loaded from where somebody else may write. After the load: nobody waits for the look. */
import type { Bus, Disposer, Logger } from '../../../kernel/index.ts';
import { exposedPlaces } from '../packages/exposure.ts';

export interface ExposureWarningsDeps {
  bus: Pick<Bus, 'on'>;
  log: Pick<Logger, 'warn' | 'debug'>;
}

export function warnOfExposed({ bus, log }: ExposureWarningsDeps): Disposer {
  /** Each place once. */
  const told = new Set<string>();
  const look = async (skill: string, directory: string): Promise<void> => {
    for (const { path, reason } of await exposedPlaces([directory])) {
      if (told.has(path)) continue;
      told.add(path);
      log.warn({ skill, path, reason }, 'others can change a skill that is loaded: see svc-cli doctor');
    }
  };
  return bus.on('skill.loaded', ({ attributes: { skill_name, skill_path, reload } }) => {
    if (skill_path === undefined || reload) return;
    look(skill_name, skill_path).catch((err: unknown) => log.debug({ err }, 'who may write a skill cannot be told'));
  });
}
