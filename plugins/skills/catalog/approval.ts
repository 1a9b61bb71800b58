/** A package as something to be approved: what it says, under the directory that it lies in. */
import { canonicalJson } from '../../../schemas/tool-fingerprint.ts';
import type { ApprovalsService, SaidOfTool, Verdict } from '../../policy/approvals/api.ts';
import type { SkillPackage } from '../packages/manifest.ts';
import { fingerprintsOf, itself } from '../packages/review.ts';
import type { SearchRoot } from './search-paths.ts';

const nothing: Verdict = { changed: new Set(), quarantined: false };

/** What ships with the server changes with the server. */
export const judgeSkills =
  ({ judge }: Pick<ApprovalsService, 'judge'>) =>
  ({ name, directory, manifest }: SkillPackage, { source }: SearchRoot): Verdict | Promise<Verdict> => {
    if (source === 'bundled') return nothing;
    const declared = new Map(manifest.tools.map(each => [each.name, each]));
    const tools = Object.entries(fingerprintsOf(manifest.review)).map(([tool, fingerprint]): [string, SaidOfTool] => {
      if (tool === itself) return [tool, { fingerprint, description: `${manifest.description}\n\n${manifest.body}` }];
      const { description = '', title, annotations } = declared.get(tool) ?? {};
      return [tool, { fingerprint, description, hints: canonicalJson({ title, annotations }) }];
    });
    return judge({ kind: 'skill', key: directory, name, tools: Object.fromEntries(tools) });
  };
