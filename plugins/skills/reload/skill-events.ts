/** The skill events and their attributes (specification: Built-in events), and the veto that may follow the first. */
import {
  type Bus,
  type EventInput,
  type EventRecord,
  type Hooks,
  toSvcError,
  vetoError,
} from '../../../kernel/index.ts';
import { type Asked, correlationOf, isThroughGateway } from '../../../schemas/asked-by.ts';
import { hookAnswer } from '../../../schemas/hook-answer.ts';
import { failureAttributes } from '../../../schemas/tool-event.ts';
import type { SkillDiagnostic } from '../catalog/summaries.ts';
import type { SkillPackage } from '../packages/manifest.ts';

export interface SkillEventsDeps {
  bus: Bus;
  hooks: Hooks;
  dccType: string | null;
  /** A hook that has not answered by then counts as a veto. */
  hookTimeoutMs: number;
}

interface Extra {
  registered?: readonly string[] | undefined;
  reload?: boolean | undefined;
}

export type SkillEvents = ReturnType<typeof createSkillEvents>;

export function createSkillEvents({ bus, hooks, dccType, hookTimeoutMs }: SkillEventsDeps) {
  const own = dccType === null ? {} : { dcc_type: dccType };
  const viaGateway = { ...own, via: 'gateway' };
  let source: typeof own = own;
  let correlation: EventRecord = {};

  const input = <A>(values: A): EventInput<A> => ({ source, correlation: { ...correlation }, attributes: values });

  const attributes = (found: SkillPackage, { registered, reload }: Extra) => ({
    skill_name: found.name,
    dcc_type: found.manifest.dcc,
    version: found.manifest.version,
    skill_path: found.directory,
    declared_tool_count: found.manifest.tools.length,
    fingerprint: found.manifest.review.fingerprint,
    ...(registered && { registered_tool_count: registered.length, registered_tools: [...registered] }),
    ...(reload && { reload }),
  });

  return {
    /** What `work` tells was asked for by this call; a gateway that it came through tells of it too. No other load runs meanwhile. */
    async askedBy<T>(call: Asked, work: () => Promise<T>): Promise<T> {
      source = isThroughGateway(call) ? viaGateway : own;
      correlation = correlationOf(call);
      try {
        return await work();
      } finally {
        source = own;
        correlation = {};
      }
    },
    filesChanged: (name: string) => bus.emit('internal.skill.files_changed', input({ skill_name: name })),
    /** Announces a load and asks the hooks; throws EVENT_VETOED. */
    async loading(found: SkillPackage, extra: Extra = {}): Promise<void> {
      const event = bus.emit('skill.loading', input(attributes(found, extra)));
      if (!hooks.guards('skill.loading')) return;
      const veto = await hookAnswer(hooks, event, hookTimeoutMs);
      if (veto) throw vetoError('skill.loading', veto);
    },
    loaded: (found: SkillPackage, extra: Extra) => bus.emit('skill.loaded', input(attributes(found, extra))),
    unloaded: (found: SkillPackage, registered: readonly string[]) =>
      bus.emit('skill.unloaded', input(attributes(found, { registered }))),
    /** Reports a failed load and returns what is kept of it. */
    failed(name: string, found: SkillPackage | undefined, error: unknown, extra: Extra = {}): SkillDiagnostic {
      const { code, message, details } = toSvcError(error);
      const diagnostic = {
        error_kind: code.replace(/^SVC_(SKILLS_)?/, '').toLowerCase(),
        error_message: message,
      };
      const known = found ? attributes(found, extra) : { skill_name: name };
      const failure = failureAttributes(diagnostic.error_kind, message, details);
      bus.emit('skill.validation_failed', input({ ...known, ...failure }));
      return diagnostic;
    },
  };
}
