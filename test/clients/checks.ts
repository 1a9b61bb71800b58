/** What each step must have shown: the client's own output is judged, whatever its form. */
import type { Client, Shown } from './clients.ts';
import type { Step, Target } from './target.ts';

export interface Verdict {
  step: Step;
  /** Why it is not what it should be; nothing when it is. */
  problem?: string;
}

type Outcome = { shown?: string; threw?: string };
type Check = (outcome: Outcome, target: Target, client: Client) => string | undefined;

const said = ({ shown, threw }: Outcome): string => shown ?? threw ?? '';
const unquoted = (text: string): string => text.replaceAll('\\', '');
const brief = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)} ...` : text);

/** The step worked and its output has all `parts`. */
const shows =
  (...parts: (string | RegExp)[]): Check =>
  outcome => {
    if (outcome.shown === undefined) return `it threw: ${brief(said(outcome))}`;
    const text = unquoted(outcome.shown);
    const missing = parts.filter(each => (typeof each === 'string' ? !text.includes(each) : !each.test(text)));
    return missing.length === 0 ? undefined : `${missing.join(', ')} is missing in: ${brief(text)}`;
  };

/** A failure that a model or a person can act on: in a result or thrown, with `parts`, and never what hides it. */
const tells =
  (...parts: RegExp[]): Check =>
  outcome => {
    const text = unquoted(said(outcome));
    if (/an error occurred|timed? ?out/i.test(text)) return `it hides what happened: ${brief(text)}`;
    const missing = parts.filter(each => !each.test(text));
    return missing.length === 0 ? undefined : `${missing.join(', ')} is missing in: ${brief(text)}`;
  };

/** A client that listens to progress has seen it rise to the end. */
const rises: Check = ({ shown }) => {
  const { seen } = JSON.parse(shown?.startsWith('{') ? shown : '{}') as { seen?: number[] };
  return seen === undefined || seen.join() === '1,2,3' ? undefined : `the progress that came: ${seen.join() || 'none'}`;
};

/** As `tells`; a client that shows results as they came has a result that says so. */
function failure(part: RegExp): Check {
  return (outcome, target, client) =>
    (client.plain ? shows(part, /"isError":true/) : tells(part))(outcome, target, client);
}

/** After the receipt no progress is sent for that token: a client would take it for a mistake. */
function silent({ shown }: Outcome): string | undefined {
  const told = JSON.parse(shown ?? '{}') as { before?: number; after?: number; errors?: string[] };
  if (told.before === told.after && (told.errors ?? []).length === 0) return undefined;
  return `it was told of the job after its receipt: ${told.errors?.join('; ')}`;
}

const checks: Readonly<Record<Step, Check>> = {
  connect: (outcome, target, client) =>
    shows(...(client.revision === undefined ? [] : [`"protocolVersion":"${client.revision}"`]))(
      outcome,
      target,
      client,
    ),
  list: (outcome, target, client) => shows(...target.tools)(outcome, target, client),
  call: shows(/"sum": ?5/),
  read: shows('name: drive', '# drive'),
  prompt: shows('Please review shot 010.'),
  fails: failure(/locked by another user/),
  invalid: failure(/"?a"? must be number/),
  unknown: (outcome, target, client) => {
    // The gateway's own tool is known; what it was asked for is not.
    const number = client.plain && target.name !== 'gateway' ? [/-32602/] : [];
    return tells(/no_such_tool/, ...number)(outcome, target, client);
  },
  progress: (outcome, target, client) =>
    shows('three frames')(outcome, target, client) ?? rises(outcome, target, client),
  receipt: (outcome, target, client) => shows('job_id', /pending|running/)(outcome, target, client) ?? silent(outcome),
  skills: shows(/"name": ?"drive"|skill:\/\/(\w+\/)?drive\/SKILL\.md/),
};

/** Every step that the client must show, judged. */
export function judge(client: Client, target: Target, shown: Shown): Verdict[] {
  const steps: readonly Step[] = ['connect', ...client.steps];
  return steps.map(step => {
    const outcome = shown[step];
    const made = step === 'connect' ? (outcome ?? { shown: '' }) : outcome;
    const lost = `it showed nothing; connecting: ${said(shown.connect ?? {})}`;
    const problem = made === undefined ? lost : checks[step](made, target, client);
    return { step, ...(problem !== undefined && { problem }) };
  });
}
