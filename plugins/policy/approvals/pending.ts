/** What waits to be accepted, and its acceptance, by whichever door: a running server's or the command line's. */
import { fingerprintOfAll } from '../../../schemas/tool-fingerprint.ts';
import { approvalErrors } from './errors.ts';
import type { ApprovalStore, SaidOfTool, StoredApproval, SubjectKind } from './store.ts';

/** Something that waits to be accepted. */
export interface PendingApproval {
  readonly kind: SubjectKind;
  readonly key: string;
  readonly name: string;
  /** Of all that it says now: who accepts this one accepts nothing later. */
  readonly fingerprint: string;
  /** RFC 3339. */
  readonly since: string;
  readonly quarantined: boolean;
  readonly changes: readonly {
    readonly tool: string;
    readonly change: 'added' | 'changed';
    readonly fingerprint: string;
    readonly description: string;
    readonly approved_fingerprint: string | null;
    readonly approved_description: string | null;
  }[];
}

type Tools = Readonly<Record<string, SaidOfTool>>;

const knownOf = (tools: Tools, name: string): SaidOfTool | undefined =>
  Object.hasOwn(tools, name) ? tools[name] : undefined;

/** Names of the tools that are new or say something else; what has gone is no danger. */
export const changesIn = (approved: Tools, now: Tools): string[] =>
  Object.keys(now).filter(name => {
    const [before, after] = [knownOf(approved, name), now[name]];
    return before?.fingerprint !== after?.fingerprint || before?.hints !== after?.hints;
  });

/** Of all that is said. */
export const fingerprintOf = (tools: Tools): string =>
  fingerprintOfAll(
    Object.fromEntries(
      Object.entries(tools).map(([name, { fingerprint, hints }]) => [name, fingerprint + (hints ?? '')]),
    ),
  );

export async function pendingIn(store: Pick<ApprovalStore, 'list'>, strict: boolean): Promise<PendingApproval[]> {
  const found = (await store.list()).flatMap(each => waiting(each, strict) ?? []);
  return found.sort((a, b) => (a.since < b.since ? -1 : 1));
}

function waiting(
  { kind, key, name, approved, pending }: StoredApproval,
  quarantined: boolean,
): PendingApproval | undefined {
  if (!pending) return undefined;
  const changes = changesIn(approved.tools, pending.tools).map(tool => {
    const [before, now] = [knownOf(approved.tools, tool), knownOf(pending.tools, tool)];
    return {
      tool,
      change: before ? ('changed' as const) : ('added' as const),
      ...{ fingerprint: now?.fingerprint ?? '', description: now?.description ?? '' },
      ...{ approved_fingerprint: before?.fingerprint ?? null, approved_description: before?.description ?? null },
    };
  });
  return { kind, key, name, fingerprint: fingerprintOf(pending.tools), since: pending.at, quarantined, changes };
}

/** Throws SVC_APPROVALS_NOTHING_WAITS, _SEVERAL, or _CHANGED_AGAIN when `fingerprint` is not that of what waits. */
export async function acceptPending(
  store: ApprovalStore,
  { name, fingerprint }: { name: string; fingerprint?: string | undefined },
  at: string,
): Promise<PendingApproval> {
  const all = await pendingIn(store, false);
  const meant = all.filter(each => each.key === name || each.name === name);
  const [only] = meant;
  if (!only) {
    const names = all.map(each => each.name).join(', ');
    throw approvalErrors.NOTHING_WAITS({
      name: name.slice(0, 200),
      waiting: names ? `what waits is ${names}` : 'nothing does',
    });
  }
  if (meant.length > 1) {
    throw approvalErrors.SEVERAL({ name, count: meant.length, shown: meant.map(each => each.key).join(', ') });
  }
  if (fingerprint !== undefined && fingerprint !== only.fingerprint) {
    throw approvalErrors.CHANGED_AGAIN({ name, fingerprint: only.fingerprint });
  }
  const stored = await store.get(only.kind, only.key);
  if (!stored?.pending || fingerprintOf(stored.pending.tools) !== only.fingerprint) {
    throw approvalErrors.CHANGED_AGAIN({
      name,
      fingerprint: stored?.pending ? fingerprintOf(stored.pending.tools) : '',
    });
  }
  // A tool that has gone stays approved as it was.
  const tools = { ...stored.approved.tools, ...stored.pending.tools };
  await store.put({ ...stored, by: 'accepted', approved: { at, tools }, pending: null });
  return only;
}
