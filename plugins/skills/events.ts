/** What skills tell the bus (specification: Built-in events). */

export type SkillEvent = {
  skill_name: string;
  dcc_type?: string;
  version?: string;
  skill_path?: string;
  declared_tool_count?: number;
  /** Of all that it says: `sha256:` of the canonical JSON. */
  fingerprint?: string;
  /** Once it is loaded. */
  registered_tool_count?: number;
  registered_tools?: string[];
  /** The skill was loaded before: its files changed. */
  reload?: boolean;
};

export type SkillFailure = SkillEvent & {
  error_kind: string;
  error_message: string;
  /** Of a policy hook that forbade it. */
  veto_code?: unknown;
  veto_reason?: unknown;
};

declare module '../../kernel/events.ts' {
  interface KernelEvents {
    'skill.loading': SkillEvent;
    'skill.loaded': SkillEvent;
    'skill.unloaded': SkillEvent;
    'skill.validation_failed': SkillFailure;
    'internal.skill.files_changed': { skill_name: string };
    'internal.skill.packages_changed': { added: string[]; changed: string[]; removed: string[] };
  }
}

export const skillsEvents = {
  'skill.loading': 'a skill load begins; a policy hook may veto it',
  'skill.loaded': 'a skill loaded and registered its tools',
  'skill.unloaded': 'a skill was unloaded and its tools removed',
  'skill.validation_failed': 'a skill could not load: missing, dependency issues, failed setup validation, or veto',
  'internal.skill.files_changed': 'files of a loaded skill changed on disk, whether or not its code did',
  'internal.skill.packages_changed': 'skill packages came, went, or say something else',
} as const;
