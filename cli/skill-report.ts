/** What is wrong with a skill package, for people. */
import type { SkillReport } from '../plugins/skills/api.ts';

type Finding = SkillReport['errors'][number];

/** Errors before warnings, each with its place and its cure. */
export function findingLines({ errors, warnings }: Pick<SkillReport, 'errors' | 'warnings'>): string[] {
  const told = [...errors.map(each => ['error', each] as const), ...warnings.map(each => ['warning', each] as const)];
  return told.map(([kind, each]) => `  ${kind}: ${placed(each)} [${each.reason_code}]\n    fix: ${each.suggested_fix}`);
}

/** As compilers say it, so that terminals and editors make a link of it. */
function placed({ file, line, message }: Finding): string {
  if (file === undefined) return message;
  const text = message.startsWith(`${file}: `) ? message.slice(file.length + 2) : message;
  return `${file}${line === undefined ? '' : `:${line}`}: ${text}`;
}
