/** Why a package is refused: the reason codes of the contract and ours, each with a fix (shape:skipped). */
import { basename } from 'node:path';
import { revealed, revealedDeep } from '../../../schemas/hidden-text.ts';
import type { Place, SourceLines } from './source-lines.ts';

export const suggestedFixes = {
  missing_skill_md: 'Add a SKILL.md with YAML frontmatter (name, description) to the directory.',
  read_error: 'Make the file a readable, UTF-8 text file within the size limit.',
  missing_frontmatter: 'Start SKILL.md with a line "---", the YAML keys, and a closing line "---".',
  invalid_frontmatter_yaml: 'Correct the YAML between the two "---" lines of SKILL.md.',
  non_spec_top_level_keys:
    'Keep only name, description, license, compatibility, metadata and allowed-tools at the top level; move other keys under metadata.svc.',
  invalid_frontmatter_shape: 'Correct the named key of the frontmatter.',
  stale_skip_record: 'The directory has changed: ask again, or run discovery again.',
  invalid_name: 'Use letters, digits, "-" and "_" only, beginning with a letter or digit.',
  name_too_long: 'Shorten the name.',
  invalid_tools_yaml: 'Correct tools.yaml: a "tools:" list of mappings, each with a name.',
  invalid_groups_yaml: 'Correct groups.yaml: a "groups:" list of mappings, each with a name.',
  duplicate_tool_name: 'Give every tool of the skill its own name.',
  path_outside_directory:
    'Name a file inside the package directory, without "..", absolute paths or links that lead out.',
  missing_source_file: 'Create the file that source_file names, or correct the name.',
  invalid_tool_schema: 'Correct the JSON Schema of the tool.',
  unknown_key: 'Correct the key, or remove it: nothing reads it.',
  build_failed: 'Correct the code: a skill that cannot be built cannot be loaded.',
  syntax_error: 'Correct the script: it cannot run as it is.',
  duplicate_skill_name: 'Rename this skill, or remove the other one from its search path.',
  python_failed: 'Put right what is named, then call load_skill again: it tries once more.',
  python_preparing: 'Wait: a call of the tool does so too.',
  hidden_characters: 'Remove the controls, marks of direction and characters without width.',
  suspect_text: 'Say what the thing does, and not what its reader shall do.',
  quarantined: 'Look at what changed and accept it: svc-server skills accept.',
  invalid_depends: 'Write one skill name per line in metadata/depends.md, as "- other-skill".',
} as const;

export type ReasonCode = keyof typeof suggestedFixes;

/** Thrown while a package is read; `message` names no absolute path. */
export class Rejection extends Error {
  readonly reason: ReasonCode;
  readonly place: Place;

  constructor(reason: ReasonCode, message: string, place: Place = {}) {
    super(message);
    this.reason = reason;
    this.place = place;
  }
}

/** Something that is wrong with a part of a package: the part is left out or ignored, the rest counts. */
export interface SkillFinding {
  reason_code: string;
  /** Names no absolute path. */
  message: string;
  suggested_fix: string;
  /** Relative to the package; told to who validates it. */
  file?: string;
  line?: number;
}

/** A declared tool that cannot be called, and why. */
export interface MissingTool {
  name: string;
  reason_code: string;
  message: string;
}

/** Where a reader tells what it ignored. */
export type Warn = (reason: ReasonCode, message: string, place?: Place) => void;

const longestMessage = 500;
const mostFindings = 50;

/** People read it in terminals. */
const cut = (message: string): string => {
  const shown = revealed(message);
  return shown.length > longestMessage ? `${shown.slice(0, longestMessage - 1)}…` : shown;
};

/** A finding of the table. */
export interface Finding extends SkillFinding {
  reason_code: ReasonCode;
}

export const finding = (reason: ReasonCode, message: string): Finding => ({
  reason_code: reason,
  message: cut(message),
  suggested_fix: suggestedFixes[reason],
});

/** Takes findings, not more than a reader can use; with `lines` each with its place. */
export function createFindings(lines?: SourceLines): { list: Finding[]; warn: Warn } {
  const list: Finding[] = [];
  return {
    list,
    warn(reason, message, place = {}) {
      if (list.length < mostFindings) list.push({ ...finding(reason, message), ...lines?.place(place) });
    },
  };
}

/** A package that discovery refused (shape:skipped). */
export interface SkippedSkill {
  skill_name: string;
  directory_name: string;
  reason_code: string;
  /** Names no absolute path. */
  message: string;
  suggested_fix: string;
  dcc?: string;
  tags?: string[];
}

/** The record of a refused package. `given` is what could be read of it before the refusal. */
export function skipRecord(
  directory: string,
  reason: ReasonCode,
  message: string,
  given: { name?: string | undefined; dcc?: string | undefined; tags?: readonly string[] | undefined } = {},
): SkippedSkill {
  const known = revealedDeep({ name: given.name, dcc: given.dcc, tags: given.tags });
  const name = revealed(basename(directory));
  return {
    skill_name: known.name ?? name,
    directory_name: name,
    reason_code: reason,
    message: cut(message),
    suggested_fix: suggestedFixes[reason],
    ...(known.dcc !== undefined && { dcc: known.dcc }),
    ...(known.tags !== undefined && known.tags.length > 0 && { tags: [...known.tags] }),
  };
}
