/** From what a caller wrote to the one instance that is meant; never a guess. */
import type { Instance } from './api.ts';
import { instanceErrors } from './errors.ts';
import type { GoneInstance } from './gone.ts';

export interface ResolutionDeps {
  /** Every instance that is here, callable or not. */
  present: () => readonly Instance[];
  byId: (instanceId: string) => Instance | undefined;
  /** Newest first. */
  gone: () => readonly GoneInstance[];
}

const shortest = 4;
const shownCandidates = 10;

/** `dcc:uuid:short`, as the contract lists candidates. */
const candidate = ({ dcc_type, instance_id, instance_short }: Instance): string =>
  `${dcc_type}:${instance_id}:${instance_short}`;

function candidatesOf(instances: readonly Instance[]): { candidates: string[]; count: number; shown: string } {
  const candidates = instances.map(candidate);
  const more = candidates.length > shownCandidates ? ', …' : '';
  return { candidates, count: candidates.length, shown: candidates.slice(0, shownCandidates).join(', ') + more };
}

export function createResolution({ present, byId, gone }: ResolutionDeps) {
  const find = (given: string): Instance => {
    const id = given.trim().toLowerCase();
    const exact = byId(id);
    if (exact) return exact;
    if (id.length < shortest) throw instanceErrors.PREFIX_TOO_SHORT({ instance_id: given });
    const plain = id.replaceAll('-', '');
    const fits = ({ instance_id }: Instance): boolean =>
      instance_id.startsWith(id) || (plain !== '' && instance_id.replaceAll('-', '').startsWith(plain));
    const found = present().filter(fits);
    if (found.length > 1) throw instanceErrors.AMBIGUOUS({ instance_id: given, ...candidatesOf(found) });
    if (found[0]) return found[0];
    const before = gone().find(each => fits(each.instance));
    if (before) throw goneError(before);
    throw instanceErrors.UNKNOWN({
      instance_id: given,
      previous_status: 'never-registered',
      previous_instance_id: null,
      retryable: false,
      recommended_next_action: 'search again and use a tool_slug from its answer',
    });
  };

  const resolve = (given: string): Instance => {
    const found = find(given);
    if (found.routable) return found;
    throw instanceErrors.OFFLINE({
      instance_id: given,
      dcc_type: found.dcc_type,
      previous_status: found.status,
      previous_instance_id: found.instance_id,
      retryable: true,
      recommended_next_action: 'try again shortly, or search for another instance',
    });
  };

  return {
    find,
    resolve,
    choose({ instance_id, dcc_type }: { instance_id?: string | undefined; dcc_type?: string | undefined }): Instance {
      const isType = (each: Instance): boolean => each.dcc_type.toLowerCase() === dcc_type?.toLowerCase();
      if (instance_id !== undefined) {
        const found = resolve(instance_id);
        if (dcc_type === undefined || isType(found)) return found;
        const { instance_id: id, dcc_type: type } = found;
        throw instanceErrors.WRONG_TYPE({ instance_id: id, dcc_type: type, wanted: dcc_type });
      }
      const of = dcc_type === undefined ? '' : ` of type ${dcc_type}`;
      const found = present().filter(each => each.routable && (dcc_type === undefined || isType(each)));
      if (found.length > 1) throw instanceErrors.SEVERAL({ of, dcc_type: dcc_type ?? null, ...candidatesOf(found) });
      if (found[0]) return found[0];
      throw instanceErrors.NONE({
        of,
        dcc_type: dcc_type ?? null,
        previous_status: null,
        previous_instance_id: null,
        retryable: true,
      });
    },
  };
}

function goneError({ instance, reason, message }: GoneInstance) {
  const { instance_id, dcc_type } = instance;
  return instanceErrors.GONE({
    instance_id,
    dcc_type,
    previous_status: reason,
    why: message,
    previous_instance_id: instance_id,
    retryable: false,
    recommended_next_action: 'search again and use a tool_slug from its answer',
  });
}
