/** The form of one webhook. Values that may be secret are never sent to the page: they stay as they are unless replaced. */
import { useRef, useState } from 'preact/hooks';
import { ask } from '../../shell/api.ts';
import { type Entry, entryOf, type Fields, fieldsOf, problemsOf } from './entry.ts';

interface FormProps {
  entry: Entry;
  isNew: boolean;
  done(): void;
  cancel(): void;
}

type Problems = Partial<Record<keyof Fields, string>>;

export function WebhookForm({ entry, isNew, done, cancel }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [fields, setFields] = useState(() => fieldsOf(entry));
  const [problems, setProblems] = useState<Problems>({});
  const [refused, setRefused] = useState('');
  const [busy, setBusy] = useState(false);
  const robot = fields.kind !== 'generic';

  const save = (): void => {
    const found = problemsOf(fields);
    setProblems(found);
    setRefused('');
    const [wrong] = Object.keys(found);
    if (wrong !== undefined) {
      form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
      return;
    }
    setBusy(true);
    ask('integrations', { method: isNew ? 'POST' : 'PUT', body: entryOf(fields, entry) }).then(done, (error: Error) => {
      setBusy(false);
      setRefused(error.message);
    });
  };
  const field = (name: keyof Fields, label: string, about: string, more: object = {}) => (
    <Field
      key={name}
      {...{ name, label, about, ...more }}
      value={fields[name]}
      problem={problems[name]}
      onValue={value => setFields(before => ({ ...before, [name]: value }))}
    />
  );
  return (
    <form
      class="card stack"
      ref={form}
      noValidate
      aria-label={isNew ? 'New webhook' : `Webhook ${entry.name}`}
      onSubmit={event => {
        event.preventDefault();
        save();
      }}
    >
      <h2>{isNew ? 'New webhook' : entry.name}</h2>
      <div class="fields">
        {(isNew || entry.name === '') && field('name', 'Name', 'Unique in the file.')}
        {field(
          'url',
          'Address',
          'What stands as [kept] stays as it is in the file. A variable of the environment ($ and its name in braces) keeps it out of the file.',
        )}
        <label class="field">
          <span>Kind</span>
          <select
            name="kind"
            value={fields.kind}
            onChange={({ currentTarget }) => setFields(before => ({ ...before, kind: currentTarget.value }))}
          >
            <option value="generic">JSON to a service</option>
            <option value="chatrobot">Message to a chat robot</option>
          </select>
          <small>What is sent.</small>
        </label>
        {field('attempts', 'Attempts', 'How often a delivery is tried; 3 without.')}
        {field('events', 'Events', 'Names or wildcards such as tool.*, one a line.', { long: true })}
        {field('headers', 'Headers', 'Name: value, one a line. [kept] stays as it is in the file.', { long: true })}
        {robot
          ? field(
              'message',
              'Message',
              'With $event, $tool-slug, $dcc-type or {{attributes.error_message}}; a standard one without.',
              { long: true },
            )
          : field('payload', 'Body', 'JSON with {{attributes.tool_slug}} and the like; the whole event without.', {
              long: true,
            })}
      </div>
      {refused && (
        <p class="notice is-bad" role="alert">
          {refused}
        </p>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={busy}>
          {busy ? 'Saving' : 'Save'}
        </button>
        <button type="button" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  name: keyof Fields;
  label: string;
  about: string;
  value: string;
  problem: string | undefined;
  long?: boolean;
  onValue(value: string): void;
}

function Field({ name, label, about, value, problem, long = false, onValue }: FieldProps) {
  const common = {
    id: `field-${name}`,
    name,
    value,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${name}-about`,
    spellcheck: false,
  };
  return (
    <div class="field">
      <label htmlFor={`field-${name}`}>{label}</label>
      {long ? (
        <textarea {...common} onInput={({ currentTarget }) => onValue(currentTarget.value)} />
      ) : (
        <input
          {...common}
          type="text"
          autocomplete="off"
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
      <small id={`${name}-about`} class={problem ? 'bad' : ''}>
        {problem ?? about}
      </small>
    </div>
  );
}
