/** Settings of the file registry. */
import { type Static, Type } from 'typebox';
import { shared } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  registry_dir: shared.registry_dir,
});

export type Settings = Static<typeof settings>;
