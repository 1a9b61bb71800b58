/** What a finding says in an issue: a title, a body that anybody may read, and the words by which others are found. Pure. */
import type { Finding } from '../../../schemas/finding.ts';
import { publicText } from '../../../schemas/redaction.ts';

/** Unicode scalar values of a body. */
export const mostBody = 65_536;
/** Characters that a tracker takes in a title. */
const mostTitle = 256;

export interface IssueText {
  title: string;
  body: string;
}

const subjectOf = ({ tool_slug, evidence }: Finding): string => tool_slug ?? evidence.error_kind ?? '';

/** `names` are words that may not be in it. */
export function issueText(finding: Finding, names: readonly string[]): IssueText {
  const clean = (text: string): string => publicText(text, names);
  const { dcc_type, phase, fingerprint, repro } = finding;
  // Cleaned first: what stands in columns is known by the spaces between them.
  const oneLine = clean(`agent report: ${dcc_type} ${phase} ${subjectOf(finding)}`).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  const { severity, adapter, adapter_version, core_version, host_version, os } = finding;
  const fields = { fingerprint, dcc_type, adapter, adapter_version, core_version, host_version, os, phase, severity };
  const rows = Object.entries({ ...fields, subject: subjectOf(finding) }).map(
    ([name, value]) => `| ${name} | ${cell(clean(value))} |`,
  );
  const section = (name: string, text: string): string[] => ['', `## ${name}`, '', ...verbatim(clean(text))];
  const steps = (repro.steps ?? []).map((each, index) => `${index + 1}. ${each}`);
  return {
    title: [...oneLine].slice(0, mostTitle).join(''),
    body: [
      `<!-- finding ${fingerprint} -->`,
      ...['', '| field | value |', '| --- | --- |', ...rows],
      ...section('Intent', finding.intent),
      ...section('Observed', finding.observed),
      ...section('Expected', finding.expected),
      ...section('Reproduction', repro.argv ? repro.argv.join('\n') : steps.join('\n')),
      '',
    ].join('\n'),
  };
}

const cell = (text: string): string =>
  `\`${text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('`', "'")
    .replaceAll('|', String.raw`\|`)}\``;

/** As it was written: nobody is mentioned by it, nothing linked or hidden, and no heading made. */
function verbatim(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, text.replaceAll(/(?![\n\t])\p{Cc}/gu, ''), fence];
}

/** The words of a title, in quotes, so that none is taken for an operator of the search. */
export const keywordsOf = (finding: Finding): string[] =>
  [finding.dcc_type, finding.phase, subjectOf(finding)].map(each => `"${each.replaceAll(/["\\:/]/g, '_')}"`);
