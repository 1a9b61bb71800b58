/** The setting of approvals. */
import { type Static, Type } from 'typebox';

export const settings = Type.Object({
  tool_approvals: Type.Enum(['off', 'flag', 'strict'], {
    default: 'flag',
    description:
      'what becomes of a skill, or of a server of another machine, that says something else of its tools than when it was first seen or accepted: nothing, a flag wherever it is found, or quarantine until somebody accepts it',
  }),
});

export type Settings = Static<typeof settings>;
