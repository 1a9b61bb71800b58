/** What a person has allowed to be filed, as the flags of the command line say it: all of it, or nothing. */
import { cliErrors } from '../../errors.ts';
import type { Decision } from './plan.ts';
import { type Binding, bindingNames } from './snapshot.ts';

type Given = { yes: boolean } & Partial<Record<`expected-${string}`, string | undefined>>;

/** Nothing for a plan; throws SVC_CLI_AUTHORISATION for half of one. */
export function authorisationOf(flags: object, decision: Decision | undefined): Binding | undefined {
  const given = flags as Given;
  const all = bindingNames.map(name => [name, `expected-${name.replaceAll('_', '-')}`] as const);
  const named = all.filter(([, flag]) => given[flag as `expected-${string}`] !== undefined);
  const refuse = (reason: string) => cliErrors.AUTHORISATION({ reason });
  if (!given.yes) {
    const [first] = named;
    if (first || decision !== undefined) {
      throw refuse(`${first ? `--${first[1]}` : 'what to do'} is given without --yes: leave it out to plan`);
    }
    return undefined;
  }
  if (decision === undefined) throw refuse('--yes needs --existing or --create');
  const missing = all.filter(each => !named.includes(each)).map(([, flag]) => `--${flag}`);
  if (missing.length > 0) throw refuse(`--yes needs ${missing.join(', ')} too`);
  return Object.fromEntries(
    all.map(([name, flag]) => [name, given[flag as `expected-${string}`]]),
  ) as unknown as Binding;
}
