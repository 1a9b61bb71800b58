/** What one row of the plan came to: scenarios and checks counted, and a line for everything that went wrong. */
import type { Row } from './plan.ts';
import { impossible, skippedBySuite } from './scenarios.ts';
import type { Outcome, SuiteRun } from './suite.ts';

export interface Verdict {
  what: string;
  passed: number;
  failed: number;
  checksPassed: number;
  checksFailed: number;
  /** Scenarios that cannot pass, with the reason. */
  excused: string[];
  /** `scenario: check: message` of every failure. */
  problems: string[];
}

/** `runs`: one, or one per scenario of the row. */
export function judge(row: Row, runs: readonly SuiteRun[]): Verdict {
  const verdict: Verdict = {
    what: row.what,
    passed: 0,
    failed: 0,
    checksPassed: 0,
    checksFailed: 0,
    excused: [],
    problems: [],
  };
  const outcomes = runs.flatMap(each => each.outcomes);
  for (const outcome of outcomes) add(verdict, row, outcome);
  for (const scenario of row.scenarios ?? []) {
    if (outcomes.some(each => each.scenario === scenario)) continue;
    verdict.failed += 1;
    verdict.problems.push(`${scenario}: the suite did not run it`);
  }
  // What the suite counts as failed and is not counted here: it would be lost otherwise.
  const uncounted = runs.filter(each => each.code !== 0);
  if (uncounted.length > 0 && verdict.failed + verdict.excused.length === 0) {
    verdict.failed += 1;
    verdict.problems.push(`the suite ended with ${uncounted[0]?.code}: ${uncounted[0]?.output.slice(-400)}`);
  }
  if (outcomes.length === 0 && verdict.failed === 0) {
    verdict.failed += 1;
    verdict.problems.push('the suite ran nothing');
  }
  return verdict;
}

function add(verdict: Verdict, row: Row, { scenario, checks }: Outcome): void {
  const bad = checks.filter(each => each.status === 'FAILURE' || (row.strict === true && each.status === 'WARNING'));
  const reason = impossible.find(each => each.row.test(row.what) && each.scenario === scenario)?.reason;
  if (bad.length > 0 && reason !== undefined) {
    verdict.excused.push(`${scenario}: ${reason}`);
    return;
  }
  const lines = bad.map(each => `${scenario}: ${each.id}: ${each.errorMessage ?? each.status}`);
  // A scenario that was asked for by name and that the suite skips whole shows that something is not declared.
  if (
    row.scenarios !== undefined &&
    !skippedBySuite.includes(scenario) &&
    checks.every(each => each.status === 'SKIPPED')
  ) {
    lines.push(`${scenario}: skipped: ${checks[0]?.errorMessage ?? 'no check was made'}`);
  }
  verdict.checksPassed += checks.filter(each => each.status === 'SUCCESS').length;
  verdict.checksFailed += bad.length;
  verdict[lines.length > 0 ? 'failed' : 'passed'] += 1;
  verdict.problems.push(...lines);
}
