/** Settings of what clients are told of jobs. */
import { type Static, Type } from 'typebox';
import { flag } from '../../../schemas/settings.ts';

export const settings = Type.Object({
  enable_job_notifications: flag(true, 'emit the `$/dcc.*` job and workflow notification channels'),
});

export type Settings = Static<typeof settings>;
