/** `svc-cli completion`: as of the other program. */
export { Completion } from '../../commands/completion.ts';
