/** Integrations: webhooks and the chat robot, as their file has them; changes are in use at once. */
import { useState } from 'preact/hooks';
import { number } from '../../parts/format.ts';
import { useQuery } from '../../parts/query.ts';
import { Badge, Code } from '../../parts/small.tsx';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { ask } from '../../shell/api.ts';
import type { Panel } from '../../shell/panel.ts';
import { param, setParams } from '../../shell/url.ts';
import { type Entry, newEntry, robotName } from './entry.ts';
import { WebhookForm } from './form.tsx';

interface Running {
  name: string;
  kind: string;
  url: string;
  events: string[];
  headers: string[];
  waiting: number;
  delivered: number;
  failed: number;
  dropped: number;
  last_error: string | null;
}

interface Integrations {
  webhooks: { file: string; entries: Entry[]; running: Running[]; problem: string | null };
}

function View() {
  const query = useQuery<Integrations>('integrations');
  const edited = param('edit');
  const { data, error, reload } = query;
  if (!data) return error ? <Failed error={error} retry={reload} /> : <Loading what="webhooks" />;
  const { file, entries, running, problem } = data.webhooks;
  const entry =
    entries.find(each => each.name === edited) ?? (['new', robotName].includes(edited) ? newEntry(edited) : undefined);
  const done = (): void => {
    setParams({ edit: '' });
    reload();
  };
  const robot = entries.some(each => each.name === robotName);
  return (
    <div class="body">
      {problem && <p class="notice is-bad">{problem}</p>}
      {edited && !entry && <p class="notice is-warn">There is no webhook “{edited}” in the file.</p>}
      {entry && (
        <WebhookForm
          key={edited}
          entry={entry}
          isNew={!entries.includes(entry)}
          done={done}
          cancel={() => setParams({ edit: '' })}
        />
      )}
      <section class="card" aria-labelledby="webhooks">
        <h2 id="webhooks">
          Webhooks
          <span class="note row">
            <button type="button" onClick={() => setParams({ edit: 'new' })}>
              Add a webhook
            </button>
            {!robot && (
              <button type="button" onClick={() => setParams({ edit: robotName })}>
                Add a chat robot
              </button>
            )}
          </span>
        </h2>
        {running.length === 0 ? (
          <Empty title="Nobody is told of anything yet">
            A webhook sends events of this gateway to an address of yours; a chat robot sends them to a room as
            messages.
          </Empty>
        ) : (
          <ul class="entries">
            {running.map(each => (
              <Webhook
                key={each.name}
                state={each}
                inFile={entries.some(one => one.name === each.name)}
                reload={reload}
              />
            ))}
          </ul>
        )}
      </section>
      <section class="card" aria-labelledby="file">
        <h2 id="file">File</h2>
        <p>What is changed here is written into this file, and used at once. Its comments stay.</p>
        <Code label="File of webhooks" text={file} />
      </section>
    </div>
  );
}

function Webhook({ state, inFile, reload }: { state: Running; inFile: boolean; reload(): void }) {
  const [said, say] = useState<{ text: string; bad: boolean }>();
  const [sure, setSure] = useState(false);
  const test = (): void => {
    say({ text: 'Sending', bad: false });
    ask<{ delivered: boolean; error: string | null }>('integrations/test', {
      method: 'POST',
      body: { name: state.name },
    }).then(
      ({ delivered, error }) =>
        say({ text: delivered ? 'The test was delivered' : `Not delivered: ${error}`, bad: !delivered }),
      (error: Error) => say({ text: error.message, bad: true }),
    );
  };
  const remove = (): void => {
    if (!sure) {
      setSure(true);
      return;
    }
    ask(`integrations/${encodeURIComponent(state.name)}`, { method: 'DELETE' }).then(reload, (error: Error) =>
      say({ text: error.message, bad: true }),
    );
  };
  return (
    <li class="entry">
      <div class="entry-head">
        <strong>{state.name}</strong>
        <Badge tone="none">{state.kind}</Badge>
        {state.last_error && <Badge tone="bad">failing</Badge>}
        <span class="row entry-actions">
          <button type="button" class="small" onClick={test} aria-label={`Send a test to ${state.name}`}>
            Send a test
          </button>
          {inFile && (
            <>
              <button
                type="button"
                class="small"
                onClick={() => setParams({ edit: state.name })}
                aria-label={`Edit ${state.name}`}
              >
                Edit
              </button>
              <button
                type="button"
                class="small danger"
                onClick={remove}
                onBlur={() => setSure(false)}
                aria-label={`Remove ${state.name}`}
              >
                {sure ? 'Remove it for good' : 'Remove'}
              </button>
            </>
          )}
        </span>
      </div>
      <code>{state.url}</code>
      <p class="muted">
        {state.events.join(', ')} · {number(state.delivered)} delivered, {number(state.failed)} failed,{' '}
        {number(state.waiting)} waiting
        {state.dropped > 0 && `, ${number(state.dropped)} dropped`}
        {!inFile && ' · from the environment'}
      </p>
      {state.last_error && <p class="bad">{state.last_error}</p>}
      <div role="status">{said && <p class={`notice ${said.bad ? 'is-bad' : 'is-ok'}`}>{said.text}</p>}</div>
    </li>
  );
}

export const integrations: Panel = {
  ...{ name: 'integrations', title: 'Integrations', group: 'Set up', View },
  icon: 'M6 2v4M10 2v4M4 6h8v2a4 4 0 0 1-8 0zM8 12v2.5',
  about: 'Who is told of what happens here.',
};
