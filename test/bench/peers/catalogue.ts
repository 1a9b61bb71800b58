/** Servers of one process, each with the skill packages of its folder below `settings.root` and none of them loaded. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveCommands, settings } from './command.ts';

interface Server {
  start(): Promise<unknown>;
  close(): Promise<void>;
}

const { createServer } = (await import(pathToFileURL(String(settings.entry)).href)) as {
  createServer(options: Record<string, unknown>): Server;
};
const { registry_dir } = settings;
const root = String(settings.root);
const servers: Server[] = [];
for (const dcc_type of settings.hosts as string[]) {
  const server = createServer({
    ...{ spawn_mode: 'ambient', gateway_port: 0, bundled_skills: false, watch_skills: false, log_level: 'error' },
    ...{ registry_dir, dcc_type, skill_paths: [join(root, dcc_type)], cache_dir: join(root, 'cache') },
  });
  await server.start();
  servers.push(server);
}
serveCommands('catalogue:');
process.on('SIGTERM', () => void Promise.all(servers.map(each => each.close())).finally(() => process.exit()));
