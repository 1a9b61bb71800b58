/** `svc-cli version`: as of the other program. */
export { Version } from '../../commands/version.ts';
