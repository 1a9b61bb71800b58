/**
 * Where skills are looked for, best first (shape:search-paths). Scopes: paths given in the configuration are `admin`, the
 * bundled skills `system`, team, user, local development and platform folders `user`, paths of the environment and of
 * `discover()` `repo`. Of two skills with one name the higher scope wins, then the earlier path.
 */
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import envPaths from 'env-paths';
import type { Environment } from '../../../kernel/index.ts';

export type SkillScope = 'admin' | 'system' | 'user' | 'repo';
export type RootSource = 'explicit' | 'bundled' | 'team' | 'user' | 'local_dev' | 'platform' | 'environment' | 'extra';

export interface SearchRoot {
  /** Absolute. */
  path: string;
  scope: SkillScope;
  source: RootSource;
  /** Factor of a search score. */
  rank: number;
  /** Somebody named it: its absence is worth a diagnostic. */
  named: boolean;
}

export interface SearchPathInput {
  /** `skill_paths` of the configuration; may hold those of `SVC_SKILL_PATHS`. */
  skillPaths: readonly string[];
  extraPaths?: readonly string[];
  /** Directory of the bundled skills, or undefined when they are off. */
  bundled: string | undefined;
  /** Host types whose own variables and folders are read. */
  dccs: readonly string[];
  env: Environment;
}

export const scopeOrder: readonly SkillScope[] = ['admin', 'system', 'user', 'repo'];

/** The host type assumed when the configuration names none. */
export const standaloneDcc = (env: Environment): string => env.SVC_STANDALONE_REGISTRY_DCC_TYPE || 'python';

/** The search roots in order of precedence, each path once. */
export function searchRoots({ skillPaths, extraPaths = [], bundled, dccs, env }: SearchPathInput): SearchRoot[] {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const absolute = (path: string): string => resolve(path.replace(/^~(?=$|[\\/])/, home));
  const general = listOf(env.SVC_SKILL_PATHS).map(absolute);
  const byDcc = (prefix: string): string[] =>
    [prefix, ...dccs.map(dcc => `${prefix}${dcc.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_`)].flatMap(each =>
      listOf(env[`${each}SKILL_PATHS`]),
    );
  const accumulated = !isOn(env.SVC_DISABLE_ACCUMULATED_SKILLS);
  const defaults = !isOn(env.SVC_DISABLE_DEFAULT_SKILL_PATHS);
  const roots = (
    source: RootSource,
    scope: SkillScope,
    paths: readonly string[],
    { rank = 1, named = true } = {},
  ): SearchRoot[] => paths.map(path => ({ path: absolute(path), scope, source, rank, named }));

  const all = [
    ...roots(
      'explicit',
      'admin',
      skillPaths.filter(path => !general.includes(absolute(path))),
    ),
    ...roots('bundled', 'system', bundled === undefined ? [] : [bundled], { rank: 0.7, named: false }),
    ...roots('team', 'user', accumulated ? byDcc('SVC_TEAM_') : []),
    ...roots('user', 'user', accumulated ? byDcc('SVC_USER_') : []),
    ...roots('local_dev', 'user', defaults ? dccs.map(dcc => join(home, '.svc', safe(dcc), 'skills')) : [], {
      named: false,
    }),
    ...roots('platform', 'user', defaults ? [join(dataDirectory(env), 'skills')] : [], { rank: 0.85, named: false }),
    ...roots('environment', 'repo', byDcc('SVC_')),
    ...roots('extra', 'repo', extraPaths),
  ];
  return all.filter((each, index) => all.findIndex(other => other.path === each.path) === index);
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(delimiter)
    .map(each => each.trim())
    .filter(Boolean);

const isOn = (text: string | undefined): boolean => text === '1' || text?.toLowerCase() === 'true';

const safe = (dcc: string): string => dcc.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_');

const dataDirectory = (env: Environment): string =>
  env.XDG_DATA_HOME ? join(env.XDG_DATA_HOME, 'svc') : envPaths('svc', { suffix: '' }).data;
