/** What to do with a finding in the tracker: who else has reported it is looked for, and nothing is written. */
import { cliErrors } from '../../errors.ts';
import { issueText, keywordsOf, mostBody } from './issue-text.ts';
import type { Ledger } from './ledger.ts';
import { type Binding, bindingNames, type Snapshot } from './snapshot.ts';
import type { Issue, Tracker } from './tracker.ts';

export type Candidate = Pick<Issue, 'number' | 'title' | 'url'>;

export interface Step {
  argv: string[];
}

export interface Dedup {
  exact: Candidate[];
  keyword: Candidate[];
  keyword_truncated: boolean;
}

export interface Filing {
  schema_version: 'dcc-mcp.feedback-file.v1';
  authorized: boolean;
  status: 'planned' | 'commented' | 'created';
  repo: string;
  fingerprint: string;
  recommendation:
    | { action: 'comment_existing'; issue_number: number }
    | { action: 'create' }
    | { action: 'review_required' };
  dedup: Dedup;
  /** To be executed exactly as it is. */
  next_step?: Step;
  /** Of which a person chooses one. */
  review_options: Step[];
  /** What was written to. */
  issue?: Candidate;
}

export type Decision = 'create' | number;

/** One more than may be found says that there are more. */
const most = { exact: 20, keyword: 10 };

export const candidateOf = ({ number, title, url }: Issue): Candidate => ({ number, title, url });

/** Open issues that bear the fingerprint: those that the search finds, and those that this user has written to before. */
export async function findExact(tracker: Tracker, ledger: Ledger, { fingerprint }: Binding): Promise<Issue[]> {
  const found = await tracker.search([`"${fingerprint.replace('sha256:', '')}"`], 'title,body', most.exact + 1);
  if (found.length > most.exact) throw cliErrors.TRACKER_TRUNCATED({ most: most.exact, fingerprint });
  const known = (await ledger.issues()).filter(each => !found.some(one => one.number === each));
  const viewed = await Promise.all(known.map(each => tracker.find(each)));
  const bears = (issue: Issue | undefined): issue is Issue =>
    issue?.open === true && (issue.title.includes(fingerprint) || issue.body.includes(fingerprint));
  return [...found, ...viewed].filter(bears);
}

/** The text of the issue or comment; rejects with SVC_CLI_BODY_TOO_LARGE. */
export function textOf({ finding }: Snapshot, names: readonly string[]) {
  const text = issueText(finding, names);
  const length = [...text.body].length;
  if (length > mostBody) throw cliErrors.BODY_TOO_LARGE({ length, most: mostBody });
  return text;
}

export async function planFiling(snapshot: Snapshot, tracker: Tracker, ledger: Ledger): Promise<Filing> {
  const { binding, finding } = snapshot;
  const exact = await findExact(tracker, ledger, binding);
  if (exact.length === 0) await ledger.assertSure();
  const similar = exact.length > 0 ? [] : await tracker.search(keywordsOf(finding), 'title', most.keyword + 1);
  const keyword = similar.slice(0, most.keyword).map(candidateOf);
  const dedup = { exact: exact.map(candidateOf), keyword, keyword_truncated: similar.length > most.keyword };
  const recommendation = recommend(dedup);
  const step = (decision: Decision): Step => ({ argv: argvOf(snapshot, decision) });
  const candidates = [...dedup.exact, ...keyword].map(each => step(each.number));
  const { repo, fingerprint } = binding;
  return {
    ...({ schema_version: 'dcc-mcp.feedback-file.v1', authorized: false, status: 'planned' } as const),
    ...{ repo, fingerprint, recommendation, dedup },
    ...(recommendation.action !== 'review_required' && {
      next_step: step(recommendation.action === 'create' ? 'create' : recommendation.issue_number),
    }),
    review_options:
      recommendation.action === 'review_required'
        ? [...candidates, ...(exact.length === 0 ? [step('create')] : [])]
        : [],
  };
}

export function recommend({ exact, keyword }: Dedup): Filing['recommendation'] {
  const [only, another] = exact;
  if (only && !another) return { action: 'comment_existing', issue_number: only.number };
  return { action: exact.length + keyword.length === 0 ? 'create' : 'review_required' };
}

/** The command line that files it so, and nothing else. */
function argvOf({ binding, catalog }: Snapshot, decision: Decision): string[] {
  const expected = bindingNames.flatMap(name => [`--expected-${name.replaceAll('_', '-')}`, binding[name]]);
  return [
    ...['svc-cli', 'feedback', 'file', binding.finding_path, ...catalog],
    ...(decision === 'create' ? ['--create'] : ['--existing', String(decision)]),
    ...[...expected, '--yes', '--json'],
  ];
}
