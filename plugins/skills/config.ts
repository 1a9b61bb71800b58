/** Settings of skills: where they are looked for, how they run. */
import { type Static, Type } from 'typebox';
import { count, flag, optionalPath, seconds, shared } from '../../schemas/settings.ts';

export const settings = Type.Object({
  skill_paths: Type.Array(Type.String({ minLength: 1 }), {
    isPath: true,
    default: [],
    description: 'directories of skill packages, searched before the environment and user paths',
  }),
  bundled_skills: flag(true, 'offer the skills that ship with the package'),
  watch_skills: flag(true, 'reload skills when their files change on disk'),
  watch_debounce_ms: count(20, 'quiet time after a change before a skill reloads', 0, 60000),
  skill_isolation: Type.Enum(['process', 'worker'], {
    default: 'process',
    description:
      'where the TypeScript tools of a skill run that does not say it: a process of its own, or a thread of the server, which ends the server when it runs out of memory',
  }),
  trusted_skill_scopes: Type.Array(Type.Enum(['admin', 'system', 'user', 'repo']), {
    default: ['admin', 'system'],
    description:
      'scopes whose skills may say themselves where their code runs (`isolation`, `requires_in_process`); the code of all others runs in processes of its own',
  }),
  skill_heap_mb: count(256, 'JavaScript heap limit of one skill, in MiB', 16, 65536),
  skill_buffer_mb: count(1024, 'what one skill may hold in buffers outside that heap, in MiB', 16, 65536),
  skill_setup_timeout_secs: seconds(300, 'how long making the Python environment of a skill may take'),
  skill_config: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), {
    default: {},
    description: 'settings by skill name, handed to the skill as `ctx.config`',
  }),
  cache_dir: optionalPath(
    'directory of compiled skill bundles (default: the user cache directory, or a temporary one where that cannot be written)',
  ),
  max_result_bytes: shared.max_result_bytes,
  dcc_type: shared.dcc_type,
});

export type Settings = Static<typeof settings>;
