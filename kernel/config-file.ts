/** Reading a config file, apart from validating it, so that the host's main thread need not load a validator. */
import { settingsIn } from '../schemas/settings-file.ts';
import { messageOf } from '../schemas/thrown.ts';
import { kernelErrors } from './errors.ts';

/** Reads a JSON or YAML config file; throws SVC_KERNEL_CONFIG_INVALID when it cannot be read or holds no object. */
export async function readConfigFile(path: string): Promise<object> {
  try {
    return await settingsIn(path);
  } catch (error) {
    throw kernelErrors.CONFIG_INVALID({ source: path, reason: messageOf(error) }, error);
  }
}
