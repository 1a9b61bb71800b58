/** `svc-cli help`: as of the other program. */
export { Help } from '../../commands/help.ts';
