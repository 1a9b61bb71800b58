/** The tools service: table, groups, list, call pipeline, search, put together. It knows no Fastify and no transport. */
import type { Kernel, Logger } from '../../kernel/index.ts';
import type { TracingService } from '../telemetry/tracing/api.ts';
import type { Admission, ReceiptForm, SkillCandidate, ToolStub, ToolsService } from './api.ts';
import { builtinTools } from './builtins.ts';
import type { Settings } from './config.ts';
import { toolErrors } from './errors.ts';
import { createGroups } from './groups.ts';
import { forwardedCall, lazyEntries } from './lazy.ts';
import { createListing } from './listing.ts';
import { createPipeline } from './pipeline.ts';
import { objectEncoder } from './result.ts';
import { createSchemaGuard } from './schema-guard.ts';
import { createToolSearch, type SearchDeps } from './search.ts';
import { createToolTable } from './tool-table.ts';

export interface ToolsDeps {
  kernel: Pick<Kernel, 'bus' | 'hooks' | 'ids' | 'config' | 'schemas'>;
  settings: Settings;
  log: Logger;
  tracing: TracingService | undefined;
  engine: SearchDeps['engine'];
  /** Tells every client that the list changed; called at most once a tick. */
  announce(): void;
}

export function createTools({ kernel, settings, log, tracing, engine, announce }: ToolsDeps) {
  const stubSources = new Set<() => readonly ToolStub[]>();
  const candidateSources = new Set<() => readonly SkillCandidate[]>();
  let pending: NodeJS.Immediate | undefined;
  let admitting: Admission | undefined;
  let receipt: ReceiptForm | undefined;
  let closed = false;

  const announceSoon = (): void => {
    if (closed) return;
    pending ??= setImmediate(() => {
      pending = undefined;
      announce();
    });
    pending.unref();
  };

  const groups = createGroups();
  const guard = createSchemaGuard();
  const table = createToolTable({
    schemas: kernel.schemas,
    guard,
    groups,
    bareNames: settings.bare_tool_names,
    onChange: announceSoon,
  });
  const listing = createListing({
    table,
    groups,
    stubSources,
    pageSize: settings.tools_page_size,
    cached: settings.enable_tool_cache,
    lazy: settings.lazy_actions,
    receipt: () => receipt,
  });
  const candidates = () => [...candidateSources].flatMap(each => [...each()]);
  const pipeline = createPipeline({ kernel, settings, log, tracing, table, candidates });

  const switchGroup = (group: string, skill: string | undefined, active: boolean) => {
    const changed = groups.setActive(group, skill, active);
    if (changed) table.touch();
    return { changed, active_groups: groups.activeNames() };
  };

  const service: ToolsService = {
    get generation() {
      return table.generation;
    },
    publish: table.publish,
    get: name => table.resolve(name)?.record,
    list: () => table.list().map(each => each.record),
    setHandler: (name, handler, from = 'host') => table.setHandler(name, handler, from),
    hasHandler: table.hasHandler,
    call: async input => pipeline.run(input, objectEncoder),
    activateGroup: (group, skill) => switchGroup(group, skill, true),
    deactivateGroup: (group, skill) => switchGroup(group, skill, false),
    addStubs(source) {
      stubSources.add(source);
      table.touch();
      return () => {
        if (stubSources.delete(source)) table.touch();
      };
    },
    addCandidates(source) {
      candidateSources.add(source);
      return () => void candidateSources.delete(source);
    },
    setAdmission(admission, form) {
      admitting = admission;
      receipt = form;
      table.touch(true);
      pipeline.setAdmission(admission);
      return () => {
        if (admitting !== admission) return;
        pipeline.setAdmission(undefined);
        receipt = undefined;
      };
    },
    setResultObserver(observer) {
      pipeline.setResultObserver(observer);
      return () => pipeline.setResultObserver(undefined);
    },
    get inFlight() {
      return pipeline.inFlight;
    },
    onWork(listener) {
      pipeline.setWorkListener(listener);
      return () => pipeline.setWorkListener(undefined);
    },
    missingArgument(tool, field) {
      const reason = `"${field}" is required`;
      return toolErrors.INVALID_ARGUMENTS({ tool, reason, problems: [{ field, message: reason }] });
    },
    changed({ silent = false } = {}) {
      table.touch(silent);
    },
  };

  const known = { tools: table.list, stubs: listing.stubs, candidates };
  const search = createToolSearch({ ...known, dccType: settings.dcc_type, engine });
  const builtins = builtinTools({ service, search, requestTimeoutMs: kernel.config.request_timeout_ms });
  const lazy = settings.lazy_actions ? lazyEntries({ table, candidates }, settings.dcc_type) : [];
  table.publish('builtin:tools', [...builtins, ...lazy], { source: 'builtin' });
  if (settings.lazy_actions) pipeline.forward('call_action', forwardedCall);

  return {
    service,
    listing,
    pipeline,
    /** Gives up calls in flight and forgets a pending list_changed. */
    close(): Promise<void> {
      closed = true;
      clearImmediate(pending);
      pipeline.close('the server is shutting down');
      return guard.close();
    },
  };
}
