/**
 * What a package says to people and to models: shown without hidden characters, with digests by which who approved it
 * knows it again, and with remarks on what speaks to the model. Once a reading; nothing of it is asked of a call.
 */
import { revealedDeep } from '../../../schemas/hidden-text.ts';
import type { SkillFrontmatter, SkillMetadata, SkillToolDeclaration } from '../../../schemas/skill-manifest.ts';
import { type SuspectFlag, suspectFlags, textsIn } from '../../../schemas/suspect-text.ts';
import { digestOf, fingerprintOfAll, toolFingerprint } from '../../../schemas/tool-fingerprint.ts';
import type { Warn } from './rejection.ts';

export interface TextReview {
  /** `sha256:` of the canonical JSON. */
  fingerprint: string;
  flags: SuspectFlag[];
}

export interface PackageReview {
  /** Of all that follows. */
  fingerprint: string;
  /** What the skill says beside its tools. */
  skill: TextReview;
  /** By name. */
  tools: Record<string, TextReview>;
}

type Said = Omit<SkillFrontmatter, 'metadata'> &
  SkillMetadata & { tools: SkillToolDeclaration[]; groups: unknown; metadata: unknown; body: string };

/** The skill itself among its tools: no tool can have that name. */
export const itself = '(skill)';

/** Parts of a manifest that are read, and neither name a file nor steer the loader. */
const spoken = [
  ...(['description', 'license', 'compatibility', 'search_hint', 'search_aliases', 'tags', 'intent', 'body'] as const),
  ...(['groups', 'example_prompts', 'links', 'metadata'] as const),
];

/** The manifest as it may be shown, and what there is to say of it. */
export function reviewed<T extends Said>(given: T, warn: Warn): T & { review: PackageReview } {
  const manifest = { ...given, tools: given.tools.map(shownTool) };
  for (const key of spoken) if (given[key] !== undefined) Object.assign(manifest, { [key]: revealedDeep(given[key]) });
  const skill = { fingerprint: digestOf(ownWords(manifest)), flags: suspectFlags(textsIn(ownWords(given))) };
  tell(warn, 'SKILL.md', skill.flags, { file: 'SKILL.md' });
  const tools = Object.fromEntries(
    manifest.tools.map((tool, index) => {
      const flags = suspectFlags(textsIn({ ...wordsOf(given.tools[index] ?? tool), title: tool.title }));
      tell(warn, `tool "${tool.name}"`, flags);
      return [tool.name, { fingerprint: toolFingerprint(wordsOf(tool)), flags }] as const;
    }),
  );
  return { ...manifest, review: { fingerprint: fingerprintOfAll(fingerprintsOf({ skill, tools })), skill, tools } };
}

/** By name, with that of the skill itself. */
export const fingerprintsOf = ({ skill, tools }: Pick<PackageReview, 'skill' | 'tools'>): Record<string, string> => ({
  [itself]: skill.fingerprint,
  ...Object.fromEntries(Object.entries(tools).map(([name, { fingerprint }]) => [name, fingerprint])),
});

/** What the skill says beside the descriptions and schemas of its tools. */
const ownWords = (said: Said): object => {
  const { name, description, search_hint, search_aliases, tags, body: guidance, groups, example_prompts } = said;
  return { name, description, search_hint, search_aliases, tags, guidance, groups, example_prompts };
};

const wordsOf = ({ name, description, input_schema, output_schema }: SkillToolDeclaration) => ({
  ...{ name, description, input_schema, output_schema },
});

function shownTool(tool: SkillToolDeclaration): SkillToolDeclaration {
  const { source_file, ...words } = tool;
  return { ...revealedDeep(words), source_file };
}

function tell(warn: Warn, what: string, flags: readonly SuspectFlag[], place = {}): void {
  const suspect = flags.filter(each => each !== 'hidden_characters');
  if (suspect.length < flags.length) {
    warn('hidden_characters', `${what} has characters that nobody sees: they are shown by their numbers`, place);
  }
  if (suspect.length > 0) warn('suspect_text', `${what} speaks to the model (${suspect.join(', ')})`, place);
}
