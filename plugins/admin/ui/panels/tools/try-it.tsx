/** A form made of a tool's schema: fills in the arguments, calls, shows what came back. */
import { useRef, useState } from 'preact/hooks';
import { pretty } from '../../parts/format.ts';
import { Code } from '../../parts/small.tsx';
import { ask, Refused } from '../../shell/api.ts';
import { linkTo } from '../../shell/url.ts';
import { draftOf, readArguments } from './arguments.ts';
import { Value } from './fields.tsx';
import type { Schema } from './schema.ts';

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
  const [drafts, setDrafts] = useState(() =>
    Object.fromEntries(fields.map(([name, each]) => [name, draftOf(each, schema, undefined, 1)])),
  );
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [sure, setSure] = useState(!careful);
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();

  const run = async (): Promise<void> => {
    const read = readArguments(schema, drafts);
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
      onKeyDown={event => {
        // As in a chat: a line more with Shift.
        const { target, key, shiftKey, isComposing } = event;
        if (key !== 'Enter' || shiftKey || isComposing) return;
        if (!(target instanceof HTMLTextAreaElement) || !target.classList.contains('text')) return;
        event.preventDefault();
        form.current?.requestSubmit();
      }}
    >
      <h2>Try it</h2>
      {fields.length === 0 && <p class="muted">It takes no arguments.</p>}
      {fields.map(([name, each]) => (
        <Value
          key={name}
          name={name}
          path={name}
          depth={1}
          schema={each}
          root={schema}
          needed={schema.required?.includes(name) ?? false}
          draft={drafts[name] ?? ''}
          problems={problems}
          change={next => setDrafts(before => ({ ...before, [name]: next }))}
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
