/** The tool table: owners publish whole sets of tools in one step; look-up by published or full name. */
import type { Awaitable, Disposer, Problem, Schemas } from '../../kernel/index.ts';
import type { PublishOptions, ToolEntry, ToolHandler, ToolRecord, ToolSource } from './api.ts';
import { compareTools } from './builtin-order.ts';
import { createDefinitions } from './definition.ts';
import { toolErrors } from './errors.ts';
import type { GroupState, Groups } from './groups.ts';
import { assertPublishable, createNames, type Named } from './names.ts';
import { schemaCheck } from './schema-check.ts';
import type { SchemaGuard } from './schema-guard.ts';

/** One tool in the table: its record as of now and what the call pipeline needs beside it. */
export interface RegisteredTool extends Named {
  record: ToolRecord;
  readonly group: GroupState | undefined;
  handler: ToolHandler | undefined;
  handlerSource: ToolSource;
  readonly inHost: ToolEntry['inHost'];
  /** What is wrong with arguments; compiled on first use. A promise when the schema is not sure to be quick. */
  checkInput(value: unknown): Awaitable<Problem[] | undefined>;
  /** What is wrong with a structured result; only where `apart` says so a promise. */
  checkOutput(value: unknown): Awaitable<Problem[] | undefined>;
  readonly outputApart: boolean;
  /** Forgets the compiled schemas; calls in flight keep theirs. */
  release(): void;
}

interface Attached {
  handler: ToolHandler;
  source: ToolSource;
}

export interface ToolTableDeps {
  schemas: Schemas;
  guard: Pick<SchemaGuard, 'check'>;
  groups: Groups;
  bareNames: boolean;
  /** Told after every change of the published list that clients should hear of. */
  onChange(): void;
}

export type ToolTable = ReturnType<typeof createToolTable>;

export function createToolTable({ schemas, guard, groups, bareNames, onChange }: ToolTableDeps) {
  const definitions = createDefinitions(schemas);
  const names = createNames<RegisteredTool>(bareNames);
  const owners = new Map<string, RegisteredTool[]>();
  const published = new Map<string, RegisteredTool>();
  const internals = new Map<string, RegisteredTool>();
  const attached = new Map<string, Attached>();
  let generation = 0;
  let ordered: RegisteredTool[] | undefined;

  const touch = (silent = false): void => {
    generation += 1;
    ordered = undefined;
    if (!silent) onChange();
  };

  const attach = (tool: RegisteredTool): void => {
    const own = attached.get(tool.record.name) ?? (tool.full === undefined ? undefined : attached.get(tool.full));
    tool.handler = own?.handler ?? tool.record.handler;
    tool.handlerSource = own?.source ?? tool.record.source;
  };

  const rename = (changes: Map<RegisteredTool, string>): void => {
    for (const tool of changes.keys()) {
      if (published.get(tool.record.name) === tool) published.delete(tool.record.name);
    }
    for (const [tool, name] of changes) {
      if (tool.record.name !== name) tool.record = Object.freeze({ ...tool.record, name });
      published.set(name, tool);
      attach(tool);
    }
  };

  const withdraw = (tools: readonly RegisteredTool[]): void => {
    for (const tool of tools) {
      if (published.get(tool.record.name) === tool) published.delete(tool.record.name);
      tool.release();
    }
  };

  /** Replaces the tools of one owner; puts everything back and throws when a name is refused. */
  const swap = (before: readonly RegisteredTool[], after: readonly RegisteredTool[]): void => {
    const added: RegisteredTool[] = [];
    for (const tool of before) names.remove(tool);
    try {
      for (const tool of after) {
        names.add(tool);
        added.push(tool);
      }
      const changes = names.affected([...before, ...after]);
      for (const [tool, name] of changes) assertPublishable(tool, name);
      withdraw(before);
      rename(changes);
    } catch (error) {
      for (const tool of added) names.remove(tool);
      for (const tool of before) names.add(tool);
      throw error;
    }
  };

  const swapInternal = (before: readonly RegisteredTool[], after: readonly RegisteredTool[]): void => {
    const next = new Map(after.map(tool => [tool.action, tool]));
    const taken = after.find(({ action }) => internals.has(action) && !before.some(each => each.action === action));
    if (taken || next.size < after.length) {
      const tool = taken?.action ?? after.find(each => next.get(each.action) !== each)?.action;
      throw toolErrors.NAME_TAKEN({ tool, taken_by: 'another internal tool' });
    }
    for (const tool of before) {
      internals.delete(tool.action);
      tool.release();
    }
    for (const [name, tool] of next) internals.set(name, tool);
  };

  const replace = { internal: swapInternal, listed: swap };

  return {
    get generation(): number {
      return generation;
    },
    publish(owner: string, entries: readonly ToolEntry[], options: PublishOptions): Disposer {
      const internal = options.source === 'internal';
      // Internal and listed tools of one owner are separate sets.
      const kind = internal ? 'internal' : 'listed';
      const key = `${kind}:${owner}`;
      const before = owners.get(key) ?? [];
      const records = entries.map(entry => definitions.record(owner, entry, options));
      const planned = groups.plan(
        owner,
        options.skill_name,
        options.groups ?? [],
        records.map(each => each.group),
      );
      const after = records.map((record, at) =>
        registered(record, planned.get(record.group), schemas, guard, entries[at]?.inHost),
      );
      replace[kind](before, after);
      // Kept even when empty: the disposer recognises its own set by identity.
      owners.set(key, after);
      if (!internal) {
        groups.commit(owner, planned);
        touch();
      }
      return () => {
        if (owners.get(key) !== after) return;
        replace[kind](after, []);
        owners.delete(key);
        if (internal) return;
        groups.commit(owner, undefined);
        touch();
      };
    },
    /** By published or full name; `internal` tools only when asked for. */
    resolve: (name: string, internal = false): RegisteredTool | undefined =>
      published.get(name) ?? names.byAnyFull(name) ?? (internal ? internals.get(name) : undefined),
    /** Every tool but internal ones, in list order. */
    list(): readonly RegisteredTool[] {
      ordered ??= [...published.values()].sort((a, b) => compareTools(a.record, b.record));
      return ordered;
    },
    setHandler(name: string, handler: ToolHandler, source: ToolSource): Disposer {
      const own = { handler, source };
      const apply = (): void => {
        const tool = published.get(name) ?? names.byFull(name);
        if (tool) attach(tool);
      };
      attached.set(name, own);
      apply();
      return () => {
        if (attached.get(name) !== own) return;
        attached.delete(name);
        apply();
      };
    },
    hasHandler: (name: string): boolean =>
      attached.has(name) || (published.get(name) ?? names.byFull(name))?.handler !== undefined,
    /** Marks the published list as changed; `silent` keeps that from clients. */
    touch,
  };
}

function registered(
  record: ToolRecord,
  group: GroupState | undefined,
  schemas: Schemas,
  guard: ToolTableDeps['guard'],
  inHost: ToolEntry['inHost'],
): RegisteredTool {
  const { owner, action, skill_name: skill, input_schema, output_schema } = record;
  const input = schemaCheck(record, 'input_schema', input_schema, schemas, guard);
  const output = output_schema && schemaCheck(record, 'output_schema', output_schema, schemas, guard);

  return {
    owner,
    action,
    skill,
    full: skill === undefined ? undefined : `${skill}__${action}`,
    record,
    group,
    handler: record.handler,
    handlerSource: record.source,
    inHost,
    checkInput: input.check,
    checkOutput: value => output?.check(value),
    get outputApart() {
      return output?.apart === true;
    },
    release() {
      input.release();
      output?.release();
    },
  };
}
