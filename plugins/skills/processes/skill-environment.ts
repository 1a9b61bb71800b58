/** What skill code, and programs that run for it, see of the server's environment. */
import type { Environment } from '../../../kernel/index.ts';

/** The environment for skill code: a copy without what would change how Node starts. */
export function skillEnvironment(env: Environment): Record<string, string> {
  const copy: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && name !== 'NODE_OPTIONS' && name !== 'NODE_CHANNEL_FD') copy[name] = value;
  }
  return copy;
}
