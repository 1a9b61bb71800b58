/** The composition root: the ordered lists below are what a server is. */
import type { Plugin } from '../kernel/index.ts';

/** Plugins of a per-host server, in boot order; teardown is the reverse. */
export const instancePlugins: readonly Plugin[] = [];

export type { SkillContext, SkillTool } from './skills/api.ts';
