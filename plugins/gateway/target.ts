/** From a slug to the tool behind it: record, instance, connection. An unknown slug is looked for once more after a refresh. */
import { toHttpError } from '../../kernel/index.ts';
import type { Json } from '../../schemas/loose.ts';
import { parseSlug } from '../../schemas/slug.ts';
import type { Instance } from '../instances/api.ts';
import type { Backend } from './backends/api.ts';
import { type BareNames, isNoSlug } from './bare-name.ts';
import type { BuiltinTargets } from './builtin-target.ts';
import type { Builtin } from './builtins.ts';
import type { CapabilityRecord } from './index/api.ts';
import type { Parts } from './parts.ts';

export interface Target {
  readonly record: CapabilityRecord;
  readonly instance: Instance;
  readonly backend: Backend;
  /** Set when the tool is one that every instance has. */
  readonly builtin?: Builtin;
}

export const kindOf = (error: unknown): string => toHttpError(error).body.kind;

export type Targets = ReturnType<typeof createTargets>;

export function createTargets(
  { capabilities, instances, backends }: Parts,
  builtins: BuiltinTargets,
  names: BareNames,
) {
  const locate = (slug: string): Target => {
    const record = capabilities.find(slug);
    const instance = instances.resolve(record.instance_id);
    return { record, instance, backend: backends.get(instance.instance_id) };
  };

  const peek = (slug: string): Target => {
    try {
      return locate(slug);
    } catch (error) {
      let found: Target | undefined;
      try {
        found = builtins.bySlug(slug);
      } catch {
        // What was wrong first is what the caller is told.
      }
      if (found) return found;
      throw error;
    }
  };

  const findAgain = async (slug: string, error: unknown, args?: Json): Promise<Target> => {
    const named = args ? await builtins.byName(slug, args) : builtins.anyOf(slug);
    if (named) return named;
    if (!mayBeNew(error)) throw (isNoSlug(error) && names.meant(slug)) || error;
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
    /**
     * What `peek` did not know: a built-in by its bare name, for a call with `args`, or what one refresh brings. Rejects
     * with what `peek` threw otherwise.
     */
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
