/** `gateway://instances` and one instance with its live context (specification: Gateway-native resources; shape:instance-views). */
import { freemem, loadavg, totalmem } from 'node:os';
import type { BackendsService } from '../../../gateway/backends/api.ts';
import type { Instance, InstancesService } from '../../../instances/api.ts';
import { queryOf } from './query.ts';

const parameters = [
  'include_stale',
  'include_dead',
  'view',
  'dcc_type',
  'query',
  'status',
  'limit',
  'offset',
  'verbose',
] as const;
const [usualRows, mostRows] = [20, 200];
/** How long the context of an instance waits for the instance itself. */
const contextMs = 2000;

export interface InstanceViewsDeps {
  instances: InstancesService;
  backends: BackendsService;
}

type Json = Record<string, unknown>;

export type InstanceViews = ReturnType<typeof createInstanceViews>;

export function createInstanceViews({ instances, backends }: InstanceViewsDeps) {
  const skillsOf = async (instance: Instance): Promise<Json> => {
    const unknown = { loaded: null, loaded_count: null, action_count: null };
    if (!instance.routable) return unknown;
    try {
      const params = { name: 'list_skills', arguments: { status: 'loaded', limit: 50 } };
      const result = (await backends
        .get(instance.instance_id)
        .request('tools/call', params, { idempotent: true, timeoutMs: contextMs })) as {
        structuredContent?: { skills?: { name?: string; tool_count?: number; tools?: number }[]; total?: number };
      };
      const { skills = [], total } = result.structuredContent ?? {};
      return {
        loaded: skills.map(each => each.name),
        loaded_count: total ?? skills.length,
        action_count: skills.reduce((sum, each) => sum + Number(each.tool_count ?? each.tools ?? 0), 0),
      };
    } catch {
      return unknown;
    }
  };

  return {
    /** Stale rows are shown and dead ones are not, unless the query says otherwise. */
    list(uri: string): Json {
      const query = queryOf(uri, parameters);
      const all = query.text('view') === 'all';
      const view = {
        include_stale: query.flag('include_stale') ?? true,
        include_dead: query.flag('include_dead') ?? all,
      };
      const dcc = query.text('dcc_type')?.toLowerCase();
      const words = query.text('query')?.toLowerCase();
      const status = query.text('status');
      const shown = instances
        .list(view)
        .filter(each => dcc === undefined || each.dcc_type.toLowerCase() === dcc)
        .filter(each => status === undefined || each.status === status)
        .filter(each => words === undefined || textOf(each).includes(words));
      const limit = Math.max(1, query.count('limit', usualRows, mostRows));
      const offset = query.count('offset', 0, Number.MAX_SAFE_INTEGER);
      const page = shown.slice(offset, offset + limit);
      const counts = instances.counts();
      return {
        list_ok: true,
        index_health: instances.problems().length === 0 ? 'ok' : 'degraded',
        total: shown.length,
        stale_count: shown.filter(each => each.stale).length,
        evicted_dead: counts.evicted_dead,
        capped: offset + page.length < shown.length,
        limit,
        offset,
        ...(query.flag('verbose') && { by_source: counts.by_source }),
        instances: page.map(instances.toRow),
        ...(instances.problems().length > 0 && { problems: instances.problems() }),
      };
    },

    /** By full UUID, short id or unique prefix; throws as the directory does. */
    async one(id: string): Promise<Json> {
      const instance = instances.find(id);
      const { instance_id, mcp_url, origin } = instance;
      return {
        ...instances.toRow(instance),
        resource_uri: `gateway://instances/${instance_id}`,
        context_url: `${origin}/v1/readyz`,
        call_url: `/mcp/${instance_id}`,
        mcp_url,
        machine: {
          load_average: loadavg()[0],
          total_memory: totalmem(),
          available_memory: freemem(),
          used_memory: totalmem() - freemem(),
        },
        ...(await skillsOf(instance)),
      };
    },
  };
}

function textOf({ instance_id, instance_short, dcc_type, row }: Instance): string {
  return [dcc_type, row.version, instance_short, instance_id, row.scene, row.display_name].join('\n').toLowerCase();
}
