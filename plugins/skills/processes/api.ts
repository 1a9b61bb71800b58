/** Ending a program with all that it started, for others that start programs. */
export { processTree } from './process-tree.ts';
