/** What of a package is ignored or missing although the package counts, as sentences. */
import type { SkillPackage } from '../packages/manifest.ts';
import { type Finding, finding, type MissingTool, type ReasonCode } from '../packages/rejection.ts';
import { missingTools } from '../packages/tool-files.ts';

export interface PackageProblems {
  /** Declared tools that cannot be called. */
  missing: MissingTool[];
  /** Everything that is ignored or missing. */
  warnings: Finding[];
}

/** Looks at the files that the manifest names; `more` is what publishing it has shown, `stopped` what cannot run now. */
export async function packageProblems(
  found: SkillPackage,
  more: readonly Finding[] = [],
  stopped: readonly MissingTool[] = [],
): Promise<PackageProblems> {
  const missing = await missingTools(found);
  const lost = missing.slice(found.manifest.missing.length);
  const files = lost.map(asFinding);
  return {
    missing,
    warnings: [...(found.manifest.warnings as Finding[]), ...files, ...stopped.map(asFinding), ...more],
  };
}

const asFinding = ({ reason_code, message }: MissingTool): Finding => finding(reason_code as ReasonCode, message);

/** A few sentences of it, for a list. */
export const warningTexts = ({ warnings }: PackageProblems, most = 5): string[] => {
  const texts = warnings.slice(0, most).map(each => each.message);
  return warnings.length > most ? [...texts, `and ${warnings.length - most} more: see get_skill_info`] : texts;
};
