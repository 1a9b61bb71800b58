/** An instance as a process: started by `spawnInstance`, ended by a signal that it cannot catch. */
import { createServer } from '../../../../plugins/index.ts';
import { addTools } from './support.ts';

const server = createServer(JSON.parse(process.argv[2] ?? '{}'), { env: {} });
await addTools(server);
const service = await server.start();
process.send?.({ instance_id: service.instance_id, port: service.port });
