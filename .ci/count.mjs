/**
 * `node .ci/count.mjs <folder> <status> <run>...`: reads the report of the tests (`report.json`) and the counts of each run
 * (`<run>.json`) in the folder. Prints each failure again, by its name, since what was printed of it is far above; then one
 * line, "N passed, N failed". Ends with 1 when something failed, or when `status`, the worst exit code seen, is not 0.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder, status, ...runs] = process.argv.slice(2);

/** Characters told of one failure. */
const longest = 2000;

function read(name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch {
    // The run broke off before it wrote it.
  }
}

/** `passed`, `failed` and `failures` of vitest's report. */
function tests(report) {
  // Lint, types and the build come before the tests: when one of them fails there is no report, and that is one failure.
  if (report === undefined) return { passed: 0, failed: 1, failures: ['lint, types, the build or vitest broke off'] };
  const failures = [];
  let files = 0;
  for (const { name, message, status, assertionResults } of report.testResults) {
    const file = relative(process.cwd(), name);
    for (const each of assertionResults) {
      if (each.status === 'failed') failures.push(`${file}: ${each.fullName}\n${each.failureMessages.join('\n')}`);
    }
    // A file that cannot be loaded has no test that could fail.
    if (status === 'failed' && assertionResults.length === 0) {
      files += 1;
      failures.push(`${file}: ${message}`);
    }
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests + files, failures };
}

const total = tests(read('report'));
for (const name of runs) {
  const counts = read(name) ?? { passed: 0, failed: 1, failures: ['broke off'] };
  total.passed += counts.passed;
  total.failed += counts.failed;
  total.failures.push(...counts.failures.map(each => `${name}: ${each}`));
}
if (Number(status) !== 0 && total.failed === 0) {
  total.failed = 1;
  total.failures.push(`something ended with ${status}, and no failure was counted`);
}
for (const each of total.failures)
  console.log(`FAILED ${each.length > longest ? `${each.slice(0, longest)} ...` : each}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
