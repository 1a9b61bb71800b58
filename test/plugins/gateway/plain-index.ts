/**
 * A plain index of the instances' tools, read over their real endpoints: for tests of the gateway's operations that are
 * not about ranking, so that they know exactly what the index knows and when.
 */
import { defineErrors, definePlugin } from '../../../kernel/index.ts';
import type { Backend } from '../../../plugins/backends/api.ts';
import type { CapabilitiesService, CapabilityRecord, SearchInput } from '../../../plugins/capabilities/api.ts';

type Json = Record<string, unknown>;

const errors = defineErrors('SVC_PLAIN_INDEX', {
  UNKNOWN: { rpc: -32602, http: 404, kind: 'unknown-slug', template: 'No tool has the slug "{slug}"' },
});

async function records(backend: Backend): Promise<CapabilityRecord[]> {
  const { instance } = backend;
  const about = { dcc_type: instance.dcc_type, instance_id: instance.instance_id };
  const slug = (tool: string): string => `${instance.dcc_type}.${instance.instance_short}.${tool}`;
  const rest = async (path: string): Promise<Json> =>
    JSON.parse(String((await backend.http('GET', path)).body)) as Json;
  const builtin = async (name: string, args: Json): Promise<Json> =>
    ((await backend.request('tools/call', { name, arguments: args })) as { structuredContent: Json }).structuredContent;
  const listed: Json[] = [];
  let cursor: unknown;
  do {
    const page = (await backend.request('tools/list', { ...(cursor !== undefined && { cursor }) })) as Json;
    listed.push(...(page.tools as Json[]));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const entries = new Map(listed.map(each => [String(each.name), each]));

  const loaded = ((await rest('/v1/skills')).skills as Json[]).map(({ skill, action, summary }): CapabilityRecord => {
    const named = entries.get(String(action)) ?? entries.get(`${skill}__${action}`);
    const name = String(named?.name ?? action);
    const schema = named?.inputSchema as Json | undefined;
    const annotations = named?.annotations as Json | undefined;
    return {
      ...{ ...about, tool_slug: slug(name), backend_tool: name, callable_id: name, tags: [], aliases: [] },
      skill_name: skill === 'host' ? null : String(skill),
      ...{ summary: String(summary), description: String(named?.description ?? summary) },
      has_schema: Object.keys((schema?.properties as Json | undefined) ?? {}).length > 0,
      loaded: true,
      group_active: named !== undefined,
      ...(named === undefined && { tool_group: 'extras' }),
      ...(schema && { input_schema: schema }),
      ...(annotations && { annotations }),
    };
  });

  const { skills } = await builtin('list_skills', { status: 'unloaded', fields: ['name', 'tool_names', 'summary'] });
  const unloaded = (skills as Json[]).flatMap(({ name, tool_names, summary }) =>
    String(tool_names)
      .split(',')
      .map(each => each.trim())
      .filter(Boolean)
      .map(
        (tool): CapabilityRecord => ({
          ...{ ...about, tool_slug: slug(tool), backend_tool: tool, callable_id: tool, tags: [], aliases: [] },
          ...{ skill_name: String(name), summary: String(summary ?? ''), description: '' },
          ...{ has_schema: true, loaded: false, group_active: true },
        }),
      ),
  );
  return [...loaded, ...unloaded];
}

export const plainIndexPlugin = definePlugin({ name: 'capabilities', dependencies: ['instances', 'backends'] }, app => {
  const { instances, backends } = app;
  const known = new Map<string, CapabilityRecord[]>();
  let generation = 0;

  const refresh = async (id?: string): Promise<void> => {
    const wanted = backends.list().filter(each => id === undefined || each.instance_id === id);
    for (const backend of wanted) known.set(backend.instance_id, await records(backend));
    generation += 1;
  };
  const all = (): CapabilityRecord[] => instances.live().flatMap(each => known.get(each.instance_id) ?? []);

  const service: Pick<CapabilitiesService, 'generation' | 'search' | 'find' | 'ofInstance' | 'refresh' | 'onChange'> = {
    get generation() {
      return `1:${generation}`;
    },
    search({ query = '', dcc_type, instance_id, loaded_only, limit = 25, offset = 0 }: SearchInput) {
      const hits = all()
        .filter(each => each.backend_tool.includes(query) || each.summary.includes(query))
        .filter(each => dcc_type === undefined || each.dcc_type === dcc_type)
        .filter(each => instance_id === undefined || each.instance_id === instance_id)
        .filter(each => loaded_only !== true || each.loaded)
        .map((each, index) => ({ ...each, rank: index + 1, score: 100, match_reasons: ['tool_lexical' as const] }));
      return { total: hits.length, hits: hits.slice(offset, offset + limit) };
    },
    find(slug) {
      const [, id = '', ...tool] = slug.split('.');
      if (tool.length > 0) {
        const { instance_id } = instances.resolve(id);
        const found = known.get(instance_id)?.find(each => each.backend_tool === tool.join('.'));
        if (found) return found;
      }
      throw errors.UNKNOWN({ slug, candidates: all().map(each => each.tool_slug) });
    },
    ofInstance: id => known.get(id) ?? [],
    refresh,
    onChange: () => () => undefined,
  };
  app.decorate('capabilities', service as CapabilitiesService);
});
