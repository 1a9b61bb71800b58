/** A tunnel, as a process of its own; its address is where its relay shows its server. */
import { resolveConfig } from '../../../kernel/index.ts';
import { openTunnel, tunnelSettings } from '../../../plugins/index.ts';
import { serveCommands, settings } from './command.ts';
import { cpu } from './cpu.ts';

const config = resolveConfig({ log_level: 'error', ...settings }, {}, {}, await tunnelSettings());
const tunnel = await openTunnel({ config, env: {} });
serveCommands(tunnel.public_url, { cpu });
process.on('SIGTERM', () => void tunnel.close().finally(() => process.exit()));
