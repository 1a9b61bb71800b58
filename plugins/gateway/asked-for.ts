/** What an instance is told of whose a call is, where the gateway's callers authenticate: the jobs of one are no other's. */
import type { Behind } from '../../schemas/on-behalf.ts';
import type { Caller } from '../guard/api.ts';

export const ownerIn = (caller: Caller | undefined): Pick<Behind, 'owner' | 'admin'> =>
  caller ? { owner: caller.id, admin: caller.scopes.has('admin') || undefined } : {};
