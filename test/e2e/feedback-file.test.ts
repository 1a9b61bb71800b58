/** `svc-cli feedback file` as its user has it: the built program, the stand-in for `gh` on the PATH, the command line as it was printed. */
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../kernel/index.ts';
import { waitFor } from '../helper.ts';
import { finding, reviewed } from '../plugins/feedback/support.ts';
import { trackerWith } from '../tracker.ts';
import { type Run, runNode } from './program.ts';

const program = join(packageRoot, 'dist', 'svc-cli.js');

async function desk() {
  const tracked = await trackerWith();
  const file = join(tracked.folder, 'finding.json');
  await writeFile(file, JSON.stringify(reviewed));
  const run = async (args: readonly string[], env = {}, cwd = tracked.folder, started?: (run: Run) => unknown) => {
    const running = runNode(program, args, { ...tracked.env, ...env }, cwd);
    started?.(running);
    const code = await running.ended;
    const [stdout, stderr] = [running.stdout(), running.stderr()];
    return { code, stdout, error: stderr.startsWith('{') ? JSON.parse(stderr).error : stderr };
  };
  return { ...tracked, file, run };
}

test('what is printed files it once and only once, when two run it at the same time', async () => {
  const { run, issues, calls, folder } = await desk();
  const planned = await run(['feedback', 'file', 'finding.json'], {
    ...{ GH_HOST: 'git.studio.corp', GH_REPO: 'a/b', GH_FORCE_TTY: '1', CLICOLOR_FORCE: '1' },
  });
  expect([planned.code, planned.error]).toEqual([0, '']);
  const { next_step } = JSON.parse(planned.stdout) as { next_step: { argv: string[] } };
  const [name, ...argv] = next_step.argv;
  expect(name).toBe('svc-cli');
  // From another folder: the command line is whole.
  const both = await Promise.all([run(argv, {}, folder), run(argv, {}, packageRoot)]);
  expect(both.map(each => each.code).sort()).toEqual([0, 7]);
  const won = both.find(each => each.code === 0);
  expect(JSON.parse(won?.stdout ?? '')).toMatchObject({ status: 'created', issue: { number: 1 } });
  expect((await run(argv)).error).toMatchObject({ code: 'CONFLICT', details: { code: 'SVC_CLI_FILED_ALREADY' } });
  expect(await issues()).toHaveLength(1);
  for (const each of await calls()) {
    expect(each.argv.join(' ')).not.toContain('nothing was made');
    expect(each.env).toEqual({ GH_HOST: 'github.com', GH_PROMPT_DISABLED: '1', NO_COLOR: '1' });
  }
  const human = await run(['feedback', 'file', 'finding.json', '--output', 'human']);
  expect(human.stdout).toMatch(/would be commented.*\nISSUE +FINDING +TITLE\n1 +same +agent report: maya/);
  expect(human.stdout).toMatch(/\n {2}svc-cli feedback file \S+ --existing 1 .*--yes --json\n$/);
});

/** Where a run is killed, with `gh` at which step, and how many have written then. */
const steps = [
  ['while it looks', { does: 'wait', at: 'search issues' }, 'search', 0],
  ['while it writes, before gh has', { does: 'wait', at: 'issue create' }, 'create', 0],
  ['when gh has written, before it knows', { does: 'wait-after', at: 'issue create' }, 'create', 1],
] as const;

test.each(steps)('killed %s: nothing is filed twice, whoever runs it again', async (_, mode, at, written) => {
  const { run, issues, comments, calls, mode: set } = await desk();
  const { next_step } = JSON.parse((await run(['feedback', 'file', 'finding.json'])).stdout);
  const argv = (next_step.argv as string[]).slice(1);
  await set(mode);
  const asked = (await calls()).length;
  const killed = await run(argv, {}, undefined, async ({ child }) => {
    const isThere = async () => (await calls()).slice(asked).some(each => each.argv.includes(at));
    await waitFor(isThere, 'gh is at it', 20_000);
    await waitFor(async () => (await issues()).length === written, 'what it has written');
    child.kill('SIGKILL');
  });
  expect(killed.code).toBe('SIGKILL');
  if (at === 'search') {
    // It had not begun to write: whoever comes next does.
    await set({});
    const both = await Promise.all([run(argv), run(argv)]);
    expect(both.map(each => each.code).sort()).toEqual([0, 7]);
  } else {
    // gh goes on without it: whether it has written nobody can know.
    const both = await Promise.all([run(argv), run(argv)]);
    const reasons = both.map(({ code, error }) => [code, error.details.code]);
    for (const each of reasons)
      expect([
        [7, 'SVC_CLI_FILING_UNSURE'],
        [7, 'SVC_CLI_FILING_BUSY'],
      ]).toContainEqual(each);
    expect(reasons).toContainEqual([7, 'SVC_CLI_FILING_UNSURE']);
    await set({});
    await waitFor(async () => (await issues()).length === 1, 'gh to end what it was at');
    const { details, message } = (await run(argv)).error;
    expect(message).toContain(`then remove ${details.file}`);
    // As the message says: somebody has looked, and removed the record. The search knows of it by now.
    await rm(details.file);
    expect((await run(argv)).error.details.code).toBe('SVC_CLI_FILING_RACED');
  }
  expect([(await issues()).length, await comments()]).toEqual([1, []]);
  const again = JSON.parse((await run(['feedback', 'file', 'finding.json'])).stdout);
  expect(again.recommendation).toEqual({ action: 'comment_existing', issue_number: 1 });
});

test('what is no finding, or not reviewed, and half an authorisation: exit code 2, and nobody is asked', async () => {
  const { run, file, folder, calls } = await desk();
  const text = JSON.stringify(reviewed);
  const put = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    return name;
  };
  await symlink(file, join(folder, 'link.json'));
  const bound = ['--expected-repo', 'a/b'];
  const refused: readonly (readonly [readonly string[], RegExp])[] = [
    [['link.json'], /it is a link/],
    [[await put('large.json', `${text}${' '.repeat(600_000)}`)], /at most 524288 are read/],
    [[await put('latin.json', Buffer.from(text.replace('nothing', 'caf\u00e9'), 'latin1'))], /no UTF-8/],
    [[await put('keys.json', text.replace('{', '{"os":"x",'))], /the key "os" stands twice/],
    [[await put('more.json', text.replace('{', '{"more":1,'))], /"more" is not a known field/],
    [[await put('raw.json', JSON.stringify(finding))], /not reviewed/],
    [['finding.json', '--create'], /without --yes/],
    [['finding.json', ...bound], /--expected-repo is given without --yes/],
    [['finding.json', '--yes'], /needs --existing or --create/],
    [['finding.json', '--yes', '--create', ...bound], /--yes needs --expected-finding-path, --expected-finding-sha256/],
    [['finding.json', '--create', '--existing', '3'], /cannot also be provided/],
  ];
  const runs = await Promise.all(refused.map(([args]) => run(['feedback', 'file', ...args])));
  for (const [index, { code, stdout, error }] of runs.entries()) {
    const [args, message] = refused[index] ?? [];
    expect([code, stdout, error.code], args?.join(' ')).toEqual([2, '', 'INVALID_INPUT']);
    expect(error.message).toMatch(message ?? /^$/);
  }
  expect(await calls()).toEqual([]);
  const own = join(folder, 'dcc-mcp-catalog.yml');
  await writeFile(own, "entries: [{ name: dcc-mcp-maya, issues_url: 'https://github.com/studio/maya/issues' }]");
  expect((await run(['feedback', 'file', 'finding.json'])).error).toMatchObject({
    ...{ exit_code: 7, details: { code: 'SVC_CLI_FINGERPRINT_FOREIGN', repo: 'studio/maya' } },
  });
  expect(JSON.parse((await run(['feedback', 'route', 'finding.json'])).stdout)).toMatchObject({ repo: 'studio/maya' });
});
