/** The issues of one repository, by way of the tracker's client. What it answers is believed only where it is whole and of its form. */
import { isObject, type Json, parsed } from '../../../schemas/loose.ts';
import { cliErrors } from '../../errors.ts';
import type { TrackerProgram } from './tracker-program.ts';

export interface Issue {
  number: number;
  title: string;
  url: string;
  body: string;
  open: boolean;
}

export type Tracker = ReturnType<typeof createTracker>;

const fields = 'number,title,url,body,state';
const most = { limit: 100, title: 4096 };

export function createTracker(repo: string, run: TrackerProgram) {
  const bad = (what: string, reason: string) => cliErrors.TRACKER_DATA({ what, reason });
  const own = new RegExp(`^https://github\\.com/${repo.replaceAll('.', String.raw`\.`)}/issues/([1-9]\\d{0,9})$`, 'i');
  const at = ['--repo', `github.com/${repo}`];

  const issueOf = (value: unknown, what: string): Issue => {
    const { number, title, url, body, state }: Json = isObject(value) ? value : {};
    if (typeof title !== 'string' || title.length > most.title || typeof body !== 'string') {
      throw bad(what, 'an issue has no title or body');
    }
    const [, named] = own.exec(String(url)) ?? [];
    if (typeof url !== 'string' || named === undefined || Number(named) !== number) {
      throw bad(what, `an issue is none of https://github.com/${repo}/issues`);
    }
    if (!/^(?:open|closed)$/i.test(String(state)))
      throw bad(what, `the state of issue ${named} is neither open nor closed`);
    return { number, title, url, body, open: String(state).toLowerCase() === 'open' };
  };

  /** The number of the issue, from the address of what was written. */
  const written = (what: string, printed: string, after: RegExp): Pick<Issue, 'number' | 'url'> => {
    const url = printed.trim().replace(after, '');
    const [, number] = own.exec(url) ?? [];
    if (number === undefined || !after.test(printed.trim())) throw bad(what, `it is no address of what was written`);
    return { number: Number(number), url };
  };

  return {
    /** Open issues in which the terms stand; `limit` of them say nothing of whether there are more. */
    async search(terms: readonly string[], within: 'title' | 'title,body', limit: number): Promise<Issue[]> {
      if (limit < 1 || limit > most.limit) throw new Error(`a search takes 1 to ${most.limit} issues`);
      const what = 'the search for issues';
      const scope = ['--repo', repo, '--state', 'open', '--limit', String(limit)];
      const args = ['search', 'issues', ...terms, ...scope, '--json', fields, '--match', within];
      const found = parsed(await run({ what, args }));
      if (!Array.isArray(found)) throw bad(what, 'it is no list in JSON');
      if (found.length > limit) throw bad(what, `it has ${found.length} issues where ${limit} were asked for`);
      const issues = found.map(each => issueOf(each, what));
      if (issues.some(each => !each.open)) throw bad(what, 'it has closed issues where open ones were asked for');
      if (new Set(issues.map(each => each.number)).size < issues.length) throw bad(what, 'it has an issue twice');
      return issues;
    },
    async view(number: number): Promise<Issue> {
      const what = `issue ${number}`;
      const issue = issueOf(
        parsed(await run({ what, args: ['issue', 'view', String(number), ...at, '--json', fields] })),
        what,
      );
      if (issue.number !== number) throw bad(what, `it is issue ${issue.number}`);
      return issue;
    },
    /** One that may have been deleted since. */
    async find(number: number): Promise<Issue | undefined> {
      try {
        return await this.view(number);
      } catch (error) {
        const { details } = error as { details?: { reason?: unknown } };
        if (/could not resolve to an issue/i.test(String(details?.reason))) return undefined;
        throw error;
      }
    },
    async comment(number: number, body: string): Promise<Pick<Issue, 'number' | 'url'>> {
      const what = 'the new comment';
      const args = ['issue', 'comment', String(number), ...at, '--body-file', '-'];
      const found = written(what, await run({ what, args, input: body }), /#issuecomment-\d+$/);
      if (found.number !== number) throw bad(what, `it stands at issue ${found.number}`);
      return found;
    },
    async create(title: string, body: string): Promise<Pick<Issue, 'number' | 'url'>> {
      const what = 'the new issue';
      const args = ['issue', 'create', ...at, '--title', title, '--body-file', '-'];
      return written(what, await run({ what, args, input: body }), /$/);
    },
  };
}
