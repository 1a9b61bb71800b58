/**
 * Logs of programs that have ended go in time: of those that stand in the place where programs keep their own, the newest
 * few stay for a month. A log that lives, and one that was put elsewhere, is nobody's business here.
 */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { lives, stateDirectory } from './state.ts';

/** Programs that have ended whose logs stay, the latest. */
export const keptPrograms = 20;
/** And for how long. */
export const keptDays = 30;

const dayMs = 86_400_000;

/** Removes what is too much or too old, with what was turned over; never rejects. */
export async function pruneLogs(folder = stateDirectory(), now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const programs = new Map<string, { files: string[]; latest: number }>();
  for (const name of names) {
    const [, log, pid] = /^(.+-(\d+)\.log)(?:\.\d+)?$/.exec(name) ?? [];
    if (log === undefined || lives(Number(pid))) continue;
    const file = join(folder, name);
    const written = await stat(file).catch(() => undefined);
    if (!written?.isFile()) continue;
    const { files, latest } = programs.get(log) ?? { files: [], latest: 0 };
    programs.set(log, { files: [...files, file], latest: Math.max(latest, written.mtimeMs) });
  }
  const ended = [...programs.values()].sort((a, b) => b.latest - a.latest);
  const old = ended.filter(({ latest }, index) => index >= keptPrograms || now - latest > keptDays * dayMs);
  // Another program that starts prunes as well, and who may not remove a file leaves it.
  await Promise.all(old.flatMap(({ files }) => files.map(file => rm(file, { force: true }).catch(() => undefined))));
}
