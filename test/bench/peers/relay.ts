/** A relay over the key file `settings.relay_key_file`, as a process of its own. */
import { resolveConfig } from '../../../kernel/index.ts';
import { openRelay, relaySettings } from '../../../plugins/index.ts';
import { serveCommands, settings } from './command.ts';
import { cpu } from './cpu.ts';

const config = resolveConfig({ log_level: 'error', ...settings }, {}, {}, await relaySettings());
const relay = await openRelay({ config, env: {} });
serveCommands(relay.origin, { cpu });
process.on('SIGTERM', () => void relay.close().finally(() => process.exit()));
