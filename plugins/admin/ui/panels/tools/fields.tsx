/** The fields of one value of a tool's arguments: a text, a choice, a list that grows, an object with fields of its own. */
import { type Draft, draftOf, kindAt, pathOf } from './arguments.ts';
import { choicesOf, type Schema, settled } from './schema.ts';

interface ValueProps {
  name: string;
  path: string;
  depth: number;
  schema: Schema;
  root: Schema;
  needed: boolean;
  draft: Draft;
  problems: Readonly<Record<string, string>>;
  change(draft: Draft): void;
}

export function Value(props: ValueProps) {
  const { name, path, depth, root, needed, draft, problems, change } = props;
  const schema = settled(props.schema, root);
  const about = problems[path] ?? schema.description ?? '';
  const below = { root, problems, depth: depth + 1 };
  if (typeof draft === 'string') return <Field {...props} schema={schema} text={draft} />;
  const list = Array.isArray(draft);
  return (
    <fieldset class="field nested">
      <legend>
        {name}
        {needed && ' *'}
      </legend>
      {about && <small class={problems[path] ? 'bad' : ''}>{about}</small>}
      {list
        ? draft.map((each, index) => (
            <div key={index} class="item">
              <Value
                {...below}
                name={`${name} ${index + 1}`}
                path={pathOf(path, index)}
                schema={schema.items ?? {}}
                needed={true}
                draft={each}
                change={next => change(draft.with(index, next))}
              />
              <button
                type="button"
                class="small"
                aria-label={`Remove ${name} ${index + 1}`}
                onClick={() => change(draft.toSpliced(index, 1))}
              >
                Remove
              </button>
            </div>
          ))
        : Object.entries(schema.properties ?? {}).map(([member, each]) => (
            <Value
              key={member}
              {...below}
              name={member}
              path={pathOf(path, member)}
              schema={each}
              needed={schema.required?.includes(member) ?? false}
              draft={draft[member] ?? ''}
              change={next => change({ ...draft, [member]: next })}
            />
          ))}
      {list && (
        <button
          type="button"
          class="small"
          aria-label={`Add to ${name}`}
          onClick={() => change([...draft, draftOf(schema.items ?? {}, root, undefined, depth + 1)])}
        >
          Add
        </button>
      )}
    </fieldset>
  );
}

function Field({ name, path, depth, schema, needed, text, problems, change }: ValueProps & { text: string }) {
  const kind = kindAt(schema, depth);
  const problem = problems[path];
  const common = {
    ...{
      id: `argument-${path}`,
      name: path,
      value: text,
      'aria-required': needed,
      'aria-describedby': `about-${path}`,
    },
    'aria-invalid': problem !== undefined,
  };
  const choices = kind === 'flag' ? ['true', 'false'] : kind === 'choice' ? choicesOf(schema).map(String) : undefined;
  const type = ({ currentTarget }: { currentTarget: { value: string } }): void => change(currentTarget.value);
  return (
    <div class="field">
      <label htmlFor={`argument-${path}`}>
        {name}
        {needed && ' *'}
      </label>
      {choices ? (
        <select {...common} onChange={type}>
          <option value="">not given</option>
          {choices.map(each => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : kind === 'number' || kind === 'integer' ? (
        <input {...common} type="text" inputMode="decimal" autocomplete="off" onInput={type} />
      ) : (
        <textarea {...common} rows={1} class={kind} spellcheck={false} onInput={type} />
      )}
      <small id={`about-${path}`} class={problem ? 'bad' : ''}>
        {problem ?? schema.description ?? ''}
      </small>
    </div>
  );
}
