/** An instance as a process: started by `spawnInstance`, ended by a signal that it cannot catch. */
import { createServer } from '../../../../plugins/index.ts';
import { addTools } from './instance-tools.ts';

const server = createServer(JSON.parse(process.argv[2] ?? '{}'), { env: {} });
await addTools(server);
// What never answers, of every kind that the host's thread answers.
const never = (): Promise<never> => new Promise(() => undefined);
const uri = 'slow://one';
await server.resources().addProducer({ scheme: 'slow', list: () => [{ uri, name: 'one' }], read: never });
await server.registerPrompt({ name: 'slow' }, never);
const service = await server.start();
process.send?.({ instance_id: service.instance_id, port: service.port });
