/** The environment as the skills plugin reads it: variables of the public packages' own world stand for ours. */
import type { Environment } from '../../../kernel/index.ts';

const prefix = 'DCC_MCP_';
/** What says where packages lie and what runs their scripts; the rest of that world is about servers of its own. */
const known =
  /^(?:(?:[A-Z0-9]+_)*SKILL_PATHS|DISABLE_(?:ACCUMULATED_SKILLS|DEFAULT_SKILL_PATHS)|STANDALONE_REGISTRY_DCC_TYPE|PYTHON_(?:EXECUTABLE|INIT_SNIPPET)|ALLOW_AMBIENT_PYTHON)$/;

/** `env` with `SVC_X` for each known `DCC_MCP_X`; ours wins where both are set. */
export function withAliases(env: Environment): Environment {
  const names = Object.keys(env).filter(name => name.startsWith(prefix) && known.test(name.slice(prefix.length)));
  if (names.length === 0) return env;
  const aliases = names.map(name => [`SVC_${name.slice(prefix.length)}`, env[name]] as const);
  return { ...env, ...Object.fromEntries(aliases.filter(([name]) => env[name] === undefined)) };
}
