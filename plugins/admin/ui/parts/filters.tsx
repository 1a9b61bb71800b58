/** What narrows a list; all of it stands in the address. */
import type { ComponentChildren } from 'preact';
import { param, setParams } from '../shell/url.ts';

interface BarProps {
  /** How many rows are listed; told once they are `known`. */
  note?: ComponentChildren;
  known?: boolean;
  children: ComponentChildren;
}

export function FilterBar({ note, known = true, children }: BarProps) {
  return (
    <search class="bar">
      {children}
      {note && known && (
        <span class="note" role="status">
          {note}
        </span>
      )}
    </search>
  );
}

export function Search({ label, name = 'q' }: { label: string; name?: string }) {
  return (
    <div class="grow">
      <input
        type="search"
        maxLength={200}
        aria-label={label}
        placeholder={label}
        value={param(name)}
        onInput={({ currentTarget }) => setParams({ [name]: currentTarget.value }, { replace: true })}
      />
    </div>
  );
}

interface SelectProps {
  name: string;
  label: string;
  /** Titles by value; the empty value is the one without which the address does. */
  options: Readonly<Record<string, string>>;
}

export function Select({ name, label, options }: SelectProps) {
  const value = param(name);
  // What an address asks for and nobody offers is shown, too.
  const titles = value in options ? options : { ...options, [value]: value.slice(0, 40) };
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => setParams({ [name]: currentTarget.value }, { replace: true })}
    >
      {Object.entries(titles).map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** Says that only one instance is listed, and takes that away. */
export function InstanceChip() {
  const instance = param('instance');
  if (instance === '') return null;
  return (
    <button type="button" class="toggle" aria-pressed={true} onClick={() => setParams({ instance: '' })}>
      Instance {instance.slice(0, 8)} ×
    </button>
  );
}
