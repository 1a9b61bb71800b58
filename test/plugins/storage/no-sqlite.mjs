/** Preloaded into a process: better-sqlite3 is not installed there, as on a machine that can neither download nor compile it. */
import { register } from 'node:module';

const hook = `export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('better-sqlite3')) return next(specifier, context);
  throw Object.assign(new Error("Cannot find package 'better-sqlite3'"), { code: 'ERR_MODULE_NOT_FOUND' });
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
