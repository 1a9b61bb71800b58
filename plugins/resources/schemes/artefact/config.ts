/** Settings of `artefact://`. */
import { type Static, Type } from 'typebox';
import { flag, shared } from '../../../../schemas/settings.ts';

export const settings = Type.Object({
  enable_artefact_resources: flag(false, 'enable the `artefact://` scheme'),
  registry_dir: shared.registry_dir,
});

export type Settings = Static<typeof settings>;
