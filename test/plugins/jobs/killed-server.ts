/** A server of its own process, to be killed: takes the store's path and the plugins' count of finished steps as arguments. */
import { buildApp, resolveConfig } from '../../../kernel/index.ts';
import { serverSettings } from '../../../plugins/index.ts';
import { plugins } from './plugin-list.ts';

const options = { log_level: 'silent', job_storage_path: process.argv[2] ?? '' };
const app = buildApp(resolveConfig(options, {}, {}, await serverSettings()), plugins);
await app.listen({ port: 0, host: '127.0.0.1' });
app.tools.publish(
  'host:slow',
  [
    {
      definition: { name: 'slow', execution: 'async' },
      handler: async ({ ms = 0 }) => {
        await new Promise(resolve => setTimeout(resolve, Number(ms)));
        return { waited: ms };
      },
    },
  ],
  { source: 'host' },
);
const address = app.server.address();
if (typeof address === 'object' && address) process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
