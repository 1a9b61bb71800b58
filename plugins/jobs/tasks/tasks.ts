/** Tasks: jobs of sessionless clients that declared the tasks extension, and the methods that follow them. */
import { after, type RpcContext, type RpcHandler, rpcErrors } from '../../../kernel/index.ts';
import type { Ask } from '../../../schemas/asking.ts';
import { isObject, objectOf } from '../../../schemas/loose.ts';
import type { ListenSource } from '../../mcp/api.ts';
import type { Admission, ToolCall, ToolRecord } from '../../tools/api.ts';
import type { JobRow, JobsService } from '../api.ts';
import type { Asker, Askers } from '../askers.ts';
import { jobErrors } from '../errors.ts';
import { taskErrors } from './errors.ts';
import { createInputs, type TaskInputs } from './inputs.ts';
import { declares, detailedTask, extension, taskOf } from './task.ts';

const requiredCapabilities = { extensions: { [extension]: {} } };
const mostWatched = 100;

export interface TasksDeps {
  jobs: Pick<JobsService, 'get' | 'cancel'>;
  askers: Askers;
  /** What becomes a job, and answers with its receipt. */
  admission: Admission;
}

/** Questions of a tool that asks first: they go to the open request, and its answer waits for the first of theirs. */
function askFirst(call: ToolCall, inputs: TaskInputs) {
  let asked: () => void = () => undefined;
  let open = true;
  const done = new Promise<void>(resolve => {
    asked = () => {
      open = false;
      resolve();
    };
  });
  const ask: Ask = (method, params = {}, options = {}) => {
    if (!open || !call.rpc) return inputs.ask(method, params, options);
    const { key, timeoutMs = 300_000, signal } = options;
    return call.rpc.request(method, params, timeoutMs, key, signal).finally(asked);
  };
  return { ask, asked, done };
}

export function createTasks({ jobs, askers, admission }: TasksDeps) {
  /** Of tasks that run, by id. */
  const open = new Map<string, TaskInputs>();
  const watchers = new Map<string, Set<() => void>>();

  const changed = (id: string): void => {
    for (const tell of [...(watchers.get(id) ?? [])]) tell();
  };

  const known = async (id: unknown, asker?: Asker): Promise<JobRow> => {
    const row = typeof id === 'string' ? await jobs.get(id) : undefined;
    if (!row || asker?.sees(row) === false)
      throw jobErrors.NOT_FOUND({ job_id: String(id).slice(0, 256), hint: 'take the taskId of a tools/call' });
    return row;
  };

  const assertDeclared = ({ era, clientCapabilities }: RpcContext, method: string): void => {
    if (era !== 'sessionless') throw rpcErrors.METHOD_NOT_FOUND({ method });
    if (!declares(clientCapabilities)) throw taskErrors.UNDECLARED({ method, extension, requiredCapabilities });
  };

  const method = (name: string, serve: (id: string, params: Record<string, unknown>) => unknown): RpcHandler => {
    return async (params, rpc) => {
      assertDeclared(rpc, name);
      const { job_id } = await known(params.taskId, askers.of({ http: rpc.http, meta: objectOf(params._meta) }));
      return serve(job_id, params);
    };
  };

  const started: Admission = (tool, args, call, run) => {
    const first = tool.metadata.task === 'after_input';
    let inputs: TaskInputs | undefined;
    let release: () => void = () => undefined;
    const released = new Promise<void>(resolve => {
      release = resolve;
    });
    const receipt = admission(tool, args, call, async options => {
      const id = options.job ?? '';
      const mine = createInputs(call.rpc?.clientCapabilities ?? {}, () => changed(id));
      inputs = mine;
      open.set(id, mine);
      const asking = askFirst(call, mine);
      if (!first) asking.asked();
      void asking.done.then(() => release());
      try {
        return await run({ ...options, ask: asking.ask });
      } finally {
        asking.asked();
        mine.end();
        open.delete(id);
      }
    });
    if (receipt === undefined) return undefined;
    return after(receipt, async made => {
      const id = String((made.structuredContent as { job_id?: unknown }).job_id);
      if (first) {
        const forget = call.onAbort(() => void jobs.cancel(id));
        await released;
        void forget();
      }
      return { resultType: 'task', ...taskOf(await known(id), inputs) } as never;
    });
  };

  return {
    /** Calls that become jobs become tasks for clients that know them. */
    admission: ((tool, args, call, run) => {
      const { rpc } = call;
      if (rpc?.era !== 'sessionless' || call.internal) return admission(tool, args, call, run);
      if (declares(rpc.clientCapabilities)) return started(tool, args, call, run);
      if (isTaskOnly(tool)) throw taskErrors.REQUIRED({ tool: tool.name, extension, requiredCapabilities });
      return admission(tool, args, call, run);
    }) satisfies Admission,

    methods: {
      'tasks/get': method('tasks/get', async id => detailedTask(await known(id), open.get(id))),
      'tasks/update': method('tasks/update', (id, { inputResponses }) => {
        if (!isObject(inputResponses)) {
          throw rpcErrors.INVALID_PARAMS({ reason: '"inputResponses" must be an object', field: 'inputResponses' });
        }
        open.get(id)?.answer(inputResponses);
        return {};
      }),
      'tasks/cancel': method('tasks/cancel', async id => {
        await jobs.cancel(id);
        return {};
      }),
    },

    /** A job went on. */
    changed,

    /** `taskIds` of a subscriptions/listen stream. */
    listen: (async (wanted, listener) => {
      if (!Array.isArray(wanted) || !declares(listener.clientCapabilities)) return undefined;
      const found: string[] = [];
      const asker = askers.of({ http: listener.http });
      for (const id of new Set(wanted.slice(0, mostWatched))) {
        const known = typeof id === 'string' ? await jobs.get(id) : undefined;
        if (!known || !asker.sees(known)) continue;
        found.push(id);
        const tell = async (): Promise<void> => {
          const row = await jobs.get(id);
          if (row) listener.send('notifications/tasks', detailedTask(row, open.get(id)));
        };
        const watching = watchers.get(id) ?? new Set();
        watchers.set(id, watching.add(tell));
        listener.scope.add(`task ${id}`, () => {
          watching.delete(tell);
          if (watching.size === 0) watchers.delete(id);
        });
      }
      return found;
    }) satisfies ListenSource,
  };
}

/** Declared in the metadata of a tool, beside `execution: async`. */
const isTaskOnly = ({ metadata }: Pick<ToolRecord, 'metadata'>): boolean =>
  metadata.task === 'required' || metadata.task === 'after_input';
