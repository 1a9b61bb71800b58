/** The tools of the instances of these tests: `echo`, `pid` and `wait`. */
import type { Server } from '../../../../plugins/index.ts';

export async function addTools(server: Server): Promise<void> {
  await server.registerTool({ name: 'echo', description: 'Echoes.' }, args => args);
  await server.registerTool({ name: 'pid', description: 'Tells its process.' }, () => ({ pid: process.pid }));
  await server.registerTool({ name: 'wait', description: 'Waits.' }, async ({ ms = 0 }) => {
    await new Promise(resolve => setTimeout(resolve, Number(ms)));
    return { waited: ms };
  });
}
