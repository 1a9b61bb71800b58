/** Files a finding as it was authorised: everything is looked at again just before, and what has changed stops it. */
import { cliErrors } from '../../errors.ts';
import type { Ledger, Written } from './ledger.ts';
import { type Candidate, candidateOf, type Decision, type Filing, findExact, textOf } from './plan.ts';
import { assertBound, type Binding, type Snapshot } from './snapshot.ts';
import type { Issue, Tracker } from './tracker.ts';

export interface WriteDeps {
  /** As the authorisation names it. */
  authorised: Binding;
  decision: Decision;
  /** Reads everything again. */
  snapshot(): Promise<Snapshot>;
  tracker: Tracker;
  ledger: Ledger;
  /** Words that may not be in what is written. */
  names: readonly string[];
}

/** Rejects with SVC_CLI_FILING_*, SVC_CLI_TRACKER_* or what is wrong with the files. */
export async function writeFiling(deps: WriteDeps): Promise<Filing> {
  const { authorised, decision, snapshot, tracker, ledger, names } = deps;
  assertBound((await snapshot()).binding, authorised);
  return ledger.alone(async () => {
    const { repo, fingerprint, finding_sha256 } = authorised;
    const entry: Written = { decision: String(decision), finding_sha256 };
    await ledger.assertNew(entry);
    const selected = decision === 'create' ? undefined : await tracker.view(decision);
    if (selected && !selected.open) throw cliErrors.FILING_CLOSED({ issue: selected.number });
    const exact = await findExact(tracker, ledger, authorised);
    assertUnraced(exact, decision);
    if (exact.length === 0) await ledger.assertSure();
    const again = await snapshot();
    assertBound(again.binding, authorised);
    const { title, body } = textOf(again, names);
    const written = await ledger.record(entry, () =>
      selected ? tracker.comment(selected.number, body) : tracker.create(title, body),
    );
    const issue: Candidate = {
      number: written.number,
      title: selected?.title ?? title,
      url: selected?.url ?? written.url,
    };
    return {
      ...({ schema_version: 'dcc-mcp.feedback-file.v1', authorized: true } as const),
      status: selected ? 'commented' : 'created',
      ...{ repo, fingerprint },
      recommendation: selected ? { action: 'comment_existing', issue_number: selected.number } : { action: 'create' },
      dedup: { exact: exact.map(candidateOf), keyword: [], keyword_truncated: false },
      ...{ review_options: [], issue },
    };
  });
}

/** Throws SVC_CLI_FILING_RACED when somebody has reported the same, elsewhere than was decided. */
function assertUnraced(exact: readonly Issue[], decision: Decision): void {
  const others = exact.filter(each => each.number !== decision);
  if (others.length > 0) throw cliErrors.FILING_RACED({ issues: others.map(each => each.url).join(', ') });
}
