/** Whose a job is: of who proved to be somebody when it began, and of the client behind, where a gateway asks for one. */
import { behind, ownerBehind } from '../../schemas/on-behalf.ts';
import type { GuardService } from '../guard/api.ts';
import type { Asking } from './api.ts';

export interface Asker {
  /** What a job that it begins carries; null where nobody has to say who he is. */
  readonly owner: string | null;
  /** Whether it sees the jobs of everybody. */
  readonly all: boolean;
  sees(job: { readonly owner?: string | null | undefined }): boolean;
}

export type Askers = ReturnType<typeof createAskers>;

const anybody: Asker = { owner: null, all: true, sees: () => true };

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
      const mine = (given: string): boolean => given === owner || (said === undefined && given.startsWith(owner));
      return { owner, all, sees: job => all || job.owner == null || mine(job.owner) };
    },
  };
}
