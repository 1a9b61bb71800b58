/** The directory of instances in a real application over a real registry folder. */
import { join } from 'node:path';
import { gatewayEventsPlugin } from '../../../plugins/gateway/events/index.ts';
import type { ServerOptions } from '../../../plugins/index.ts';
import { instancesPlugin } from '../../../plugins/instances/index.ts';
import { registryPlugin } from '../../../plugins/instances/registry/index.ts';
import { discoveryHttpPlugin } from '../../../plugins/instances/sources/http/index.ts';
import { listeningApp, tempDir } from '../../helper.ts';

/** A gateway's discovery part, listening; `registry_dir` is where rows go. */
export async function directory(options: ServerOptions = {}) {
  const registry_dir = options.registry_dir ?? join(await tempDir(), 'registry');
  const plugins = [registryPlugin, gatewayEventsPlugin, instancesPlugin, discoveryHttpPlugin];
  const { app, url } = await listeningApp(plugins, { ...options, registry_dir });
  const changes: { name: string; instance_id: string; reason?: string }[] = [];
  for (const name of ['instance.appeared', 'instance.changed', 'instance.left'] as const) {
    app.kernel.bus.on(name, ({ attributes }) => void changes.push({ name, ...attributes }));
  }
  const ids = (view?: { include_stale?: boolean; include_dead?: boolean }): string[] =>
    app.instances.list(view).map(each => each.instance_id);
  const getJson = async (path: string) => {
    const response = await fetch(url + path);
    // biome-ignore lint/suspicious/noExplicitAny: the body of an answer under test
    return { status: response.status, body: (await response.json()) as any };
  };
  return { app, instances: app.instances, events: app.gatewayEvents, registry_dir, url, changes, ids, getJson };
}

/** The error that `action` throws, with its row. */
export function thrown(action: () => unknown) {
  try {
    action();
  } catch (error) {
    return error as Error & { code: string; row: { http: number; kind: string }; details: Record<string, unknown> };
  }
  throw new Error('nothing was thrown');
}
