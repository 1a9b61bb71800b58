/** From a slug to the tool behind it: record, instance, connection. An unknown slug is looked for once more after a refresh. */
import { toHttpError } from '../../kernel/index.ts';
import { parseSlug, slugHost, slugOf } from '../../schemas/slug.ts';
import type { Instance } from '../instances/api.ts';
import type { Backend } from './backends/api.ts';
import type { CapabilityRecord } from './index/api.ts';
import type { Parts } from './parts.ts';

export interface Target {
  readonly record: CapabilityRecord;
  readonly instance: Instance;
  readonly backend: Backend;
}

/** Tools that every instance has for the jobs that calls become: reachable although no search shows them. */
const jobTools: Readonly<Record<string, boolean>> = {
  jobs_get_status: true,
  jobs_poll_contract: true,
  jobs_cleanup: false,
};

export const kindOf = (error: unknown): string => toHttpError(error).body.kind;

export type Targets = ReturnType<typeof createTargets>;

export function createTargets({ capabilities, instances, backends }: Parts) {
  const locate = (slug: string): Target => {
    const record = capabilities.find(slug);
    const instance = instances.resolve(record.instance_id);
    return { record, instance, backend: backends.get(instance.instance_id) };
  };

  const jobTool = (slug: string): Target | undefined => {
    const { host, id, tool } = parseSlug(slug) ?? {};
    if (id === undefined || tool === undefined || !Object.hasOwn(jobTools, tool)) return undefined;
    // What became of a job can be asked before the host is ready again.
    const instance = instances.find(id);
    if (slugHost(instance.dcc_type).toLowerCase() !== host?.toLowerCase()) return undefined;
    const record = jobRecord(tool, instance);
    return { record, instance, backend: backends.known(instance.instance_id) };
  };

  const peek = (slug: string): Target => {
    try {
      return locate(slug);
    } catch (error) {
      let found: Target | undefined;
      try {
        found = jobTool(slug);
      } catch {
        // What was wrong first is what the caller is told.
      }
      if (found) return found;
      throw error;
    }
  };

  const findAgain = async (slug: string, error: unknown): Promise<Target> => {
    if (!mayBeNew(error)) throw error;
    await instances.refresh();
    await capabilities.refresh(ownerOf(slug));
    return peek(slug);
  };

  /** The instance that a slug names, so that a slip of one client does not make every index new. */
  const ownerOf = (slug: string): string | undefined => {
    try {
      return instances.resolve(parseSlug(slug)?.id ?? '').instance_id;
    } catch {
      return undefined;
    }
  };

  return {
    /** What is known now; throws the error of the index or of the directory. */
    peek,
    /** The same after one refresh, for a slug that `peek` did not know; rejects with what `peek` threw otherwise. */
    findAgain,
    async find(slug: string): Promise<Target> {
      try {
        return peek(slug);
      } catch (error) {
        return findAgain(slug, error);
      }
    },
  };
}

function mayBeNew(error: unknown): boolean {
  const { kind, context } = toHttpError(error).body;
  if (kind === 'unknown-slug') return true;
  return kind === 'instance-offline' && (context.previous_status ?? 'never-registered') === 'never-registered';
}

function jobRecord(tool: string, { instance_id, instance_short, dcc_type }: Instance): CapabilityRecord {
  return {
    tool_slug: slugOf(dcc_type, instance_short, tool),
    backend_tool: tool,
    callable_id: tool,
    skill_name: null,
    summary: '',
    description: '',
    tags: [],
    aliases: [],
    dcc_type,
    instance_id,
    has_schema: true,
    loaded: true,
    group_active: true,
    annotations: { readOnlyHint: jobTools[tool] === true },
  };
}
