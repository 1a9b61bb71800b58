/** Skills, as the host works with them. */
import type { HostHalf } from '../../kernel/light.ts';
import type { SearchSkillsInput, SkillSummary } from './api.ts';

export interface HostSkills {
  /** Scans for skills; resolves with the number found. */
  discover(extraPaths?: readonly string[], dccName?: string): Promise<number>;
  /** Loads a skill and registers its tools; resolves with their names. */
  loadSkill(name: string): Promise<string[]>;
  /** Unloads a skill; false when it was not loaded. */
  unloadSkill(name: string): Promise<boolean>;
  /** Searches skills; without arguments the first `limit` by scope: Admin, System, User, Repo. */
  searchSkills(input?: SearchSkillsInput): Promise<SkillSummary[]>;
  listSkills(status?: 'loaded' | 'unloaded'): Promise<SkillSummary[]>;
  isLoaded(name: string): Promise<boolean>;
  loadedCount(): Promise<number>;
}

export const skillsHalf = {
  plugin: 'skills',
  operations: ['discover', 'loadSkill', 'unloadSkill', 'searchSkills', 'listSkills', 'isLoaded', 'loadedCount'],
  open: (link): HostSkills => ({
    discover: (paths, dcc) => link.call('discover', { paths, dcc }),
    loadSkill: name => link.call('loadSkill', { name }),
    unloadSkill: name => link.call('unloadSkill', { name }),
    searchSkills: (input = {}) => link.call('searchSkills', input),
    listSkills: status => link.call('listSkills', { status }),
    isLoaded: name => link.call('isLoaded', { name }),
    loadedCount: () => link.call('loadedCount', {}),
  }),
} satisfies HostHalf<HostSkills>;
