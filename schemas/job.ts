/** A background job as clients see it (specification: Job record, Job states). */
import { type Static, Type } from 'typebox';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const timestamp = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const JobStatusSchema = Type.Union(
  [
    Type.Literal('pending'),
    Type.Literal('running'),
    Type.Literal('completed'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
    Type.Literal('interrupted'),
  ],
  { description: 'state of the job; the last four are terminal' },
);

export const JobProgressSchema = Type.Object(
  {
    current: Type.Number({ minimum: 0, description: 'work done' }),
    total: Type.Number({ minimum: 0, description: 'work in all, never below current' }),
    message: Type.Optional(Type.String({ description: 'what is being done' })),
  },
  { description: 'progress of the job', additionalProperties: false },
);

export const JobRecordSchema = Type.Object(
  {
    job_id: Type.String({ description: 'job UUID' }),
    core_job_id: Type.String({ description: 'the same id' }),
    job_id_owner: Type.Literal('core', { description: 'who keeps the job' }),
    adapter_job_id: Type.Optional(Type.String({ description: 'work of the adapter that the result started' })),
    parent_job_id: orNull('job whose work started this one'),
    tool: Type.String({ description: 'launching tool' }),
    status: JobStatusSchema,
    created_at: Type.String({ format: 'date-time', description: 'when the job was admitted' }),
    started_at: timestamp('when it left pending'),
    completed_at: timestamp('when it became terminal'),
    updated_at: Type.String({ format: 'date-time', description: 'last change' }),
    progress: Type.Union([JobProgressSchema, Type.Null()], { description: 'null before the first report' }),
    error: orNull('failure text'),
    result: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'final tool result' })),
    counter_source: Type.Optional(
      Type.Union([Type.Literal('disk'), Type.Literal('reported')], { description: 'where progress was counted' }),
    ),
    reported_current: Type.Optional(Type.Number({ description: 'reported count where the disk disagrees' })),
  },
  { $id: 'svc:job-record', description: 'Job record', additionalProperties: false },
);

export type JobStatus = Static<typeof JobStatusSchema>;
export type JobProgress = Static<typeof JobProgressSchema>;
export type JobRecord = Static<typeof JobRecordSchema>;
