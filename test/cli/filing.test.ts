/** Filing a finding, against the stand-in for `gh` as a real program: what is planned, what is written, and what stops it. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { describeFailure } from '../../cli/exit-codes.ts';
import { createLedger } from '../../cli/svc-cli/filing/ledger.ts';
import { type Decision, planFiling } from '../../cli/svc-cli/filing/plan.ts';
import { type Snapshot, takeSnapshot } from '../../cli/svc-cli/filing/snapshot.ts';
import { createTracker } from '../../cli/svc-cli/filing/tracker.ts';
import { createTrackerProgram } from '../../cli/svc-cli/filing/tracker-program.ts';
import { writeFiling } from '../../cli/svc-cli/filing/write.ts';
import { waitFor } from '../helper.ts';
import { reviewed } from '../plugins/feedback/support.ts';
import { trackedRepo, trackerWith } from '../tracker.ts';

const { fingerprint } = reviewed;
const exact = (number: number) => ({ number, title: `seen ${number}`, body: `x ${fingerprint} y` });
const similar = (number: number) => ({ number, title: 'maya dispatch: maya.ab12cd34.make_sphere again' });

afterEach(() => vi.unstubAllEnvs());

/** A finding in a file and a tracker; `plan`, and `write` as it was planned first. */
async function desk(...given: Parameters<typeof trackerWith>) {
  const tracked = await trackerWith(...given);
  vi.stubEnv('XDG_STATE_HOME', tracked.env.XDG_STATE_HOME);
  const [file, catalog] = [join(tracked.folder, 'finding.json'), join(tracked.folder, 'catalog.yml')];
  await writeFile(file, JSON.stringify(reviewed));
  await writeFile(
    catalog,
    `entries:\n  - { name: dcc-mcp-maya, issues_url: 'https://github.com/${trackedRepo}/issues' }\n`,
  );
  const stop = new AbortController();
  const options = { env: tracked.env as NodeJS.ProcessEnv, signal: stop.signal, timeoutMs: 10_000 };
  const ledger = createLedger({ repo: trackedRepo, fingerprint });
  const snapshot = () => takeSnapshot(file, catalog);
  const tracker = () => createTracker(trackedRepo, createTrackerProgram(options));
  const plan = async () => planFiling(await snapshot(), tracker(), ledger);
  const write = (decision: Decision, authorised: Snapshot, take = snapshot) =>
    writeFiling({
      ...{ authorised: authorised.binding, decision, snapshot: take, ledger },
      tracker: tracker(),
      names: ['ada'],
    });
  const before = await tracked.issues();
  /** How it is refused, with nothing written. */
  const refusal = async (work: Promise<unknown>) => {
    const failure = describeFailure(
      await work.then(
        () => 'done',
        (error: unknown) => error,
      ),
    );
    expect([await tracked.issues(), await tracked.comments()], failure.message).toEqual([before, []]);
    return [failure.exit_code, failure.details?.code, failure.message];
  };
  return { ...tracked, file, catalog, options, stop, snapshot, plan, write, refusal, ledger };
}

test('nobody has reported it: it is planned to be made, then made, as the public may read it', async () => {
  const { plan, write, snapshot, issues, calls, file, catalog } = await desk([
    { number: 7 },
    { number: 8, pull: true },
  ]);
  const planned = await plan();
  const { binding } = await snapshot();
  expect(planned).toEqual({
    ...{
      schema_version: 'dcc-mcp.feedback-file.v1',
      authorized: false,
      status: 'planned',
      repo: trackedRepo,
      fingerprint,
    },
    ...{ recommendation: { action: 'create' }, dedup: { exact: [], keyword: [], keyword_truncated: false } },
    next_step: {
      argv: [
        ...['svc-cli', 'feedback', 'file', file, '--catalog', catalog, '--create', '--expected-finding-path', file],
        ...['--expected-finding-sha256', expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
        ...['--expected-fingerprint', fingerprint, '--expected-repo', trackedRepo, '--expected-catalog-path', catalog],
        ...['--expected-catalog-sha256', binding.catalog_sha256, '--yes', '--json'],
      ],
    },
    review_options: [],
  });
  const made = await write('create', await snapshot());
  const issue = { number: 9, title: 'agent report: maya dispatch maya.ab12cd34.make_sphere' };
  const url = `https://github.com/${trackedRepo}/issues/9`;
  expect(made).toMatchObject({ authorized: true, status: 'created', issue: { ...issue, url } });
  expect((await issues()).at(-1)).toMatchObject({ ...issue, body: expect.stringContaining(fingerprint) });
  const asked = await calls();
  expect(asked.map(each => each.argv.slice(0, 2).join(' '))).toEqual([
    ...['search issues', 'search issues', 'search issues', 'issue create'],
  ]);
  for (const each of asked) expect(each.env).toEqual({ GH_HOST: 'github.com', GH_PROMPT_DISABLED: '1', NO_COLOR: '1' });
  const [first, second] = asked.map(each => each.argv);
  const fields = ['--json', 'number,title,url,body,state', '--match'];
  expect(first).toEqual([
    ...['search', 'issues', `"${fingerprint.slice(7)}"`, '--repo', trackedRepo, '--state', 'open', '--limit', '21'],
    ...[...fields, 'title,body'],
  ]);
  expect(second?.slice(-5)).toEqual(['--limit', '11', ...fields.slice(0, 2), '--match', 'title'].slice(-5));
});

test('one has: it is commented, once and only once; what was made is known before a search finds it', async () => {
  const { plan, write, snapshot, comments, refusal, mode, issues } = await desk([
    exact(3),
    { number: 4, body: fingerprint.slice(7) },
  ]);
  expect(await plan()).toMatchObject({
    recommendation: { action: 'comment_existing', issue_number: 3 },
    review_options: [],
  });
  const authorised = await snapshot();
  expect(await refusal(write('create', authorised))).toEqual([
    7,
    'SVC_CLI_FILING_RACED',
    expect.stringContaining('/issues/3'),
  ]);
  expect(await write(3, authorised)).toMatchObject({ status: 'commented', issue: { number: 3, title: 'seen 3' } });
  await expect(write(3, authorised)).rejects.toMatchObject({ code: 'SVC_CLI_FILED_ALREADY' });
  expect(await comments()).toHaveLength(1);

  const late = await desk();
  await late.mode({ index_lag_ms: 60_000 });
  await late.write('create', await late.snapshot());
  await expect(late.write('create', await late.snapshot())).rejects.toMatchObject({ code: 'SVC_CLI_FILED_ALREADY' });
  // Another finding of the same kind.
  await writeFile(late.file, JSON.stringify({ ...reviewed, observed: 'again' }));
  await expect(late.write('create', await late.snapshot())).rejects.toMatchObject({ code: 'SVC_CLI_FILING_RACED' });
  expect(await late.plan()).toMatchObject({ recommendation: { action: 'comment_existing', issue_number: 1 } });
  expect([await late.issues(), await issues()].map(each => each.length)).toEqual([1, 2]);
  await mode({});
});

test('what is only similar, more than one, or too much is for a person', async () => {
  const near = await desk([similar(1), similar(2)]);
  const { next_step, review_options, recommendation, dedup } = await near.plan();
  expect([next_step, recommendation, dedup.keyword_truncated]).toEqual([
    undefined,
    { action: 'review_required' },
    false,
  ]);
  expect(review_options.map(each => each.argv.slice(6, 8))).toEqual([
    ...[
      ['--existing', '2'],
      ['--existing', '1'],
    ],
    ['--create', '--expected-finding-path'],
  ]);
  expect(await near.write(2, await near.snapshot())).toMatchObject({ status: 'commented' });

  const many = await desk(Array.from({ length: 12 }, (_, n) => similar(n + 1)));
  expect((await many.plan()).dedup).toMatchObject({ keyword: { length: 10 }, keyword_truncated: true });

  const two = await desk([exact(5), exact(6)]);
  expect(await two.plan()).toMatchObject({
    recommendation: { action: 'review_required' },
    review_options: { length: 2 },
  });
  const refused = await two.refusal(two.write(5, await two.snapshot()));
  expect(refused).toEqual([7, 'SVC_CLI_FILING_RACED', expect.stringContaining('/issues/6 has the same finding')]);

  const endless = await desk(Array.from({ length: 21 }, (_, n) => exact(n + 1)));
  expect((await endless.refusal(endless.plan())).slice(0, 2)).toEqual([7, 'SVC_CLI_TRACKER_TRUNCATED']);
});

test('what changes between plan and write, or while it is written, stops it', async () => {
  const { write, refusal, snapshot, file, catalog, calls, put } = await desk([
    { number: 1, state: 'closed', title: 'old' },
  ]);
  const authorised = await snapshot();
  const drifted = (what: string) => [7, 'SVC_CLI_FILING_DRIFT', expect.stringContaining(`${what} was authorised as`)];
  await writeFile(file, JSON.stringify({ ...reviewed, observed: 'another' }));
  expect(await refusal(write('create', authorised))).toEqual(drifted('finding_sha256'));
  await writeFile(file, JSON.stringify(reviewed));
  const listed = await readFile(catalog, 'utf8');
  await writeFile(catalog, `${listed}# more\n`);
  expect(await refusal(write('create', authorised))).toEqual(drifted('catalog_sha256'));
  await writeFile(catalog, listed);
  // Nobody was asked for that.
  expect(await calls()).toEqual([]);
  let taken = 0;
  const changing = async () => {
    taken += 1;
    if (taken === 2) await writeFile(file, JSON.stringify({ ...reviewed, expected: 'another' }));
    return snapshot();
  };
  expect(await refusal(write('create', authorised, changing))).toEqual(drifted('finding_sha256'));
  expect(taken).toBe(2);
  await writeFile(file, JSON.stringify(reviewed));
  expect(await refusal(write(1, authorised))).toEqual([7, 'SVC_CLI_FILING_CLOSED', expect.stringContaining('issue 1')]);
  await put(exact(2));
  await expect(write('create', authorised)).rejects.toMatchObject({ code: 'SVC_CLI_FILING_RACED' });
  await writeFile(catalog, listed.replace(trackedRepo, 'somebody/else'));
  await expect(snapshot()).rejects.toMatchObject({ code: 'SVC_CLI_FINGERPRINT_FOREIGN' });
});

const good = { ...exact(1), url: `https://github.com/${trackedRepo}/issues/1`, state: 'open' };
const listOf = (...changes: object[]) => ({
  prints: JSON.stringify(changes.map(each => ({ ...good, ...each }))),
  does: 'print',
});
test.each([
  ['garbage', { does: 'print', prints: '<html>Whoa there!</html>' }, 3, 'TRACKER_DATA'],
  ['half of it', { does: 'print', prints: '[{"number":1,' }, 3, 'TRACKER_DATA'],
  ['no UTF-8', { does: 'print', prints: '["\u00ff"]', encoding: 'latin1' }, 3, 'TRACKER_DATA'],
  ['no body', listOf({ body: null }), 3, 'TRACKER_DATA'],
  ['an issue of another repository', listOf({ url: 'https://github.com/a/b/issues/1' }), 3, 'TRACKER_DATA'],
  ['another host', listOf({ url: good.url.replace('github.com', 'github.com.evil') }), 3, 'TRACKER_DATA'],
  ['a pull request', listOf({ url: good.url.replace('issues', 'pull') }), 3, 'TRACKER_DATA'],
  ['another number', listOf({ number: 2 }), 3, 'TRACKER_DATA'],
  ['a closed one', listOf({ state: 'closed' }), 3, 'TRACKER_DATA'],
  ['a strange state', listOf({ state: 'merged' }), 3, 'TRACKER_DATA'],
  ['the same twice', listOf({}, {}), 3, 'TRACKER_DATA'],
  ['more than asked for', listOf(...Array.from({ length: 22 }, () => ({}))), 3, 'TRACKER_DATA'],
  ['a login that ran out', { does: 'bad-credentials' }, 6, 'TRACKER_LOGIN'],
  ['a failure', { does: 'fail', prints: 'HTTP 502: Bad Gateway (https://api.github.com/search)' }, 3, 'TRACKER_FAILED'],
  ['its usage', { does: 'fail', prints: 'unknown flag: --json' }, 3, 'TRACKER_FAILED'],
])('a tracker that answers %s stops the plan and the write', async (_, mode, exit, code) => {
  const { plan, write, snapshot, refusal, mode: set } = await desk([]);
  await set(mode);
  const rule = [exit, `SVC_CLI_${code}`, expect.stringContaining('the search for issues')];
  expect(await Promise.all([refusal(plan()), refusal(write('create', await snapshot()))])).toEqual([rule, rule]);
});

test('without the client, without a login, and with one that asks for it, nothing is written', async () => {
  const out = await desk([], { login: false });
  expect(await out.refusal(out.plan())).toEqual([6, 'SVC_CLI_TRACKER_LOGIN', expect.stringContaining('gh auth login')]);
  out.options.env = { ...out.options.env, PATH: out.folder };
  expect(await out.refusal(out.plan())).toEqual([
    3,
    'SVC_CLI_TRACKER_MISSING',
    expect.stringContaining('gh is not on the PATH'),
  ]);
});

/** Whether a process of this number runs. */
const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a slow one is ended with all it has started; a write that it was at is not made again', async () => {
  const { options, stop, plan, write, snapshot, refusal, mode, folder, ledger, calls } = await desk();
  const child = join(folder, 'child');
  await mode({ does: 'hang', child });
  options.timeoutMs = 3000;
  expect(await refusal(plan())).toEqual([4, 'SVC_CLI_TRACKER_TIMEOUT', expect.stringContaining('longer than 3 s')]);
  const pid = Number(await readFile(child, 'utf8'));
  expect(pid).toBeGreaterThan(0);
  await waitFor(() => !runs(pid), 'its child to be ended');

  // Taken back, as by Ctrl-C, while it writes.
  options.timeoutMs = 30_000;
  await mode({ does: 'hang', at: 'issue create' });
  const writing = refusal(write('create', await snapshot()));
  await waitFor(async () => (await calls()).at(-1)?.argv[1] === 'create', 'the write');
  stop.abort(new Error('taken back'));
  expect(await writing).toEqual([1, undefined, 'taken back']);
  options.signal = new AbortController().signal;
  await mode({});
  const unsure = [7, 'SVC_CLI_FILING_UNSURE', expect.stringContaining('then remove ')];
  expect([await refusal(plan()), await refusal(write('create', await snapshot()))]).toEqual([unsure, unsure]);
  // One that was refused is known never to have been.
  const other = await desk();
  await other.mode({
    does: 'fail',
    at: 'issue create',
    prints: 'GraphQL: Repository was archived so is read-only. (createIssue)',
  });
  expect((await other.refusal(other.write('create', await other.snapshot()))).slice(0, 2)).toEqual([
    3,
    'SVC_CLI_TRACKER_FAILED',
  ]);
  await other.mode({});
  expect(await other.write('create', await other.snapshot())).toMatchObject({ status: 'created' });
  expect(await ledger.issues()).toEqual([]);
});

test('two at once: one writes, the other is told; who may read the record is its owner', async () => {
  const { write, snapshot, issues, env } = await desk();
  const authorised = await snapshot();
  const all = await Promise.allSettled([1, 2, 3].map(() => write('create', authorised)));
  expect(all.map(each => each.status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  for (const each of all)
    if (each.status === 'rejected') expect(each.reason.code).toMatch(/^SVC_CLI_FIL(?:ING_BUSY|ED_ALREADY)$/);
  expect(await issues()).toHaveLength(1);
  if (process.platform === 'linux') expect((await stat(join(env.XDG_STATE_HOME, 'svc/filings'))).mode & 0o077).toBe(0);
});
