/** Keeps the finding of a server that did not boot: its settings may be what is wrong, so any of them may be missing. */
import { statSync } from 'node:fs';
import {
  type Environment,
  environmentName,
  readConfigFile,
  resolveConfig,
  type SettingsSchema,
} from '../../kernel/index.ts';
import { isObject, text } from '../../schemas/loose.ts';
import { createHostErrors } from './host-errors.ts';
import { settledContext } from './identity.ts';
import { createFeedbackRecords } from './records.ts';
import { entryOfFailedStart, errorOfFailedStart } from './start-failure.ts';
import type { StartFailure } from './wire.ts';

export interface Unbooted {
  options: object;
  env: Environment;
  configFile: string | undefined;
  settings: SettingsSchema;
  /** The registry, made and found safe. */
  registry(configured: string | null): Promise<string>;
}

const needed = ['registry_dir', 'log_dir', 'dcc_type', 'dcc_version', 'adapter_version', 'server_name', 'plugins'];

export async function keepUnbooted(failure: StartFailure, input: Unbooted): Promise<void> {
  const settled = settledOf(input, await fileOf(input.configFile));
  const { plugins } = settled;
  if (isObject(plugins) && plugins.feedback === false) return;
  const context = settledContext(settled);
  const hostErrors = createHostErrors({ directory: text(settled.log_dir) ?? null, context, pid: () => process.pid });
  // Whatever becomes of that, the finding is kept.
  await hostErrors.record(errorOfFailedStart(failure)).catch(() => undefined);
  await hostErrors.close();
  const registry = await input.registry(text(settled.registry_dir) ?? null);
  const records = createFeedbackRecords(registry, context.dcc_type);
  await records.append(entryOfFailedStart(failure, context)).finally(records.close);
}

/** Its options; nothing when that cannot be read. Of a pipe there is nothing left to read. */
async function fileOf(path: string | undefined): Promise<object> {
  if (path === undefined || !statSync(path, { throwIfNoEntry: false })?.isFile()) return {};
  return readConfigFile(path).catch(() => ({}));
}

/** As the server would have had them; when it could not, each as it was written. */
function settledOf({ options, env, settings, configFile }: Unbooted, file: object): Record<string, unknown> {
  try {
    return resolveConfig(options, env, file, settings, configFile);
  } catch {
    const given = [file, Object.fromEntries(needed.map(each => [each, env[environmentName(each)]])), options];
    const defined = given.map(each => Object.entries(each).filter(([, value]) => value !== undefined && value !== ''));
    return Object.fromEntries(defined.flat());
  }
}
