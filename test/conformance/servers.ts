/** The real programs under test, each a process; all are ended with `stop`. */
import { join } from 'node:path';
import { line, loadSkill, startGateway } from '../processes.ts';

export interface Servers {
  /** The MCP endpoint of `svc-server` with the fixture as a plugin. */
  server: string;
  /** The same through the gateway. */
  throughGateway: string;
  /** The MCP endpoint of an application that embeds the server, with the fixture as its own. */
  host: string;
  /** The gateway's own endpoint. */
  gateway: string;
  stop(): Promise<void>;
}

const fixture = (...path: string[]): string => join(import.meta.dirname, 'fixture', ...path);
/** All that the suite asks for stands on the first page of a list. */
const settings = ['--tools-page-size', '100', '--no-bundled-skills', '--no-watch-skills', '--log-level', 'error'];

export async function startServers(): Promise<Servers> {
  const processes = await startGateway('svc-conformance-');
  const { gatewayPort, serve, start, stop } = processes;
  try {
    const told = await serve([
      ...settings,
      ...['--skill-path', fixture('skills')],
      ...['--plugin', fixture('plugin.mjs')],
    ]);
    await loadSkill(told.mcp_url, 'everything');
    const host = await line(start(fixture('host.mjs'), [fixture('skills')]));
    const gateway = `http://127.0.0.1:${gatewayPort}/mcp`;
    return {
      server: told.mcp_url,
      throughGateway: `${gateway}/${told.instance_id}`,
      host: host.mcp_url,
      gateway,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
