/** A plan, or what was filed, for people. */
import { columns, plain } from '../../columns.ts';
import type { Filing } from './plan.ts';

export function filingText(filing: Filing, issues_url: string): string {
  const { status, issue, dedup, next_step, review_options: options, repo } = filing;
  if (issue) return `${status === 'created' ? 'Made' : 'Commented'} ${issue.url}`;
  const rows = [
    ...dedup.exact.map(each => ['same', each] as const),
    ...dedup.keyword.map(each => ['similar', each] as const),
  ];
  const found = rows.map(([kind, each]) => [String(each.number), kind, plain(each.title)]);
  const listed = found.length > 0 ? [columns([['ISSUE', 'FINDING', 'TITLE'], ...found])] : [];
  const more = dedup.keyword_truncated ? ['There are more that are similar.'] : [];
  const next = next_step
    ? ['To do that:', `  ${lineOf(next_step.argv)}`]
    : ['Look at them, and choose one:', ...options.map(each => `  ${lineOf(each.argv)}`)];
  const what = next_step ? (dedup.exact.length > 0 ? 'commented' : 'made') : undefined;
  return [
    what ? `An issue of ${repo} would be ${what} (${issues_url}).` : `Somebody has to look (${issues_url}).`,
    ...[...listed, ...more, ...next],
  ].join('\n');
}

/** As a shell takes it. */
const lineOf = (argv: readonly string[]): string =>
  argv.map(each => (/^[\w@%+=:,./-]+$/.test(each) ? each : `'${each.replaceAll("'", String.raw`'\''`)}'`)).join(' ');
