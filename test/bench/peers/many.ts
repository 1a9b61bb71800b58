/** Many instances in one process, each with its own row, heartbeat and listener. */
import { pathToFileURL } from 'node:url';
import { serveCommands, settings } from './command.ts';

interface Server {
  start(): Promise<{ mcpUrl(): string }>;
  close(): Promise<void>;
}

const { createServer } = (await import(pathToFileURL(String(settings.entry)).href)) as {
  createServer(options: Record<string, unknown>): Server;
};
const options = {
  spawn_mode: 'ambient',
  gateway_port: 0,
  bundled_skills: false,
  watch_skills: false,
  log_level: 'silent',
  dcc_type: 'maya',
  registry_dir: settings.registry_dir,
};
const servers: Server[] = [];
for (let index = 0; index < Number(settings.count); index += 1) {
  const server = createServer(options);
  await server.start();
  servers.push(server);
}
serveCommands('many:', {});
process.on('SIGTERM', () => void Promise.all(servers.map(each => each.close())).finally(() => process.exit()));
