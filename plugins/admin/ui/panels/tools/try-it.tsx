/** A form made of a tool's schema: fills in the arguments, calls, shows what came back. */
import { useRef, useState } from 'preact/hooks';
import { pretty } from '../../parts/format.ts';
import { Code } from '../../parts/small.tsx';
import { ask, Refused } from '../../shell/api.ts';
import { linkTo } from '../../shell/url.ts';
import { initialText, kindOf, readArguments, type Schema } from './arguments.ts';

interface Outcome {
  request: string;
  text: string;
  failed: boolean;
}

interface Answer {
  isError?: boolean;
  structuredContent?: unknown;
  content?: { type: string; text?: string }[];
  _meta?: { dcc?: { request_id?: string } };
}

export function TryIt({ slug, schema, careful }: { slug: string; schema: Schema; careful: boolean }) {
  const fields = Object.entries(schema.properties ?? {});
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState(() => Object.fromEntries(fields.map(([name, each]) => [name, initialText(each)])));
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [sure, setSure] = useState(!careful);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  const run = async (): Promise<void> => {
    const read = readArguments(schema, texts);
    setProblems(read.problems);
    const [wrong] = Object.keys(read.problems);
    if (wrong !== undefined) {
      form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(wrong)}"]`)?.focus();
      return;
    }
    setBusy(true);
    const request = crypto.randomUUID();
    const body = { tool_slug: slug, arguments: read.args, response_format: 'json' };
    try {
      const answer = await ask<Answer>('/v1/call', { method: 'POST', body, requestId: request });
      setOutcome({ request, text: shownAnswer(answer), failed: answer.isError === true });
    } catch (error) {
      const text = error instanceof Refused ? `${error.kind}: ${error.message}` : String(error);
      setOutcome({ request, text, failed: true });
    }
    setBusy(false);
  };

  return (
    <form
      class="card stack"
      ref={form}
      noValidate
      aria-label="Try it"
      onSubmit={event => {
        event.preventDefault();
        void run();
      }}
    >
      <h2>Try it</h2>
      {fields.length === 0 && <p class="muted">It takes no arguments.</p>}
      {fields.map(([name, each]) => (
        <Field
          key={name}
          name={name}
          schema={each}
          needed={schema.required?.includes(name) ?? false}
          text={texts[name] ?? ''}
          problem={problems[name]}
          onText={text => setTexts(before => ({ ...before, [name]: text }))}
        />
      ))}
      {careful && (
        <label class="row">
          <input type="checkbox" checked={sure} onChange={({ currentTarget }) => setSure(currentTarget.checked)} />I
          know that this may destroy something
        </label>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={busy || !sure}>
          {busy ? 'Calling' : 'Call'}
        </button>
        {outcome && <a href={linkTo('calls', { call: outcome.request })}>Where its time went</a>}
      </div>
      <div aria-live="polite">
        {outcome && (
          <>
            <p class={`notice ${outcome.failed ? 'is-bad' : 'is-ok'}`}>
              {outcome.failed ? 'The call failed' : 'The call succeeded'}
            </p>
            <Code label="Answer" text={outcome.text} />
          </>
        )}
      </div>
    </form>
  );
}

const shownAnswer = ({ structuredContent, content = [], ...rest }: Answer): string => {
  if (structuredContent !== undefined) return JSON.stringify(structuredContent, null, 2);
  const texts = content.map(each => (each.text === undefined ? `[${each.type}]` : pretty(each.text)));
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(rest, null, 2);
};

interface FieldProps {
  name: string;
  schema: Schema;
  needed: boolean;
  text: string;
  problem: string | undefined;
  onText(text: string): void;
}

function Field({ name, schema, needed, text, problem, onText }: FieldProps) {
  const kind = kindOf(schema);
  const common = {
    ...{ id: `argument-${name}`, name, value: text, 'aria-required': needed, 'aria-describedby': `about-${name}` },
    'aria-invalid': problem !== undefined,
  };
  const choices = kind === 'flag' ? ['true', 'false'] : schema.enum?.map(String);
  return (
    <div class="field">
      <label htmlFor={`argument-${name}`}>
        {name}
        {needed && ' *'}
      </label>
      {choices ? (
        <select {...common} onChange={({ currentTarget }) => onText(currentTarget.value)}>
          <option value="">not given</option>
          {choices.map(each => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : kind === 'json' ? (
        <textarea {...common} onInput={({ currentTarget }) => onText(currentTarget.value)} />
      ) : (
        <input
          {...common}
          type="text"
          inputMode={kind === 'text' ? 'text' : 'decimal'}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      )}
      <small id={`about-${name}`} class={problem ? 'bad' : ''}>
        {problem ?? schema.description ?? ''}
      </small>
    </div>
  );
}
