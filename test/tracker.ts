/** A tracker for tests: the stand-in for `gh` on a PATH of its own, logged in, with the issues of one repository. */
import { chmod, copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { packageRoot } from '../kernel/index.ts';
import { tempDir } from './helper.ts';
import { wholeLines } from './whole-lines.ts';

export const trackedRepo = 'dcc-mcp/dcc-mcp-maya';

export interface TrackedIssue {
  number: number;
  title?: string;
  body?: string;
  state?: 'open' | 'closed';
  pull?: boolean;
}

export type Tracked = Awaited<ReturnType<typeof trackerWith>>;

/** `login: false`: nobody has run `gh auth login`. */
export async function trackerWith(issues: readonly TrackedIssue[] = [], { login = true } = {}) {
  const folder = await tempDir('svc-gh-');
  const bin = join(folder, 'bin');
  for (const each of ['bin', 'issues', 'comments', 'config', 'state']) await mkdir(join(folder, each));
  await copyFile(join(packageRoot, 'test/fixtures/gh.mjs'), join(bin, 'gh.mjs'));
  // Without an ending, as the real one; a module all the same.
  await writeFile(join(bin, 'gh'), `#!${process.execPath}\nimport(${JSON.stringify(join(bin, 'gh.mjs'))});\n`);
  await chmod(join(bin, 'gh'), 0o755);
  await symlink(join(packageRoot, 'dist/svc-cli.js'), join(bin, 'svc-cli'));
  if (login) await writeFile(join(folder, 'config', 'hosts.yml'), 'github.com:\n    user: ada\n');
  const put = ({ number, title = 'other', body = '', state = 'open', pull = false }: TrackedIssue) => {
    const url = `https://github.com/${trackedRepo}/${pull ? 'pull' : 'issues'}/${number}`;
    const issue = { ...{ number, title, body, state, pull, url, repo: trackedRepo }, created: 0 };
    return writeFile(join(folder, 'issues', `${number}.json`), JSON.stringify(issue));
  };
  await Promise.all(issues.map(put));
  const jsons = async (name: string): Promise<Record<string, unknown>[]> => {
    const names = await readdir(join(folder, name));
    return Promise.all(names.sort().map(async each => JSON.parse(await readFile(join(folder, name, each), 'utf8'))));
  };
  return {
    folder,
    put,
    env: {
      PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
      GH_STAND_IN: folder,
      GH_CONFIG_DIR: join(folder, 'config'),
      XDG_STATE_HOME: join(folder, 'state'),
    },
    /** How it misbehaves from now on. */
    mode: (value: object) => writeFile(join(folder, 'mode.json'), JSON.stringify(value)),
    issues: () => jsons('issues'),
    comments: () => jsons('comments'),
    calls: () => wholeLines<{ argv: string[]; env: Record<string, string> }>(join(folder, 'calls.jsonl')),
  };
}
