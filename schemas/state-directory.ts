/** Where the programs of this user, and hosts, keep what they note of themselves. */
import envPaths from 'env-paths';

/** `~/.local/state/svc` (Linux, by XDG_STATE_HOME), `~/Library/Logs/svc` (macOS), `%LOCALAPPDATA%\svc\Log` (Windows). */
export const stateDirectory = (): string => envPaths('svc', { suffix: '' }).log;
