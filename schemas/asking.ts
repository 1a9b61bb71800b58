/**
 * The MCP request that a question becomes. Pure, and without imports that are left at run time: skill workers load it.
 */
import type {
  Ask,
  Asking,
  AskOptions,
  ElicitAnswer,
  FormQuestion,
  Root,
  SampleAnswer,
  SampleQuestion,
  UrlQuestion,
} from './asking-types.ts';

export type * from './asking-types.ts';

/** How long a question waits for its answer when its author does not say: somebody may have to be fetched. */
export const patienceMs = 300_000;

const defaultTokens = 1024;

const optionsOf = ({ key, timeoutMs, signal }: AskOptions): AskOptions => ({ key, timeoutMs, signal });

/** A question that nobody waits for any more may still fail: that must not end the process. */
function quiet<T>(question: Promise<T>): Promise<T> {
  question.catch(() => undefined);
  return question;
}

/**
 * Holds the signal of a question while that is open: what `AbortSignal.any` follows further on it does not hold, and an
 * `AbortSignal.timeout` that was collected never comes (https://github.com/nodejs/node/issues/57736).
 */
const holding =
  (ask: Ask): Ask =>
  async (method, params, options) => {
    const hold = (): void => undefined;
    options?.signal?.addEventListener('abort', hold);
    try {
      return await ask(method, params, options);
    } finally {
      options?.signal?.removeEventListener('abort', hold);
    }
  };

async function elicit(ask: Ask, question: FormQuestion | UrlQuestion): Promise<ElicitAnswer> {
  const { message } = question;
  const params =
    'url' in question
      ? { mode: 'url', message, url: question.url, elicitationId: question.elicitationId ?? crypto.randomUUID() }
      : { message, requestedSchema: { type: 'object', ...question.schema } };
  const { action, content } = (await ask('elicitation/create', params, optionsOf(question))) as ElicitAnswer;
  return { action, ...(content !== undefined && { content }) };
}

async function sample(ask: Ask, question: SampleQuestion): Promise<SampleAnswer> {
  const { messages, maxTokens = defaultTokens, key: _, timeoutMs: __, signal: ___, ...others } = question;
  const said = typeof messages === 'string' ? [{ role: 'user', content: { type: 'text', text: messages } }] : messages;
  const params = { ...others, messages: said, maxTokens };
  return (await ask('sampling/createMessage', params, optionsOf(question))) as SampleAnswer;
}

async function roots(ask: Ask, options: AskOptions = {}): Promise<readonly Root[]> {
  return ((await ask('roots/list', {}, optionsOf(options))) as { roots: readonly Root[] }).roots;
}

/** The forms of `ask`, and itself. */
export function asking(plain: Ask): Asking {
  const ask = holding(plain);
  return {
    ask: (...question) => quiet(ask(...question)),
    elicit: question => quiet(elicit(ask, question)),
    sample: question => quiet(sample(ask, question)),
    roots: options => quiet(roots(ask, options)),
  };
}
