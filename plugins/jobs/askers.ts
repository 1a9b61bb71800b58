/** Whose a job is: of who proved to be somebody when it began, and of the client behind, where a gateway asks for one. */
import { behind, ownerBehind } from '../../schemas/on-behalf.ts';
import type { GuardService } from '../guard/api.ts';
import type { Asking, Whose } from './api.ts';

type Owned = { readonly owner?: string | null | undefined };

export interface Asker {
  /** What a job that it begins carries; null where nobody has to say who he is. */
  readonly owner: string | null;
  /** Whether it sees the jobs of everybody. */
  readonly all: boolean;
  /** Whose jobs it sees; undefined: of everybody. */
  readonly whose: Whose | undefined;
  sees(job: Owned): boolean;
}

export type Askers = ReturnType<typeof createAskers>;

const anybody: Asker = { owner: null, all: true, whose: undefined, sees: () => true };

/** Whether a job is one that `whose` sees. */
export const isSeen = ({ owner }: Owned, whose: Whose | undefined): boolean =>
  owner == null || !whose || owner === whose.owner || (whose.behind && owner.startsWith(whose.owner));

export function createAskers(guard: Pick<GuardService, 'on' | 'callerOf'> | undefined) {
  return {
    /** Who asks. What comes from inside is of nobody in particular. */
    of({ http, meta = {} }: Asking): Asker {
      const own = guard?.on && http ? guard.callerOf(http) : undefined;
      const { owner: said, admin } = behind(meta);
      if (!own && said === undefined) return anybody;
      const owner = ownerBehind(own?.id, said);
      const all = (own?.scopes.has('admin') ?? true) && (said === undefined || admin === true);
      // Who says nothing of a client behind is all of those that it ever asked for.
      const whose = all ? undefined : { owner, behind: said === undefined };
      return { owner, all, whose, sees: job => isSeen(job, whose) };
    },
  };
}
