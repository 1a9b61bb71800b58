/** OpenUSD projects of the host. */
import { resolve } from 'node:path';
import { type AsyncDisposer, type HostHalf, plainCopy } from '../../../../kernel/light.ts';
import type { UsdProject } from './api.ts';

export interface HostOpenUsd {
  /**
   * Serves the files of an OpenUSD project as `openusd://`, one project at a time, and tells of their changes; nothing
   * outside its root is read.
   */
  registerOpenusd(project: UsdProject): Promise<AsyncDisposer>;
}

export const openusdHalf = {
  plugin: 'scheme-openusd',
  operations: ['registerOpenusd'],
  open: (link): HostOpenUsd => ({
    async registerOpenusd(given) {
      const project = plainCopy('project', given);
      // Relative to where the host stands now.
      if (typeof project?.project_root === 'string') project.project_root = resolve(project.project_root);
      return link.call('registerOpenusd', { project });
    },
  }),
} satisfies HostHalf<HostOpenUsd>;
